#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "gate/gates_config.hpp"
#include "law/law.hpp"
#include "run/gate_state.hpp"
#include "run/study_evidence.hpp"
#include "table/schema.hpp"

namespace hiple {

/// A run whose every file but the table was read and checked.
struct PreparedRun {
  RunConfig config;  ///< with absolute paths
  Schema schema;
  std::vector<law::EngineDescription> engines;  ///< in the order of the configuration
  law::Law law;
  std::optional<gate::GatesConfig> gates;
  std::optional<GateState> gate_state;  ///< where run.yaml names an earlier report; where that closes the partition, so is `law`
  std::shared_ptr<const StudyEvidence> evidence = {};  ///< where run.yaml names it, and then `law` heeds it; or null

  /// The configuration of an engine. Throws InputError with the nearest name where there is none.
  [[nodiscard]] const EngineConfig& engine(const std::string& name) const;
};

/// Reads run.yaml and all that it names, except the table, of which only the header is looked at. Throws InputError with
/// every problem of the first file that has any.
PreparedRun prepare(const std::filesystem::path& run_file);

/// The same for a configuration that was read already, with its table elsewhere.
PreparedRun prepare(RunConfig config);

/// The same without the evidence that run.yaml names, which need not be there: for what neither reads nor needs it. The law heeds
/// none then.
PreparedRun prepare_without_evidence(RunConfig config);

/// Which records a run sees.
evidence::Filter evidence_filter(const RunConfig& config);

/// What the law is told of the engines; their targets must be columns of the schema.
std::vector<law::EngineDescription> describe_engines(const RunConfig& config, const Schema& schema);

/// The classes that an engine with this target can say: a category's values, or false and true; none for a number.
std::vector<std::string> classes_of(const ColumnSchema& target);

}  // namespace hiple
