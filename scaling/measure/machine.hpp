#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace hiple::scaling {

/// Processors that this process may use.
std::set<int> usable_cores();

/// "0-3,6": how taskset and numactl write it.
std::string core_list(const std::set<int>& cores);

/// Open MPI's settings in the environment, by name: they choose algorithms and transports.
nlohmann::ordered_json open_mpi_settings();

}  // namespace hiple::scaling
