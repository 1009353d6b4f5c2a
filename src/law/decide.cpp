#include <algorithm>
#include <future>

#include "law/columnar.hpp"
#include "law/law.hpp"
#include "law/root.hpp"

namespace hiple::law {

namespace {

static_assert(ColumnarEvaluator::most_cases == cases_a_leaf);

/// Blocks of cases are decided and hashed while they are in the cache. Every thread has blocks of its own and writes to their
/// places alone.
struct Blocks {
  const ColumnarLaw& law;
  const Inputs& inputs;
  Decisions& decisions;
  std::vector<Digest> leaves;

  void run(std::size_t begin, std::size_t end) {
    ColumnarEvaluator evaluator(law, inputs);
    LeafHasher hasher(decisions);
    const std::size_t cases = inputs.cases(), questions = decisions.questions.size(), words = decisions.words();
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i * cases_a_leaf, count = std::min(cases_a_leaf, cases - first);
      const DecisionRange to = {decisions.decisions.data() + first * questions, decisions.rounds.data() + first,
                                decisions.consulted.data() + first * words};
      evaluator.decide(first, count, to);
      leaves[i] = hasher.leaf(std::span(decisions.case_id).subspan(first, count), to.decisions, to.rounds, to.consulted);
    }
  }
};

void decide_all(const ColumnarLaw& law, const Inputs& inputs, int threads, Decisions& decisions) {
  const std::size_t count = (inputs.cases() + cases_a_leaf - 1) / cases_a_leaf;
  const std::size_t parts =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), 1, std::max<std::size_t>(count, 1));
  Blocks blocks{law, inputs, decisions, std::vector<Digest>(count)};
  std::vector<std::future<void>> running;
  for (std::size_t i = 1; i < parts; ++i)
    running.push_back(std::async(std::launch::async, [&, i] { blocks.run(count * i / parts, count * (i + 1) / parts); }));
  blocks.run(0, count / parts);
  for (std::future<void>& part : running) part.get();
  decisions.root = root_of(blocks.leaves);
}

EngineRecord record_of(const std::string& name, const std::vector<EngineJudgments>& engines) {
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const EngineJudgments& e) { return e.name == name; });
  if (found == engines.end()) return {name, false, "it was not given", {}};
  const bool available = found->judgments != nullptr;
  return {name, available, available ? std::string() : found->reason, available ? found->sha256 : std::string()};
}

}  // namespace

Decisions decide(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines, const DecideOptions& options) {
  const Law::Model& model = law.model();
  const Inputs inputs(model, table, engines);
  Decisions decisions;
  decisions.questions = model.question_names;
  decisions.findings = model.finding_names;
  decisions.rules = model.records;
  for (const EngineDescription& engine : model.engines) decisions.engines.push_back(record_of(engine.name, engines));
  decisions.case_id = table.case_id;
  decisions.decisions.resize(table.rows() * model.questions.size());
  decisions.rounds.resize(table.rows());
  decisions.consulted.resize(table.rows() * decisions.words());
  decisions.law_text = model.canonical;
  decisions.inputs_sha256 =
      options.inputs_sha256.empty() ? slice_sha256(table, law.columns(), all_rows(table)) : options.inputs_sha256;
  decide_all(ColumnarLaw(model), inputs, options.threads, decisions);
  return decisions;
}

}  // namespace hiple::law
