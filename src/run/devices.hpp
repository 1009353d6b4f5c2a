#pragma once

#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "device/device.hpp"
#include "device/placement.hpp"

namespace hiple {

/// The devices that this program can see, asked of a process of its own (`hiple devices`): one that only watches others train
/// never touches CUDA. None, without asking, in a build without CUDA.
std::vector<Device> devices_here();

/// Whether an engine would train on a device if there is one.
bool may_use_device(const EngineConfig& engine);

/// Before engines are trained by this process or its children: throws InputError with every engine that wants a device (`device:
/// cuda`) where none is visible, and says, once a host, what people should know of the place that the others get. `refuses`: else
/// each such engine fails for itself, since other hosts of the job may have devices.
void settle_devices(const std::vector<const EngineConfig*>& engines, const Seat& seat, bool refuses = true);
/// All engines of a run.
std::vector<const EngineConfig*> all_engines(const RunConfig& config);

/// The same text for people and for programs: the devices that are visible, and the one that this process would train on.
/// `visible`: as if there were so many.
std::string devices_text(const std::vector<Device>& devices, const Seat& seat, int visible);
std::string devices_json(const std::vector<Device>& devices, const Seat& seat, int visible);

}  // namespace hiple
