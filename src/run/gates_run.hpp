#pragma once

#include <filesystem>

#include "gate/gate_report.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

struct GatesRequest {
  std::filesystem::path truth;  ///< a table with the case ids and the columns of gates.yaml; empty: the run's table has them
  std::filesystem::path cases;  ///< a file to write the test cases to, one by one (cases_file.hpp); empty: none
  bool changed = false;         ///< show figures although law or gates were changed after the run began; nothing is trusted then
};

/// Measures a finished run: figures, verdicts and curves from its files. Throws InputError: the run has no gates, no decisions,
/// or files that changed since; gates are not those that were settled when it began, or the law is neither that
/// one nor a revision of it, unless `changed`; the truth is of
/// other cases, twice, or missing.
gate::GateReport report_gates(const PreparedRun& run, const RunDirectory& directory, const GatesRequest& request = {});

}  // namespace hiple
