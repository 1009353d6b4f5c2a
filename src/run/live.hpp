#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// Where one engine of a run stands, as its files say. Numbers that are not known are NaN, and -1 where they count.
struct EngineState {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string name;
  std::string state;   ///< waiting, training, judging (what the law asks for), interrupted, done, FAILED
  std::string reason;  ///< of a failure
  int rank = -1;       ///< that answers for it
  std::string device;  ///< "cpu", "cuda:1"; empty where it is not known
  std::int64_t epoch = -1, epochs = -1;
  double loss = unknown;       ///< of the early-stop rows, or where there are none of training
  double rate = unknown;       ///< training samples a second, between the last two lines of its progress
  double most_left = unknown;  ///< seconds of training until its last epoch; early stopping may end it before
  double silence = unknown;    ///< seconds since it or its rank last showed itself, by this host's clock and the files' times
};

/// Of each engine, in the order of run.yaml. `directory`: of this run.
std::vector<EngineState> read_engine_states(const RunDirectory& directory, const RunConfig& config);

/// A table of the states for a terminal of so many columns and lines. Where it is too narrow, columns go, the least important
/// first; where it is too low, engines that are at work are shown before others, and the rest is counted.
std::string live_table(const std::vector<EngineState>& states, std::size_t columns, std::size_t lines);

/// "wear: training, epoch 3 of 80, loss 0.21, 11200 samples/s, at most 12 s left".
std::string live_line(const EngineState& state);

}  // namespace hiple
