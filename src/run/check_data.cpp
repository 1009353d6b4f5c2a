#include "run/check_data.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/text.hpp"
#include "law/evaluate.hpp"
#include "report/text_table.hpp"
#include "run/collect.hpp"
#include "run/integrate.hpp"
#include "table/select.hpp"

namespace hiple {

using condition::Truth;

namespace {

std::vector<CriticalRule> count_critical(const law::Law::Model& law, const law::Inputs& inputs) {
  std::vector<CriticalRule> counts;
  std::vector<std::size_t> rules;
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    const law::Rule& rule = law.rules[i];
    const std::size_t critical = law.findings[rule.finding].critical;
    if (critical == law::no_number || !rule.in_force || rule.fallback) continue;
    rules.push_back(i);
    counts.push_back({rule.id, law.findings[rule.finding].name, law.critical[critical].to});
  }
  law::Evaluator evaluator(law, inputs);
  for (std::size_t row = 0; row < inputs.cases() && !rules.empty(); ++row) {
    const law::CaseResult& result = evaluator.run(row);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const law::Finding& finding = law.findings[law.rules[rules[i]].finding];
      const Truth when = result.panels[law.root].rules[rules[i]].when.value;
      const bool suspected = when == Truth::unknown && result.suspects[finding.critical].value == Truth::yes;
      if (when == Truth::yes) ++counts[i].fires;
      if (suspected) ++counts[i].suspected;
      const bool escalated = result.answers(law)[finding.question].status == law::Status::escalate;
      if (escalated && (when == Truth::yes || suspected)) ++counts[i].escalates;
    }
  }
  return counts;
}

std::string share(std::uint64_t count, std::uint64_t cases) {
  return cases == 0 ? "n/a"
                    : fmt::format("{} ({:.2f} %)", count, 100.0 * static_cast<double>(count) / static_cast<double>(cases));
}

}  // namespace

DataCheck check_data(const PreparedRun& run, const RunDirectory& directory) {
  RunTable whole(run, std::numeric_limits<std::size_t>::max());
  const Table& table = whole.whole();
  DataCheck check;
  check.cases = table.rows();
  check.invalid = table.text_of_invalid;
  for (const EngineConfig& engine : run.config.engines)
    check.engine_rows.emplace_back(engine.name, select_rows(table, engine.cases, engine.cases_place, run.config.as_of).size());
  Collector collector(run, directory, whole);
  collector.look();
  const auto arrivals = std::move(collector).take("it has not judged");
  for (const Arrival& arrival : arrivals)
    if (arrival.judgments) check.judged.push_back(arrival.engine);
  const auto engines = judgments_for_law(arrivals);
  check.critical = count_critical(run.law.model(), law::Inputs(run.law.model(), table, engines));
  return check;
}

std::string to_text(const DataCheck& check) {
  std::string text = fmt::format("data     {} cases; the engines' own:", check.cases);
  for (const auto& [engine, rows] : check.engine_rows) text += fmt::format(" {} {}", engine, rows);
  text += "\n";
  for (const std::string& cell : check.invalid) text += "         invalid: " + cell + "\n";
  if (check.critical.empty()) return text;
  text += "\nrules for critical findings, over all cases; judged: " +
          (check.judged.empty() ? "no engine yet, so that what they would say is unknown" : join(check.judged, ", ")) + "\n";
  std::vector<std::vector<std::string>> rows = {{"rule", "finding", "to", "TRUE", "UNKNOWN and suspected", "escalated"}};
  for (const CriticalRule& rule : check.critical)
    rows.push_back({rule.id, rule.finding, rule.to, share(rule.fires, check.cases), share(rule.suspected, check.cases),
                    share(rule.escalates, check.cases)});
  return text + report::text_table(rows, {0, 1, 2});
}

nlohmann::ordered_json to_record(const DataCheck& check) {
  nlohmann::ordered_json record = {{"cases", check.cases}, {"invalid", check.invalid}, {"judged", check.judged}};
  for (const auto& [engine, rows] : check.engine_rows) record["engine_rows"][engine] = rows;
  record["critical_rules"] = nlohmann::json::array();
  for (const CriticalRule& rule : check.critical)
    record["critical_rules"].push_back({{"id", rule.id},
                                        {"finding", rule.finding},
                                        {"to", rule.to},
                                        {"true", rule.fires},
                                        {"suspected", rule.suspected},
                                        {"escalated", rule.escalates}});
  return record;
}

}  // namespace hiple
