#include "run/host.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "base/text.hpp"
#include "run/slurm_job.hpp"

namespace hiple {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string placement_text() {
  std::string text = "host " + host_name() + ", process " + std::to_string(::getpid());
  if (const auto job = this_slurm_job()) {
    text += ", Slurm job " + job->id + (job->step.empty() ? "" : "." + job->step);
    if (job->restart > 0) text += " (restart " + std::to_string(job->restart) + ")";
  }
  const char* devices = std::getenv("CUDA_VISIBLE_DEVICES");
  return devices == nullptr ? text : text + ", visible devices " + printable(devices);
}

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos)
      return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return "unknown";
}

}  // namespace hiple
