#include "scaling/measure/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <iterator>

// Of the C library; POSIX leaves its declaration to the program.
extern char** environ;

namespace hiple::scaling {

nlohmann::ordered_json open_mpi_settings() {
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (!text.starts_with("OMPI_MCA_") || equals == std::string::npos) continue;
    const std::string name = text.substr(9, equals - 9);
    // What mpirun tells its own processes of this launch is no setting.
    if (name.starts_with("orte_") || name.starts_with("ess") || name.starts_with("pmix") || name.starts_with("initial_"))
      continue;
    settings[name] = text.substr(equals + 1);
  }
  return settings;
}

std::set<int> usable_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::set<int> cores;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(static_cast<unsigned>(core), &mask)) cores.insert(core);
  return cores;
}

std::string core_list(const std::set<int>& cores) {
  std::string text;
  for (auto first = cores.begin(); first != cores.end();) {
    auto last = first;
    while (std::next(last) != cores.end() && *std::next(last) == *last + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(*first) + (last == first ? "" : "-" + std::to_string(*last));
    first = std::next(last);
  }
  return text;
}

}  // namespace hiple::scaling
