#include "audit/law_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "audit/full_reading.hpp"
#include "audit/mutants.hpp"
#include "audit/suggest.hpp"
#include "base/text.hpp"

namespace hiple::audit {

using condition::Truth;
using law::Law;

namespace {

const std::pair<const char*, Expected> keys[] = {
    {"fires", Expected::fires}, {"silent", Expected::silent}, {"unknown", Expected::unknown}, {"defeated", Expected::defeated}};

Truth wanted_truth(Expected expected) {
  if (expected == Expected::silent) return Truth::no;
  return expected == Expected::unknown ? Truth::unknown : Truth::yes;
}

bool is_defeated(const law::RuleResult& rule) {
  return rule.in_scope && rule.when.value == Truth::yes && rule.stand.value == Truth::no;
}

/// Runs the examples of one law. The model is a copy of its own, which mutants are put into.
class Runner {
 public:
  Runner(const Law::Model& law, bool suggest)
      : law_(law),
        scopes_(law_),
        tested_(tested_of(law_)),
        examples_(examples_of(law_, tested_)),
        suggester_(law_, scopes_),
        suggest_(suggest) {
    for (const Example& example : examples_) readings_.emplace_back(law_, scopes_, example.given);
    for (const law::Rule& rule : law_.rules) reads_findings_ = reads_findings_ || reads_finding(rule.when.root());
  }

  LawTests run() {
    LawTests tests;
    tests.examples = examples_.size();
    for (std::size_t i = 0; i < examples_.size(); ++i) check(i, tests);
    for (std::size_t i = 0; i < tested_.size(); ++i) tests.shown.push_back(show(i));
    if (!tests.failures.empty()) return tests;
    for (std::size_t i = 0; i < tested_.size(); ++i) mutate(i, tests);
    return tests;
  }

 private:
  static bool reads_finding(const condition::Node& node) {
    return node.op == condition::Op::finding || std::any_of(node.operands.begin(), node.operands.end(), reads_finding);
  }

  void check(std::size_t index, LawTests& tests) const {
    const Example& example = examples_[index];
    const Tested& tested = tested_[example.tested];
    const FullReading& reading = readings_[index];
    const auto& root = tested.when->root();
    const Truth truth = reading.truth(root);
    std::string found;
    if (truth != wanted_truth(example.expected)) {
      found = "its condition is " + std::string(condition::name_of(truth));
      if (truth == Truth::unknown) found += ": " + join(reading.causes(root), ", ");
    } else if (example.expected == Expected::defeated && !is_defeated(reading.rule(tested.rule))) {
      found = law_.rules[tested.rule].in_force ? "its condition is TRUE, but no rule that overrides it stands"
                                               : "the rule is not in force, so nothing defeats it";
    }
    if (!found.empty()) tests.failures.push_back({tested.id, example.place, example.expected, found});
  }

  [[nodiscard]] Shown show(std::size_t index) const {
    const Tested& tested = tested_[index];
    const auto& root = tested.when->root();
    Shown shown;
    shown.id = tested.id;
    const std::vector<Path> atoms = atoms_of(root);
    shown.atoms = atoms.size();
    shown.can_be_unknown = suggester_.can_be_unknown(root);
    shown.can_be_defeated = tested.rule != law::no_number && !law_.rules[tested.rule].beaten_by.empty();
    std::vector<bool> matters(atoms.size());
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      const FullReading& reading = readings_[i];
      const Truth truth = reading.truth(root);
      (truth == Truth::yes ? shown.fired : truth == Truth::no ? shown.silent : shown.unknown) = true;
      if (tested.rule != law::no_number && is_defeated(reading.rule(tested.rule))) shown.defeated = true;
      if (examples_[i].tested != index) continue;
      ++shown.examples;
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        const Truth atom = reading.truth(at(root, atoms[k]));
        for (const bool value : {true, false})
          if (atom != condition::truth_of(value) && reading.truth(with_constant(root, atoms[k], value)) != truth)
            matters[k] = true;
      }
    }
    for (std::size_t k = 0; k < atoms.size(); ++k)
      if (!matters[k]) shown.idle_atoms.push_back(print(at(root, atoms[k])));
    return shown;
  }

