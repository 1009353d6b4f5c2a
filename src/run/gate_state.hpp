#pragma once

#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "gate/gates_config.hpp"
#include "law/law.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// Whether an earlier report lets a run's partition be trusted.
struct GateState {
  std::string report;                ///< its sha256
  bool closed = true;                ///< every engine is asked, and what the law abstains from goes to a person
  std::vector<std::string> reasons;  ///< why it is closed: "cbr: NOT_EVALUABLE", "the report is of another law"
};

/// SHA-256 over what the results of all engines depend on: names, columns, models, seed and split. A report speaks for engines
/// that are made in the same way only.
std::string partition_sha256(const RunConfig& config);

/// Reads the report that run.yaml names. Open is a partition whose every gate passed, of the same engines, law and gates. Throws
/// InputError: it cannot be read, or was changed after it was written.
GateState read_gate_state(const RunConfig& config, const law::Law& law, const gate::GatesConfig& gates);

/// The name of one start of one run directory; empty where it holds no run.
std::string run_name_sha256(const RunDirectory& directory);

/// Throws InputError where the report that run.yaml names is of the very run that the directory holds, or was written after it
/// began: a run's outcome neither opens nor closes its own gate.
void refuse_own_report(const RunDirectory& directory, const RunConfig& config);

}  // namespace hiple
