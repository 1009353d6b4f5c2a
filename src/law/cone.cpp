#include "law/cone.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/threads.hpp"
#include "law/columnar_activation.hpp"
#include "law/inputs.hpp"
#include "law/model.hpp"
#include "table/select.hpp"

namespace hiple::law {

namespace {

using Json = nlohmann::json;
using columnar::Plane;

/// What decisions depend on of every rule of a law, by id; null where it is not in force.
std::map<std::string, Json> rules_of(const Law& law, const Json& text) {
  std::map<std::string, Json> rules;
  for (const Json& entry : text.value("rules", Json::array())) {
    Json said = entry;
    for (const char* key : {"title", "because", "evidence", "precision", "tests", "status", "valid"}) said.erase(key);
    rules[entry.at("id")] = std::move(said);
  }
  for (const Rule& rule : law.model().rules)
    if (!rule.fallback && !rule.in_force) rules[rule.id] = nullptr;
  return rules;
}

std::vector<std::size_t> in_force(const Law& law, const std::vector<std::string>& ids) {
  std::vector<std::size_t> numbers;
  const auto& rules = law.model().rules;
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].in_force && std::binary_search(ids.begin(), ids.end(), rules[i].id)) numbers.push_back(i);
  return numbers;
}

bool reads_finding(const condition::Node& node) {
  const auto any = [](const std::vector<condition::Node>& list) { return std::any_of(list.begin(), list.end(), reads_finding); };
  return node.op == condition::Op::finding || any(node.operands) || std::any_of(node.groups.begin(), node.groups.end(), any);
}

bool some_reads_finding(const Law& law, const std::vector<std::size_t>& rules) {
  return std::any_of(rules.begin(), rules.end(),
                     [&](std::size_t rule) { return reads_finding(law.model().rules[rule].when.root()); });
}

/// A circuit that gives one plane: where some of the rules is not known to be FALSE.
columnar::Compiled compile(const Law::Model& law, const std::vector<std::size_t>& rules) {
  columnar::Compiled compiled;
  columnar::Circuit& circuit = compiled.circuit;
  compiled.may_be_inactive = !law.home.empty();
  const columnar::Logic logic(circuit, compiled.may_be_inactive);
  columnar::Conditions conditions(law, logic);
  for (const RouteEntry& entry : law.home)
    compiled.home.push_back(entry.when ? conditions.read(entry.when->root(), false).yes : columnar::everywhere);
  Plane open = columnar::nowhere;
  for (const std::size_t rule : rules)
    for (const bool careful : {false, true})
      open = circuit.either(open, circuit.complement(conditions.read(law.rules[rule].when.root(), careful).no));
  compiled.waiting.assign(law.engines.size(), columnar::nowhere);
  compiled.questions.resize(1);
  compiled.questions[0].first = {open};
  return compiled;
}

/// Of one version of the law: reads that plane off a tile of cases.
class Probe {
 public:
  Probe(const Law::Model& law, const std::vector<std::size_t>& rules, const Table& table,
        const std::vector<EngineJudgments>& engines)
      : law_(reading_only(law, rules)), program_(compile(law_, rules)), inputs_(law_, table, read_by(law, rules, engines)) {}

  class Reader {
   public:
    explicit Reader(const Probe& probe)
        : probe_(probe), run_(probe.program_, probe.inputs_), activation_(probe.law_, probe.program_, run_) {}

    /// Sets the bits of the cases that are open.
    void add(std::size_t first, std::size_t count, columnar::Words& open) {
      run_.read(first, count);
      activation_.start(count);
      run_.run(probe_.program_.answers);
      const std::uint64_t* found = run_.plane(probe_.program_.compiled.questions[0].first[0]);
      for (std::size_t word = 0; word < columnar::tile_words; ++word) open[word] |= found[word];
    }

   private:
    const Probe& probe_;
    columnar::ProgramRun run_;
    columnar::Activation activation_;
  };

