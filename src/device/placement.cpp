#include "device/placement.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple {

namespace {

/// Whether Slurm gave each task devices of its own.
bool has_own_device(const Environment& environment) {
  const std::string resources = environment("SLURM_TRES_PER_TASK").value_or("");
  return environment("SLURM_GPUS_PER_TASK").has_value() || resources.find("gpu") != std::string::npos;
}

/// Devices among which the processes of this host were divided before this one saw a single one; 0: not told.
int devices_divided(const Environment& environment) {
  const auto text = environment("HIPLE_DEVICES_OF_HOST");
  if (!text) return 0;
  const auto value = parse_integer(*text);
  constexpr std::int64_t largest = 1 << 16;
  if (!value || *value < 1 || *value > largest)
    throw InputError(Place{"environment"}, "HIPLE_DEVICES_OF_HOST=" + *text + " is no number of devices", {},
                     "leave it to jobs/one_device.sh");
  return static_cast<int>(*value);
}

std::string none_visible(const Environment& environment) {
  std::string text = "no CUDA device is visible";
  if (const auto listed = environment("CUDA_VISIBLE_DEVICES")) text += " (CUDA_VISIBLE_DEVICES=" + printable(*listed) + ")";
  return text + ": engines train on the processor";
}

}  // namespace

Placement place(int visible, const Seat& seat, const Environment& environment) {
  if (visible < 0 || seat.local_rank < 0 || seat.trainers < 1) throw Error("a place among devices that are no number");
  Placement placement;
  if (visible == 0) {
    placement.notice = none_visible(environment);
    return placement;
  }
  placement.device = seat.local_rank % visible;
  if (visible == 1 && has_own_device(environment)) return placement;
  const int devices = visible > 1 ? visible : std::max(1, devices_divided(environment));
  placement.sharing = (seat.trainers + devices - 1) / devices;
  if (placement.sharing > 1)
    placement.notice = std::to_string(seat.trainers) + " ranks of this host train on " + std::to_string(devices) +
                       (devices == 1 ? " device" : " devices") + ", up to " + std::to_string(placement.sharing) +
                       " on one: they share its memory and its time";
  return placement;
}

}  // namespace hiple
