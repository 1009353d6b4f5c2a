#include "run/trust.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "law/consult.hpp"
#include "law/model.hpp"
#include "run/check_columns.hpp"
#include "run/learned_rows.hpp"
#include "table/select.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

using law::Law;

/// The targets of the rows as an engine's judgments number their classes.
std::vector<std::uint16_t> targets(const Table& test, const std::string& column, const std::vector<std::string>& classes,
                                   const std::vector<std::uint32_t>& rows) {
  const ColumnSchema& schema = test.schema.columns.at(test.schema.find(column).value());
  const Column& values = test.column(column);
  std::vector<std::uint16_t> numbers;  // of each of the column's values
  for (const std::string& value : classes_of(schema)) {
    const auto found = std::find(classes.begin(), classes.end(), value);
    numbers.push_back(found == classes.end() ? no_label : static_cast<std::uint16_t>(found - classes.begin()));
  }
  std::vector<std::uint16_t> result;
  result.reserve(rows.size());
  for (const std::uint32_t row : rows)
    result.push_back(values.cells[row] == Cell::known ? numbers.at(static_cast<std::size_t>(values.number(row))) : no_label);
  return result;
}

std::vector<gate::EngineFigures> measure_engines(const PreparedRun& run, const Table& test,
                                                 const std::vector<law::EngineJudgments>& engines) {
  std::vector<gate::EngineFigures> figures;
  for (const EngineConfig& engine : run.config.engines) {
    const auto found = std::find_if(engines.begin(), engines.end(), [&](const auto& each) { return each.name == engine.name; });
    if (found == engines.end() || found->judgments == nullptr || found->judgments->classes.empty()) continue;
    const auto rows = select_rows(test, engine.cases, engine.cases_place, run.config.as_of);
    std::vector<std::uint64_t> ids;
    ids.reserve(rows.size());
    for (const std::uint32_t row : rows) ids.push_back(test.case_id[row]);
    figures.push_back(
        gate::measure_engine(*found->judgments, ids, targets(test, engine.target, found->judgments->classes, rows)));
  }
  return figures;
}

std::vector<gate::CostPoint> measure_cost(const gate::Measured& measured, const Law& law, const Table& test,
                                          const std::vector<std::uint32_t>& rows) {
  std::uint8_t most = 0;
  for (const std::uint8_t rounds : measured.decisions.rounds) most = std::max(most, rounds);
  std::vector<law::Decisions> rounds;  // 0 is home
  for (std::uint8_t round = 1; round < most; ++round) rounds.push_back(law::decide(law.capped(round), test, measured.engines));
  std::vector<std::pair<std::string, const law::Decisions*>> choices = {{"home", measured.home}};
  for (std::size_t i = 0; i < rounds.size(); ++i) choices.emplace_back("round " + std::to_string(i + 1), &rounds[i]);
  choices.emplace_back("links", measured.links);
  choices.emplace_back("as decided", &measured.decisions);
  choices.emplace_back("all", measured.flat);
  return gate::cost_curve(measured, choices, rows);
}

/// What a closed law has lost, its route, stands in its text.
Law open_law(const PreparedRun& run, const Law& law) {
  if (law.closed_by().empty()) return law.capped(law::most_rounds);  // as it is
  Law open = Law::parse(law.canonical(), "the law", run.schema, run.engines, run.config.as_of);
  return law.evidence().empty() ? std::move(open) : open.heeding(law.evidence(), run.config.evidence.place);
}

}  // namespace

OtherDecisions decide_otherwise(const PreparedRun& run, const Law& law, const Table& test,
                                const std::vector<law::EngineJudgments>& engines) {
  OtherDecisions others;
  // Engines that judge on demand were not asked about every case: then there is nothing to compare with.
  const Law everybody = law.activating(Law::Activation::all);
  if (law::count_unasked(everybody, test, engines) == 0) others.flat = law::decide(everybody, test, engines);
  const Law open = open_law(run, law);
  others.home = law::decide(open.activating(Law::Activation::home), test, engines);
  others.links = law::decide(open.activating(Law::Activation::links), test, engines);
  return others;
}

std::vector<std::uint32_t> test_rows(const PreparedRun& run, const Table& table) {
  auto division = divide(table, run.config.data.split, run.config.seed);
  withhold_learned(table, run.config, division);
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < division.size(); ++i)
    if (division[i] == Part::test) rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

Trust measure_trust(const PreparedRun& run, const Law& law, const Table& test, const law::Decisions& decisions,
                    const std::vector<law::EngineJudgments>& engines, const TrustSettings& settings) {
  const gate::Truth truth = gate::read_truth(*run.gates, decisions, test);
  const gate::LawFacts facts = gate::facts_of(law);
  const OtherDecisions others = decide_otherwise(run, law, test, engines);
  const auto rows = all_rows(test);
  const gate::Measured measured{decisions,    truth,         facts,
                                *run.gates,   engines,       others.flat ? &*others.flat : nullptr,
                                &others.home, &others.links, run.config.seed};
  Trust trust;
  trust.figures = gate::measure(measured, rows);
  trust.judged = gate::judge(trust.figures, run.gates->thresholds, run.gates->waivers);
  if (!settings.curves) return trust;
  trust.cost = measure_cost(measured, open_law(run, law), test, rows);
  trust.risk = gate::risk_curve(gate::scored_cases(measured, gate::scores_of(decisions, engines), rows));
  trust.engines = measure_engines(run, test, engines);
  return trust;
}

std::vector<std::string> trust_columns(const PreparedRun& run) {
  std::vector<std::string> names = run.gates->columns();
  const SplitConfig& split = run.config.data.split;
  for (const std::string& name : {split.column, split.stratified, split.group})
    if (!name.empty()) names.push_back(name);
  for (const EngineConfig& engine : run.config.engines) {
    names.push_back(engine.target);
    for (const std::string& name : columns_of_conditions(engine, run.schema)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace hiple
