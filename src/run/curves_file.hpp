#pragma once

#include <filesystem>

#include "gate/gate_report.hpp"

namespace hiple {

/// Writes the curves of a report into a folder, which is made: curves.h5 (format "hiple curves", version 1) and the same as
/// cost.csv, risk.csv, reliability.csv, boundaries.csv and levels.csv. Each file appears whole or not at all.
void write_curves(const std::filesystem::path& folder, const gate::GateReport& report);

}  // namespace hiple