  void mutate(std::size_t index, LawTests& tests) {
    const Tested& tested = tested_[index];
    for (Mutant& mutant : mutants_of(tested.when->root())) {
      MutantResult result{tested.id, mutant.change, false, {}};
      result.killed = notices(index, mutant.root);
      if (!result.killed && suggest_) result.suggestion = suggester_.against(tested.when->root(), mutant.root);
      tests.mutants.push_back(std::move(result));
    }
    if (tested.rule == law::no_number || !law_.rules[tested.rule].in_force) return;
    for (law::Rule& other : law_.rules) {
      const auto found = std::find(other.beaten_by.begin(), other.beaten_by.end(), tested.rule);
      if (other.fallback || found == other.beaten_by.end()) continue;
      const std::vector<std::size_t> kept = other.beaten_by;
      other.beaten_by.erase(found);
      MutantResult result{tested.id, "no longer overrides " + other.id, defeat_changes(), {}};
      other.beaten_by = kept;
      const auto number = static_cast<std::size_t>(&other - law_.rules.data());
      if (!result.killed && suggest_) result.suggestion = suggester_.defeated(number, tested.rule);
      tests.mutants.push_back(std::move(result));
    }
  }

  /// Whether an example fails where the condition is another: its own directly, others by what they rest on.
  bool notices(std::size_t index, const condition::Node& mutant) {
    for (std::size_t i = 0; i < examples_.size(); ++i)
      if (examples_[i].tested == index && readings_[i].truth(mutant) != wanted_truth(examples_[i].expected)) return true;
    const Tested& tested = tested_[index];
    if (tested.rule == law::no_number || !law_.rules[tested.rule].in_force) return false;
    law::Rule& rule = law_.rules[tested.rule];
    const condition::Condition kept = std::exchange(rule.when, condition::Condition::of(mutant));
    const bool changed = defeat_changes();
    rule.when = kept;
    return changed;
  }

  /// Reads again what depends on other rules: every `defeated`, and where conditions read findings, every example.
  bool defeat_changes() {
    for (const Example& example : examples_) {
      if (example.expected != Expected::defeated && !reads_findings_) continue;
      const FullReading reading(law_, scopes_, example.given);
      const Tested& tested = tested_[example.tested];
      if (reading.truth(tested.when->root()) != wanted_truth(example.expected)) return true;
      if (example.expected == Expected::defeated && !is_defeated(reading.rule(tested.rule))) return true;
    }
    return false;
  }

  Law::Model law_;
  law::Scopes scopes_;
  std::vector<Tested> tested_;
  std::vector<Example> examples_;
  std::deque<FullReading> readings_;  ///< of each example
  Suggester suggester_;
  bool suggest_;
  bool reads_findings_ = false;
};

}  // namespace

const char* name_of(Expected expected) {
  for (const auto& [name, value] : keys)
    if (value == expected) return name;
  return "";
}

std::vector<Tested> tested_of(const Law::Model& law) {
  std::vector<Tested> all;
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    const law::Rule& rule = law.rules[i];
    if (rule.fallback || rule.status == law::RuleStatus::retired) continue;
    all.push_back({rule.id, &rule.when, &rule.tests, i, rule.place});
  }
  for (const law::LawEntry& entry : law.laws) all.push_back({entry.id, &entry.when, &entry.tests, law::no_number, entry.place});
  return all;
}

std::vector<Example> examples_of(const Law::Model& law, const std::vector<Tested>& tested) {
  std::vector<Example> examples;
  Problems problems;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    if (!tested[i].tests->is_map()) continue;
    for (const yaml::Entry& list : tested[i].tests->entries) {
      const auto* key = std::find_if(std::begin(keys), std::end(keys), [&](const auto& each) { return each.first == list.key; });
      for (const yaml::Node& node : list.value.items)
        if (auto given = law::read_given_case(law, node, problems))
          examples.push_back({i, key->second, std::move(*given), node.place});
    }
  }
  problems.throw_if_any();  // the loader has read them all before
  return examples;
}

std::size_t LawTests::killed() const {
  return static_cast<std::size_t>(std::count_if(mutants.begin(), mutants.end(), [](const auto& m) { return m.killed; }));
}

double LawTests::score() const {
  return mutants.empty() ? 1 : static_cast<double>(killed()) / static_cast<double>(mutants.size());
}

LawTests run_law_tests(const Law& law, bool suggest) { return Runner(law.model(), suggest).run(); }

}  // namespace hiple::audit
