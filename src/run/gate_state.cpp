#include "run/gate_state.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "gate/gate_report.hpp"
#include "run/settled.hpp"

namespace hiple {

std::string partition_sha256(const RunConfig& config) {
  std::vector<std::string> engines;
  engines.reserve(config.engines.size());
  for (const EngineConfig& engine : config.engines) engines.push_back(engine_identity(config, engine));
  std::sort(engines.begin(), engines.end());
  Sha256 hash;
  for (const std::string& engine : engines) hash.update_text(engine);
  return hash.digest();
}

GateState read_gate_state(const RunConfig& config, const law::Law& law, const gate::GatesConfig& gates) {
  const gate::StoredReport report = gate::read_report(config.gate_report);
  GateState state{report.sha256, false, {}};
  if (report.provenance.law != law.sha256()) state.reasons.emplace_back("the report is of another law");
  if (report.provenance.gates != sha256(gates.canonical())) state.reasons.emplace_back("the report is of other gates");
  if (report.provenance.partition != partition_sha256(config)) state.reasons.emplace_back("the report is of other engines");
  state.reasons.insert(state.reasons.end(), report.open.begin(), report.open.end());
  if (!report.trusted && report.open.empty()) state.reasons.emplace_back("the report trusts nothing");
  state.closed = !state.reasons.empty();
  return state;
}

std::string run_name_sha256(const RunDirectory& directory) {
  const std::vector<Settled> settled = read_settled(directory.build());
  if (settled.empty()) return {};
  const auto path = std::filesystem::weakly_canonical(directory.root());
  return Sha256().update_text(path.string()).update_text(settled.front().time).digest();
}

void refuse_own_report(const RunDirectory& directory, const RunConfig& config) {
  if (config.gate_report.empty()) return;
  const std::vector<Settled> settled = read_settled(directory.build());
  if (settled.empty()) return;
  const gate::Provenance report = gate::read_report(config.gate_report).provenance;
  const bool own = report.run == run_name_sha256(directory);
  if (!own && report.written <= settled.front().time) return;
  throw InputError(
      config.gate_report_place, own ? "the report is of this very run" : "the report was written after this run began",
      "a run's outcome neither opens nor closes its own gate", "choose another --output, or start anew with --fresh");
}

}  // namespace hiple
