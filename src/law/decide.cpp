#include <algorithm>
#include <future>

#include "law/evaluate.hpp"
#include "law/law.hpp"

namespace hiple::law {

namespace {

Decision to_decision(const Law::Model& law, const CaseResult& result, const Answer& answer) {
  Decision decision;
  decision.status = answer.status;
  decision.reason = answer.reason;
  if (answer.status == Status::decide) {
    const Question& question = law.questions[answer.question];
    decision.finding = static_cast<std::uint16_t>(answer.finding - question.first_finding);
  }
  if (!answer.cited.empty()) decision.rule = static_cast<std::uint16_t>(answer.cited.front());
  const auto raise = [&](bool condition, std::uint8_t bit) {
    if (condition) decision.flags = static_cast<std::uint8_t>(decision.flags | bit);
  };
  raise(answer.firm && !result.capped, flag::firm);  // a capped number of rounds voids it
  raise(answer.critical, flag::critical);
  raise(answer.status == Status::escalate, flag::escalated);
  raise(result.broadened, flag::broadened);
  raise(result.capped, flag::capped);
  return decision;
}

void decide_range(const Law::Model& law, const Inputs& inputs, std::size_t begin, std::size_t end, Decisions& decisions) {
  Evaluator evaluator(law, inputs);
  const std::size_t questions = law.questions.size(), words = decisions.words();
  for (std::size_t row = begin; row < end; ++row) {
    const CaseResult& result = evaluator.run(row);
    const std::vector<Answer>& answers = result.answers(law);
    for (std::size_t i = 0; i < questions; ++i) decisions.decisions[row * questions + i] = to_decision(law, result, answers[i]);
    decisions.rounds[row] = static_cast<std::uint8_t>(result.rounds);
    for (std::size_t engine = 0; engine < result.active.size(); ++engine)
      if (result.active[engine]) decisions.consulted[row * words + engine / 64] |= std::uint64_t{1} << (engine % 64);
  }
}

/// Every thread has cases of its own and writes to their places alone.
void decide_all(const Law::Model& law, const Inputs& inputs, int threads, Decisions& decisions) {
  const std::size_t cases = inputs.cases();
  const std::size_t parts =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), 1, std::max<std::size_t>(cases, 1));
  std::vector<std::future<void>> running;
  for (std::size_t i = 1; i < parts; ++i)
    running.push_back(std::async(std::launch::async,
                                 [&, i] { decide_range(law, inputs, cases * i / parts, cases * (i + 1) / parts, decisions); }));
  decide_range(law, inputs, 0, cases / parts, decisions);
  for (std::future<void>& part : running) part.get();
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
  decisions.inputs_sha256 = slice_sha256(table, law.columns(), all_rows(table));
  decide_all(model, inputs, options.threads, decisions);
  decisions.root = root_hash(decisions);
  return decisions;
}

}  // namespace hiple::law