 private:
  /// Columns and judgments that these rules and the route do not read are not looked at: a probe costs what it reads.
  static Law::Model reading_only(const Law::Model& law, const std::vector<std::size_t>& rules) {
    std::set<std::string> names;
    for (const std::size_t rule : rules) names.merge(law.rules[rule].when.columns());
    for (const RouteEntry& entry : law.home)
      if (entry.when) names.merge(entry.when->columns());
    Law::Model probed = law;
    for (std::size_t i = 0; i < probed.columns.size(); ++i)
      probed.column_is_read[i] = probed.column_is_read[i] && names.contains(probed.columns[i]);
    return probed;
  }
  static std::vector<EngineJudgments> read_by(const Law::Model& law, const std::vector<std::size_t>& rules,
                                              const std::vector<EngineJudgments>& engines) {
    std::set<std::string> names;
    for (const std::size_t rule : rules) names.merge(law.rules[rule].when.engines());
    std::vector<EngineJudgments> read;
    std::copy_if(engines.begin(), engines.end(), std::back_inserter(read),
                 [&](const EngineJudgments& engine) { return names.contains(engine.name); });
    return read;
  }

  const Law::Model law_;
  const columnar::Program program_;
  const Inputs inputs_;
};

}  // namespace

RuleChanges changes_between(const Law& before, const Law& after) {
  Json old_text = Json::parse(before.canonical()), new_text = Json::parse(after.canonical());
  const auto old_rules = rules_of(before, old_text), new_rules = rules_of(after, new_text);
  RuleChanges changes;
  std::set<std::string> ids;
  for (const auto* rules : {&old_rules, &new_rules})
    for (const auto& [id, said] : *rules) ids.insert(id);
  const auto said = [](const std::map<std::string, Json>& rules, const std::string& id) {
    const auto found = rules.find(id);
    return found == rules.end() ? Json() : found->second;
  };
  for (const std::string& id : ids)
    if (said(old_rules, id) != said(new_rules, id)) changes.ids.push_back(id);
  changes.before = in_force(before, changes.ids);
  changes.after = in_force(after, changes.ids);
  for (Json* text : {&old_text, &new_text})
    for (const char* key : {"rules", "precision", "name"}) text->erase(key);
  changes.elsewhere = old_text != new_text || before.closed_by() != after.closed_by() ||
                      before.model().as_of != after.model().as_of || before.model().home.size() != after.model().home.size() ||
                      before.model().max_rounds != after.model().max_rounds;
  return changes;
}

std::vector<std::uint32_t> cone_of(const Law& before, const Law& after, const Table& table,
                                   const std::vector<EngineJudgments>& engines, int threads) {
  const RuleChanges changes = changes_between(before, after);
  if (changes.elsewhere || some_reads_finding(before, changes.before) || some_reads_finding(after, changes.after))
    return all_rows(table);
  if (changes.before.empty() && changes.after.empty()) return {};
  const Probe old_probe(before.model(), changes.before, table, engines), new_probe(after.model(), changes.after, table, engines);
  const std::size_t tiles = (table.rows() + columnar::tile_cases - 1) / columnar::tile_cases;
  std::vector<std::vector<std::uint32_t>> found(tiles);
  std::atomic<std::size_t> next = 0;
  on_threads(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), tiles)), [&](int) {
    Probe::Reader old_reader(old_probe), new_reader(new_probe);
    for (std::size_t tile = next.fetch_add(1); tile < tiles; tile = next.fetch_add(1)) {
      const std::size_t first = tile * columnar::tile_cases, count = std::min(columnar::tile_cases, table.rows() - first);
      columnar::Words open{};
      old_reader.add(first, count, open);
      new_reader.add(first, count, open);
      for (std::size_t word = 0; 64 * word < count; ++word)
        for (std::uint64_t bits = open[word]; bits != 0; bits &= bits - 1) {
          const std::size_t place = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
          if (place < count) found[tile].push_back(static_cast<std::uint32_t>(first + place));
        }
    }
  });
  std::vector<std::uint32_t> rows;
  for (const auto& some : found) rows.insert(rows.end(), some.begin(), some.end());
  return rows;
}

}  // namespace hiple::law
