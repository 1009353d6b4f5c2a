#include "run/picture_cases.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "audit/settle.hpp"
#include "base/philox.hpp"
#include "law/derivation.hpp"
#include "law/evaluate.hpp"
#include "run/graph_file.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

using condition::Truth;

enum class Kind : std::uint8_t { critical, abstained, escalated, decided };
constexpr std::size_t kinds = 4;
constexpr std::array<const char*, kinds> kind_names = {"critical", "abstained", "escalated", "decided"};

/// So many of some rows, each set as likely as any other; ascending.
std::vector<std::uint32_t> drawn(std::vector<std::uint32_t> rows, std::size_t count, std::uint64_t seed, std::uint32_t use) {
  if (count >= rows.size()) return rows;
  PhiloxStream stream(Philox(seed, "report"), 0, 0, use);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(rows[i], rows[i + stream.next_below(static_cast<std::uint32_t>(rows.size() - i))]);
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Kind kind_of(const law::Decisions& decisions, std::size_t row) {
  Kind kind = Kind::decided;
  for (std::size_t q = 0; q < decisions.questions.size(); ++q) {
    const law::Decision& decision = decisions.at(row, q);
    Kind own = Kind::decided;
    if ((decision.flags & law::flag::critical) != 0)
      own = Kind::critical;
    else if (decision.status == law::Status::abstain)
      own = Kind::abstained;
    else if (decision.status == law::Status::escalate)
      own = Kind::escalated;
    kind = std::min(kind, own);
  }
  return kind;
}

std::string status_of(const law::Rule& rule) {
  static const char* const names[] = {"proposed", "verified", "accepted", "suspended", "retired"};
  if (rule.fallback) return "default";
  return std::string(names[static_cast<std::size_t>(rule.status)]) + (rule.in_force ? "" : ", not in force");
}

std::vector<report::RuleUse> unused(const law::Law::Model& law) {
  std::vector<report::RuleUse> uses;
  for (const law::Rule& rule : law.rules) {
    report::RuleUse& use = uses.emplace_back();
    use.id = rule.id;
    use.title = rule.title;
    use.kind = rule.fallback ? "default" : "rule";
    use.concerns = law.findings[rule.finding].name;
    use.status = status_of(rule);
    use.version = rule.version;
  }
  for (const law::LawEntry& entry : law.laws) {
    static const char* const names[] = {"law: forbids", "law: requires", "law: escalates"};
    report::RuleUse& use = uses.emplace_back();
    use.id = entry.id;
    use.title = entry.title;
    use.kind = names[static_cast<std::size_t>(entry.kind)];
    use.concerns = entry.kind == law::LawKind::escalate ? law.questions[entry.target].name : law.findings[entry.target].name;
    use.status = "in force";
    use.version = entry.version;
  }
  return uses;
}

void add(report::RuleUse& use, Truth when, Truth stand) {
  if (when == Truth::yes) ++use.fired;
  if (stand == Truth::yes) ++use.stood;
  if (when == Truth::unknown) ++use.unknown;
}

void count_case(const law::Law::Model& law, const law::CaseResult& result, report::LawUse& to,
                std::map<std::string, std::uint64_t>& targets) {
  const auto& rules = result.panels[law.root].rules;
  for (std::size_t i = 0; i < law.rules.size(); ++i)
    if (rules[i].in_scope) add(to.rules[i], rules[i].when.value, rules[i].stand.value);
  for (std::size_t i = 0; i < law.laws.size(); ++i)
    add(to.rules[law.rules.size() + i], result.laws[i].value, result.laws[i].value);  // nothing overrides a law
  for (const law::Answer& answer : result.answers(law))
    if (answer.status == law::Status::escalate)
      for (const std::string& target : answer.to) ++targets[target];
}

/// How many of each kind are shown.
std::array<std::size_t, kinds> shares(const std::array<std::vector<std::uint32_t>, kinds>& rows, std::size_t most) {
  std::array<std::size_t, kinds> counts{};
  std::size_t left = most;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    counts[kind] = std::min({rows[kind].size(), (most + kinds - 1) / kinds, left});
    left -= counts[kind];
  }
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::size_t more = std::min(rows[kind].size() - counts[kind], left);
    counts[kind] += more;
    left -= more;
  }
  return counts;
}

/// A graph of so much text takes `dot` minutes, and nobody reads it.
constexpr std::size_t largest_graph = 100'000;

void draw(report::ShownCases& shown, const std::vector<std::string>& graphs) {
  std::vector<std::string> small;
  for (const std::string& graph : graphs)
    if (graph.size() <= largest_graph) small.push_back(graph);
  if (small.empty()) return;
  try {
    const auto drawings = draw_graphs(small);
    std::size_t next = 0;
    for (std::size_t i = 0; i < graphs.size(); ++i)
      if (graphs[i].size() <= largest_graph) shown.cases[i].graph = drawings[next++];
  } catch (const Error& error) {
    shown.no_graphs = error.what();
  }
}

}  // namespace

report::LawUse count_law_use(const PreparedRun& run, const law::Law& law, const StoredRun& stored) {
  constexpr std::size_t most = 100'000;
  constexpr std::uint32_t use = kinds;  // a number that no kind of case has
  const law::Law::Model& model = law.model();
  const auto engines = stored.engines();
  const law::Inputs inputs(model, stored.table, engines);
  law::Evaluator evaluator(model, inputs);
  std::vector<std::uint32_t> rows(stored.table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  rows = drawn(std::move(rows), most, run.config.seed, use);
  report::LawUse result{rows.size(), stored.table.rows(), unused(model), {}};
  std::map<std::string, std::uint64_t> targets;
  for (const std::uint32_t row : rows) count_case(model, evaluator.run(row), result, targets);
  result.targets.assign(targets.begin(), targets.end());
  std::stable_sort(result.targets.begin(), result.targets.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

report::ShownCases show_cases(const PreparedRun& run, const law::Law& law, const StoredRun& stored, std::size_t most) {
  std::array<std::vector<std::uint32_t>, kinds> rows;
  for (std::size_t row = 0; row < stored.decisions.cases(); ++row)
    rows[static_cast<std::size_t>(kind_of(stored.decisions, row))].push_back(static_cast<std::uint32_t>(row));
  const auto counts = shares(rows, most);
  const auto engines = stored.engines();
  report::ShownCases shown;
  std::vector<std::string> graphs;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    shown.kinds.push_back({kind_names[kind], counts[kind], rows[kind].size()});
    const auto chosen = drawn(std::move(rows[kind]), counts[kind], run.config.seed, static_cast<std::uint32_t>(kind));
    const Table table = take_rows(stored.table, chosen);
    for (const std::uint64_t id : table.case_id) {
      const law::Derivation derivation(law.model(), table, engines, id);
      const auto settlements = audit::settle(derivation.subject());
      shown.cases.push_back({id, kind_names[kind], derivation.json(settlements), {}});
      graphs.push_back(derivation.graph(settlements));
    }
  }
  draw(shown, graphs);
  return shown;
}

}  // namespace hiple
