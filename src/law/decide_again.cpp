#include "law/decide_again.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "judgment/take_cases.hpp"
#include "law/columnar.hpp"
#include "law/decide_leaves.hpp"
#include "law/model.hpp"
#include "table/slice.hpp"
#include "table/take_rows.hpp"

namespace hiple::law {

namespace {

/// Runs `work(i)` for i from 0 to `count`, each by one of the threads, which make a worker each.
template <class MakeWorker>
void share(int threads, std::size_t count, MakeWorker make_worker) {
  std::atomic<std::size_t> next = 0;
  on_threads(
      static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1))),
      [&](int) {
        auto work = make_worker();
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
      });
}

/// Decisions name rules by their place among those in force, which another version can have changed.
std::vector<std::uint32_t> places_of(const std::vector<RuleRecord>& before, const std::vector<RuleRecord>& now) {
  std::vector<std::uint32_t> places(before.size(), no_rule_index);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto found = std::find_if(now.begin(), now.end(), [&](const RuleRecord& record) { return record.id == before[i].id; });
    if (found != now.end()) places[i] = static_cast<std::uint32_t>(found - now.begin());
  }
  return places;
}

void rename_rules(const std::vector<RuleRecord>& before, Decisions& decisions, std::span<const std::uint32_t> rows) {
  const auto places = places_of(before, decisions.rules);
  bool same = before.size() == decisions.rules.size();
  for (std::size_t i = 0; i < places.size(); ++i) same = same && places[i] == i;
  if (same) return;
  const std::size_t width = decisions.questions.size();
  // What the cone will be given is cleared first: nothing else may cite a rule that is gone.
  for (const std::uint32_t row : rows)
    for (std::size_t q = 0; q < width; ++q) decisions.decisions[row * width + q] = Decision();
  for (Decision& decision : decisions.decisions) {
    if (decision.rule == no_rule_index) continue;
    decision.rule = places.at(decision.rule);
    if (decision.rule == no_rule_index) throw Error("decisions outside of what is derived again rest on a rule that is gone");
  }
}

void check_same_world(const Decisions& before, const Decisions& now, const Table& table) {
  const auto names = [](const Decisions& decisions) {
    std::vector<std::string> all;
    for (const EngineRecord& engine : decisions.engines) all.push_back(engine.name + " " + engine.judgments_sha256);
    return all;
  };
  if (before.questions != now.questions || before.findings != now.findings || names(before) != names(now) ||
      before.case_id != table.case_id || before.closed_by != now.closed_by)
    throw Error("decisions are derived again from other cases, engines or questions");
}

/// Evaluates the cases of the cone, gathered, and puts the answers where they belong.
void evaluate(const Law& law, std::span<const std::uint32_t> rows, const Table& table,
              const std::vector<EngineJudgments>& engines, int threads, Decisions& decisions) {
  const Table some = take_rows(table, rows, law.columns());
  std::vector<Judgments> taken;
  taken.reserve(engines.size());
  std::vector<EngineJudgments> words = engines;
  for (EngineJudgments& engine : words) {
    if (engine.judgments == nullptr) continue;
    taken.push_back(take_cases(*engine.judgments, some.case_id, rows));
    engine.judgments = &taken.back();
  }
  const Inputs inputs(law.model(), some, words);
  const ColumnarLaw columnar(law.model());
  const std::size_t width = decisions.questions.size(), engine_words = decisions.words();
  constexpr std::size_t most = ColumnarEvaluator::most_cases;
  share(threads, (rows.size() + most - 1) / most, [&] {
    return [&, evaluator = std::make_unique<ColumnarEvaluator>(columnar, inputs), answers = std::vector<Decision>(most * width),
            rounds = std::vector<std::uint8_t>(most), consulted = std::vector<std::uint64_t>()](std::size_t tile) mutable {
      const std::size_t first = tile * most, count = std::min(most, rows.size() - first);
      consulted.assign(most * engine_words, 0);
      evaluator->decide(first, count, {answers.data(), rounds.data(), consulted.data()});
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = rows[first + i];
        std::copy_n(answers.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    decisions.decisions.begin() + static_cast<std::ptrdiff_t>(row * width));
        decisions.rounds[row] = rounds[i];
        std::copy_n(consulted.begin() + static_cast<std::ptrdiff_t>(i * engine_words), engine_words,
                    decisions.consulted.begin() + static_cast<std::ptrdiff_t>(row * engine_words));
      }
    };
  });
}

}  // namespace

Decisions decide_again(const Law& law, Decisions before, Leaves& leaves, std::span<const std::uint32_t> rows, const Table& table,
                       const std::vector<EngineJudgments>& engines, const DecideOptions& options) {
  Decisions decisions = names_of(law, engines);
  check_same_world(before, decisions, table);
  if (root_of(leaves.digests()) != before.root) throw Error("leaves are not those of the decisions");
  decisions.case_id = std::move(before.case_id);
  decisions.decisions = std::move(before.decisions);
  decisions.rounds = std::move(before.rounds);
  decisions.consulted = std::move(before.consulted);
  rename_rules(before.rules, decisions, rows);
  if (!rows.empty()) evaluate(law, rows, table, engines, options.threads, decisions);
  decisions.inputs_sha256 =
      options.inputs_sha256.empty() ? slice_sha256(table, law.columns(), options.threads) : options.inputs_sha256;
  leaves.update(decisions, rows, options.threads);
  decisions.root = root_of(leaves.digests());
  return decisions;
}

}  // namespace hiple::law
