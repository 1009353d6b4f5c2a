#include "run/build_record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/file.hpp"
#include "device/device.hpp"
#include "h5/h5.hpp"
#include "run/devices.hpp"
#include "run/host.hpp"

namespace hiple {

void write_build_record(const std::filesystem::path& path, const std::vector<Settled>& settled) {
  const BuildInfo& build = build_info();
  nlohmann::ordered_json record = {
      {"version", build.version},
      {"revision", build.revision},
      {"compiler", build.compiler},
      {"build_type", build.build_type},
      {"flags", build.flags},
      {"hdf5", h5::library_version()},
      {"host", host_name()},
      {"processor", processor_name()},
      {"threads", std::thread::hardware_concurrency()},
      {"cuda", built_with_cuda()},
      {"devices", nlohmann::json::array()},
      {"started", utc_now()},
  };
  for (const Device& device : devices_here())
    record["devices"].push_back({{"index", device.index}, {"name", device.name}, {"memory", device.memory}});
  for (const Settled& entry : settled) {
    record["settled"].push_back({{"time", entry.time}, {"law", entry.law}, {"gates", entry.gates}});
    if (!entry.report.empty()) record["settled"].back()["report"] = entry.report;
  }
  write_file(path, record.dump(2) + "\n");
}

std::string features_text() {
  const BuildInfo& build = build_info();
  std::string text = fmt::format("hiple {}\nrevision  {}\ncompiler  {}\nbuild     {}{}{}\nHDF5      {}\nCUDA      {}\n",
                                 build.version, build.revision, build.compiler, build.build_type, build.flags.empty() ? "" : " ",
                                 build.flags, h5::library_version(), built_with_cuda() ? "built in" : "built without");
  for (const Device& device : visible_devices())
    text += fmt::format("device    {}: {}, {} MiB\n", device.index, device.name, device.memory >> 20U);
  return text;
}

}  // namespace hiple
