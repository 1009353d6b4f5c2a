#pragma once

#include <string>

#include "gate/gate_report.hpp"

namespace hiple::report {

/// Everything that `hiple gates` has to say, for people.
std::string gates_text(const gate::GateReport& report);

}  // namespace hiple::report
