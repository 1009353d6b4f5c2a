#include <algorithm>

#include "law/decide_leaves.hpp"
#include "law/law.hpp"
#include "table/slice.hpp"

namespace hiple::law {

namespace {

EngineRecord record_of(const std::string& name, const std::vector<EngineJudgments>& engines) {
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const EngineJudgments& e) { return e.name == name; });
  if (found == engines.end()) return {name, false, "it was not given", {}};
  const bool available = found->judgments != nullptr;
  return {name, available, available ? std::string() : found->reason, available ? found->sha256 : std::string()};
}

}  // namespace

Decisions names_of(const Law& law, const std::vector<EngineJudgments>& engines) {
  const Law::Model& model = law.model();
  Decisions decisions;
  decisions.questions = model.question_names;
  decisions.findings = model.finding_names;
  decisions.rules = model.records;
  for (const EngineDescription& engine : model.engines) decisions.engines.push_back(record_of(engine.name, engines));
  decisions.law_text = model.canonical;
  decisions.evidence = model.evidence;
  decisions.closed_by = model.closed_by;
  return decisions;
}

Decisions decide(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines, const DecideOptions& options) {
  const Law::Model& model = law.model();
  const Inputs inputs(model, table, engines);
  Decisions decisions = names_of(law, engines);
  decisions.case_id = table.case_id;
  decisions.decisions.resize(table.rows() * model.questions.size());
  decisions.rounds.resize(table.rows());
  decisions.consulted.resize(table.rows() * decisions.words());
  decisions.inputs_sha256 =
      options.inputs_sha256.empty() ? slice_sha256(table, law.columns(), options.threads) : options.inputs_sha256;
  decisions.root = root_of(decide_leaves(ColumnarLaw(model), inputs, options.threads, decisions));
  return decisions;
}

}  // namespace hiple::law
