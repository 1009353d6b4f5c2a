#include "run/devices.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/command.hpp"
#include "base/error.hpp"
#include "process/sibling.hpp"

namespace hiple {

namespace {

std::vector<Device> ask() {
  const CommandResult answer = run_command({process::sibling("hiple").string(), "devices", "--json"});
  if (answer.status != 0) throw Error("the devices of this host cannot be told: " + answer.errors);
  std::vector<Device> devices;
  try {
    const auto told = nlohmann::json::parse(answer.output);
    for (const auto& device : told.at("devices")) devices.push_back({device.at("index"), device.at("name"), device.at("memory")});
  } catch (const nlohmann::json::exception& problem) {
    throw Error(std::string("the devices of this host cannot be read: ") + problem.what());
  }
  return devices;
}

}  // namespace

bool may_use_device(const EngineConfig& engine) { return !engine.is_command() && engine.device != "cpu"; }

std::vector<Device> devices_here() { return built_with_cuda() ? ask() : std::vector<Device>(); }

std::vector<const EngineConfig*> all_engines(const RunConfig& config) {
  std::vector<const EngineConfig*> engines;
  engines.reserve(config.engines.size());
  for (const EngineConfig& engine : config.engines) engines.push_back(&engine);
  return engines;
}

void settle_devices(const std::vector<const EngineConfig*>& engines, const Seat& seat, bool refuses) {
  if (std::none_of(engines.begin(), engines.end(), [](const EngineConfig* engine) { return may_use_device(*engine); })) return;
  const auto visible = static_cast<int>(devices_here().size());
  const Placement placement = place(visible, seat, process_environment());
  Problems problems;
  for (const EngineConfig* engine : engines) {
    if (!refuses || visible > 0 || !may_use_device(*engine) || engine->device != "cuda") continue;
    problems.add(engine->place, "engine " + engine->name + ": device cuda, and there is none",
                 built_with_cuda() ? placement.notice : "this program was built without CUDA",
                 "write \"device: auto\", or start it where `hiple devices` shows one");
  }
  problems.throw_if_any();
  if (seat.local_rank == 0 && !placement.notice.empty()) spdlog::info("{}", placement.notice);
}

std::string devices_text(const std::vector<Device>& devices, const Seat& seat, int visible) {
  std::string text = fmt::format("CUDA      {}\n", built_with_cuda() ? "built in" : "built without");
  for (const Device& device : devices)
    text += fmt::format("device    {}: {}, {} MiB\n", device.index, device.name, device.memory >> 20U);
  if (devices.empty()) text += "device    none is visible\n";
  const Placement placement = place(visible, seat, process_environment());
  const std::string where = placement.device == processor ? "the processor" : fmt::format("device {}", placement.device);
  text += fmt::format("place     process {} of {} on this host trains on {}\n", seat.local_rank, seat.trainers, where);
  return placement.notice.empty() ? text : text + "          " + placement.notice + "\n";
}

std::string devices_json(const std::vector<Device>& devices, const Seat& seat, int visible) {
  const Placement placement = place(visible, seat, process_environment());
  nlohmann::ordered_json record = {{"cuda", built_with_cuda()}, {"devices", nlohmann::json::array()}};
  for (const Device& device : devices)
    record["devices"].push_back({{"index", device.index}, {"name", device.name}, {"memory", device.memory}});
  record["place"] = {{"local_rank", seat.local_rank},
                     {"trainers", seat.trainers},
                     {"device", placement.device == processor ? nlohmann::json() : nlohmann::json(placement.device)},
                     {"sharing", placement.sharing},
                     {"notice", placement.notice}};
  return record.dump(2) + "\n";
}

}  // namespace hiple
