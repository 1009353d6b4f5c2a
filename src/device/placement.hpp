#pragma once

#include <string>

#include "base/environment.hpp"

namespace hiple {

/// Where a process stands among those of its host that train, so that it can choose a device without a word to the others.
struct Seat {
  int local_rank = 0;  ///< among the processes of its job on this host
  int trainers = 1;    ///< processes of its job on this host that train, as far as the launcher tells: 1 at least
};

/// In place of a device: the host's processor.
inline constexpr int processor = -1;

struct Placement {
  int device = processor;  ///< as CUDA counts the visible ones
  int sharing = 1;         ///< processes of the job that train on the same one
  std::string notice;      ///< what people should know; empty where there is nothing to say
};

/// The device of a process that can see `visible` ones. A pure function: every process of a host comes to a part of the same
/// whole. Where it sees one, a launcher may have chosen it: Slurm's --gpus-per-task shows each task a device 0 of its own, and
/// jobs/one_device.sh one of HIPLE_DEVICES_OF_HOST. Where it sees several, the processes take them in turn.
Placement place(int visible, const Seat& seat, const Environment& environment);

}  // namespace hiple
