#include "run/prepare.hpp"

#include "base/text.hpp"
#include "run/check_columns.hpp"
#include "run/check_files.hpp"
#include "run/command_files.hpp"
#include "table/table.hpp"

namespace hiple {

namespace {

std::optional<gate::GatesConfig> read_gates(const RunConfig& config, const Schema& schema, const law::Law& law) {
  if (config.gates.empty()) return std::nullopt;
  gate::GatesContext context{law.questions(), law.findings(), {}};
  for (const EngineConfig& engine : config.engines) context.engines.push_back(engine.name);
  auto gates = gate::load_gates(config.gates);
  gate::check_gates(gates, schema, context);
  return gates;
}

std::shared_ptr<const StudyEvidence> read_evidence(const RunConfig& config, const Schema& schema, const law::Law& law) {
  const auto& file = config.evidence.file;
  if (file.empty()) return nullptr;
  auto evidence =
      std::make_shared<StudyEvidence>(study_evidence(file, evidence::read_store(file), evidence_filter(config), schema, law));
  evidence->standings.problems().throw_if_any();
  return evidence;
}

}  // namespace

const EngineConfig& PreparedRun::engine(const std::string& name) const {
  std::vector<std::string> names;
  for (const EngineConfig& candidate : config.engines) {
    if (candidate.name == name) return candidate;
    names.push_back(candidate.name);
  }
  throw InputError(Place{config.file.string()}, "no engine " + name, {}, suggestion(name, names));
}

PreparedRun prepare(const std::filesystem::path& run_file) { return prepare(load_run_config(run_file)); }

PreparedRun prepare(RunConfig config) {
  Problems problems;
  check_files(config, problems);
  look_up_commands(config, problems);
  problems.throw_if_any();
  Schema schema = load_schema(config.data.schema);
  check_columns(config, schema, problems);
  problems.throw_if_any();
  check_table_header(config.data.table, schema);
  auto engines = describe_engines(config, schema);
  auto law = law::Law::load(config.law, schema, engines, config.as_of);
  auto evidence = read_evidence(config, schema, law);
  if (evidence) law = law.heeding(evidence->store.head(), config.evidence.place);
  auto gates = read_gates(config, schema, law);
  std::optional<GateState> state;
  if (!config.gate_report.empty()) {
    state = read_gate_state(config, law, *gates);
    if (state->closed) law = law.closed(state->report);
  }
  return PreparedRun{std::move(config), std::move(schema), std::move(engines), std::move(law),
                     std::move(gates),  std::move(state),  std::move(evidence)};
}

PreparedRun prepare_without_evidence(RunConfig config) {
  const EvidenceConfig evidence = config.evidence;
  config.evidence.file.clear();
  PreparedRun run = prepare(std::move(config));
  run.config.evidence = evidence;
  return run;
}

evidence::Filter evidence_filter(const RunConfig& config) { return {config.as_of, config.evidence.least_reliability}; }

std::vector<law::EngineDescription> describe_engines(const RunConfig& config, const Schema& schema) {
  std::vector<law::EngineDescription> engines;
  for (const EngineConfig& engine : config.engines) {
    const auto target = schema.find(engine.target);
    engines.push_back({engine.name, classes_of(schema.columns.at(*target))});
  }
  return engines;
}

std::vector<std::string> classes_of(const ColumnSchema& target) {
  if (target.type == ColumnType::category) return target.values;
  if (target.type == ColumnType::boolean) return {"false", "true"};
  return {};
}

}  // namespace hiple
