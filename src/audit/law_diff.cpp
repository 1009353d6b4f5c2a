#include "audit/law_diff.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "law/cone.hpp"
#include "law/evaluate.hpp"
#include "law/explain_answer.hpp"
#include "table/select.hpp"

namespace hiple::audit {

using condition::Truth;
using law::Law;

namespace {

using Json = nlohmann::json;

/// A rule, law or link in one version: what a case must know of it.
struct Entry {
  Json said;  ///< what decisions depend on
  Json full;
  const condition::Condition* when = nullptr;  ///< null: always evaluated anew
  Truth idle = Truth::no;                      ///< the truth that is as good as not being there
  std::set<std::string> panels;                ///< over which it counts
};

void note_panels(const condition::Node& node, std::set<std::string>& panels) {
  using condition::Op;
  if (node.op == Op::count || node.op == Op::agree || node.op == Op::minimum || node.op == Op::maximum || node.op == Op::mean)
    panels.insert(node.name);
  for (const condition::Node& operand : node.operands) note_panels(operand, panels);
}

/// Every rule, law and link of a law by id.
std::map<std::string, Entry> entries_of(const Law& law) {
  const Law::Model& model = law.model();
  const Json text = Json::parse(law.canonical());
  std::map<std::string, Entry> entries;
  for (const char* list : {"rules", "laws", "links"})
    for (const Json& entry : text.value(list, Json::array())) {
      Json said = entry;
      for (const char* key : {"title", "because", "evidence", "precision", "tests", "version"}) said.erase(key);
      said["list"] = list;
      entries[entry.at("id")] = {said, entry, nullptr, Truth::no, {}};
    }
  for (const law::Rule& rule : model.rules) {
    if (rule.fallback) continue;
    Entry& entry = entries.at(rule.id);
    entry.said["in_force"] = rule.in_force;
    entry.said.erase("status");
    entry.said.erase("valid");
    if (!rule.suspended) entry.when = &rule.when;
    note_panels(rule.when.root(), entry.panels);
    if (rule.suspended) note_panels(rule.suspended->root(), entry.panels);
  }
  for (const law::LawEntry& each : model.laws) {
    entries.at(each.id).when = &each.when;
    note_panels(each.when.root(), entries.at(each.id).panels);
    if (each.kind == law::LawKind::require) entries.at(each.id).idle = Truth::yes;
  }
  for (const law::Link& link : model.links) {
    entries.at(link.id).when = &link.when;
    note_panels(link.when.root(), entries.at(link.id).panels);
  }
  return entries;
}

bool reads_finding(const condition::Node& node) {
  return node.op == condition::Op::finding || std::any_of(node.operands.begin(), node.operands.end(), reads_finding);
}

/// The engines under each panel.
std::map<std::string, std::set<std::string>> members_of(const Law& law) {
  const Law::Model& model = law.model();
  std::map<std::string, std::set<std::string>> members;
  for (const law::Panel& panel : model.panels)
    for (const std::size_t below : panel.subtree)
      for (const std::size_t engine : model.panels[below].engines) members[panel.name].insert(model.engines[engine].name);
  return members;
}

/// Takes names out of the lists `key` of a list of maps. An engine that only one law knows matters to nothing but what reads it.
void leave_out(Json& list, const char* key, const std::set<std::string>& names) {
  for (Json& entry : list) {
    Json kept = Json::array();
    for (const Json& name : entry.value(key, Json::array()))
      if (!names.contains(name.get<std::string>())) kept.push_back(name);
    entry[key] = kept;
  }
}

bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

/// Whether an engine says the same of one case, in each law's own numbers.
bool same_word(const condition::Voice& a, const condition::Voice& b) {
  return a.state == b.state && a.label == b.label && same_bits(a.confidence, b.confidence) &&
         same_bits(a.typicality, b.typicality) && same_bits(a.value, b.value) &&
         std::equal(a.probability.begin(), a.probability.end(), b.probability.begin(), b.probability.end(), same_bits);
}

/// An engine of both laws whose judgments are others.
struct JudgedAnew {
  std::string name;
  std::size_t before = 0, after = 0;  ///< its number in each law
};

/// An entry that differs, in both versions; one of them may be absent.
struct Difference {
  std::string id;
  const Entry* before = nullptr;
  const Entry* after = nullptr;
  bool only_condition = false;  ///< nothing but `when` differs
};

/// What the home engines and the columns say of one case.
class Home {
 public:
  Home(const Law::Model& law, const law::Inputs& inputs) : law_(law), inputs_(inputs) {}

  void go_to(std::size_t row) {
    row_ = row;
    result_.active.assign(law_.engines.size(), law_.home.empty());
    for (const law::RouteEntry& entry : law_.home) {
      condition::CauseSet ignored;
      if (entry.when && entry.when->evaluate(view(false), ignored) != Truth::yes) continue;
      for (const std::size_t engine : entry.engines) result_.active[engine] = true;
      return;
    }
  }

  /// Plainly and carefully the same, and known; else UNKNOWN.
  [[nodiscard]] Truth truth(const condition::Condition& when) const {
    condition::CauseSet ignored;
    const Truth plain = when.evaluate(view(false), ignored);
    return plain == when.evaluate(view(true), ignored) ? plain : Truth::unknown;
  }

 private:
  [[nodiscard]] law::CaseView view(bool careful) const { return {inputs_, row_, law_, result_, careful}; }

  const Law::Model& law_;
  const law::Inputs& inputs_;
  law::CaseResult result_;
  std::size_t row_ = 0;
};

class Differ {
 public:
  Differ(const Law& before, const std::vector<law::EngineJudgments>& engines_before, const Law& after,
         const std::vector<law::EngineJudgments>& engines_after, const Table& table)
      : before_(before),
        after_(after),
        table_(table),
        engines_before_(engines_before),
        engines_after_(engines_after),
        inputs_before_(before.model(), table, engines_before),
        inputs_after_(after.model(), table, engines_after),
        entries_before_(entries_of(before)),
        entries_after_(entries_of(after)) {}

  LawDiff run(bool all) {
    find_differences();
    find_judged_anew();
    for (const std::string& question : after_.questions())
      if (std::find(before_.questions().begin(), before_.questions().end(), question) == before_.questions().end())
        diff_.new_questions.push_back(question);
    diff_.cases = table_.rows();
    diff_.answers = table_.rows() * after_.questions().size();
    Home home_before(before_.model(), inputs_before_), home_after(after_.model(), inputs_after_);
    law::Evaluator old_law(before_.model(), inputs_before_), new_law(after_.model(), inputs_after_);
    for (const std::uint32_t row : all ? all_rows(table_) : rows_to_look_at()) {
      home_before.go_to(row);
      home_after.go_to(row);
      const bool same =
          diff_.elsewhere.empty() &&
          std::none_of(judged_anew_.begin(), judged_anew_.end(), [&](const JudgedAnew& each) { return differs(each, row); }) &&
          std::all_of(differences_.begin(), differences_.end(),
                      [&](const Difference& each) { return is_idle(each, home_before, home_after); });
      if (same && !all) continue;
      ++diff_.evaluated;
      compare(row, old_law.run(row), new_law.run(row));
    }
    diff_.different = diff_.changes.size();
    std::stable_sort(diff_.changes.begin(), diff_.changes.end(),
                     [](const AnswerChange& a, const AnswerChange& b) { return a.critical > b.critical; });
    return std::move(diff_);
  }

 private:
  /// Where only rules differ, their cone holds every case that can change, and is found many cases at a time.
  [[nodiscard]] std::vector<std::uint32_t> rows_to_look_at() const {
    const bool same_engines = judged_anew_.empty() && engine_names(before_) == engine_names(after_);
    return same_engines ? law::cone_of(before_, after_, table_, engines_after_) : all_rows(table_);
  }

  void find_differences() {
    const auto members_before = members_of(before_), members_after = members_of(after_);
    const auto counts_others = [&](const Entry& entry) {
      return std::any_of(entry.panels.begin(), entry.panels.end(), [&](const std::string& panel) {
        const auto a = members_before.find(panel), b = members_after.find(panel);
        return a == members_before.end() || b == members_after.end() || a->second != b->second;
      });
    };
    std::set<std::string> ids;
    for (const auto& [id, entry] : entries_before_) ids.insert(id);
    for (const auto& [id, entry] : entries_after_) ids.insert(id);
    for (const std::string& id : ids) {
      const auto old_entry = entries_before_.find(id), new_entry = entries_after_.find(id);
      Difference difference;
      difference.id = id;
      if (old_entry != entries_before_.end()) difference.before = &old_entry->second;
      if (new_entry != entries_after_.end()) difference.after = &new_entry->second;
      if (difference.before == nullptr || difference.after == nullptr) {
        (difference.before == nullptr ? diff_.added : diff_.removed).push_back(id);
      } else if (difference.before->said == difference.after->said && counts_others(*difference.after)) {
        diff_.changed.push_back(id);
      } else {
        if (difference.before->full == difference.after->full && difference.before->said == difference.after->said) continue;
        if (difference.before->said == difference.after->said) {
          diff_.reworded.push_back(id);
          continue;
        }
        diff_.changed.push_back(id);
        Json a = difference.before->said, b = difference.after->said;
        a.erase("when");
        b.erase("when");
        difference.only_condition = a == b;
      }
      differences_.push_back(difference);
    }
    Json a = Json::parse(before_.canonical()), b = Json::parse(after_.canonical());
    for (const char* key : {"rules", "laws", "links", "name"}) {
      a.erase(key);
      b.erase(key);
    }
    const std::set<std::string> names_before = engine_names(before_), names_after = engine_names(after_);
    std::set<std::string> of_one;
    std::set_symmetric_difference(names_before.begin(), names_before.end(), names_after.begin(), names_after.end(),
                                  std::inserter(of_one, of_one.end()));
    for (Json* law : {&a, &b}) {
      leave_out((*law)["panels"], "members", of_one);
      if (law->contains("route") && (*law)["route"].contains("home")) leave_out((*law)["route"]["home"], "engines", of_one);
    }
    for (const auto& [key, value] : a.items())
      if (!b.contains(key) || b[key] != value) diff_.elsewhere.push_back(key);
    for (const auto& [key, value] : b.items())
      if (!a.contains(key)) diff_.elsewhere.push_back(key);
  }

  /// Of an engine that both laws know, whether its file is another.
  void find_judged_anew() {
    const auto find = [](const std::vector<law::EngineJudgments>& engines, const std::string& name) {
      const auto found =
          std::find_if(engines.begin(), engines.end(), [&](const law::EngineJudgments& each) { return each.name == name; });
      return found == engines.end() || found->judgments == nullptr ? nullptr : found->judgments;
    };
    const auto& before = before_.model().engines;
    const auto& after = after_.model().engines;
    for (std::size_t i = 0; i < before.size(); ++i)
      for (std::size_t j = 0; j < after.size(); ++j) {
        if (before[i].name != after[j].name) continue;
        const Judgments *a = find(engines_before_, before[i].name), *b = find(engines_after_, after[j].name);
        if (a == b || (a != nullptr && b != nullptr && a->sha256 == b->sha256 && !a->sha256.empty())) continue;
        judged_anew_.push_back({before[i].name, i, j});
        diff_.judged_anew.push_back(before[i].name);
      }
  }

  [[nodiscard]] bool differs(const JudgedAnew& engine, std::size_t row) const {
    return !same_word(inputs_before_.voice(row, engine.before), inputs_after_.voice(row, engine.after));
  }

  /// Names of the engines that a law knows.
  static std::set<std::string> engine_names(const Law& law) {
    std::set<std::string> names;
    for (const law::EngineDescription& engine : law.model().engines) names.insert(engine.name);
    return names;
  }

  /// What differs and speaks in a case, as it was decided in the end.
  [[nodiscard]] std::vector<std::string> speakers(std::size_t row, const law::CaseResult& old_result,
                                                  const law::CaseResult& new_result) const {
    const law::CaseView old_view(inputs_before_, row, before_.model(), old_result, false);
    const law::CaseView new_view(inputs_after_, row, after_.model(), new_result, false);
    const auto speaks = [](const Entry* entry, const law::CaseView& view) {
      if (entry == nullptr || !entry->said.value("in_force", true)) return false;
      condition::CauseSet ignored;
      return entry->when == nullptr || entry->when->evaluate(view, ignored) != entry->idle;
    };
    std::vector<std::string> by;
    for (const Difference& each : differences_)
      if (speaks(each.before, old_view) || speaks(each.after, new_view)) by.push_back(each.id);
    for (const JudgedAnew& each : judged_anew_)
      if (differs(each, row)) by.push_back(each.name);
    return by.empty() ? diff_.elsewhere : by;
  }

  /// Whether a difference cannot matter in this case: both versions are as good as absent, or known to be the same.
  static bool is_idle(const Difference& difference, const Home& before, const Home& after) {
    const auto truth = [](const Entry* entry, const Home& home) {
      if (entry == nullptr || !entry->said.value("in_force", true)) return std::optional<Truth>();
      if (entry->when == nullptr || reads_finding(entry->when->root())) return std::optional(Truth::unknown);
      return std::optional(home.truth(*entry->when));
    };
    const auto a = truth(difference.before, before), b = truth(difference.after, after);
    const bool gone_before = !a || *a == difference.before->idle, gone_after = !b || *b == difference.after->idle;
    if (gone_before && gone_after) return true;
    return difference.only_condition && a && b && *a == *b && *a != Truth::unknown;
  }

  void compare(std::size_t row, const law::CaseResult& old_result, const law::CaseResult& new_result) {
    const law::Subject old_subject{before_.model(), table_, engines_before_, inputs_before_, row, old_result};
    const law::Subject new_subject{after_.model(), table_, engines_after_, inputs_after_, row, new_result};
    std::map<std::string, std::pair<std::string, std::string>> texts;
    std::map<std::string, bool> critical;
    const auto note = [&](const law::Subject& subject, bool is_new) {
      for (const law::Answer& answer : subject.result.answers(subject.law)) {
        const std::string& question = subject.law.questions[answer.question].name;
        (is_new ? texts[question].second : texts[question].first) = law::headline(subject, answer);
        critical[question] = critical[question] || answer.critical;
      }
    };
    note(old_subject, false);
    note(new_subject, true);
    const auto is_new = [&](const std::string& question) {
      return std::find(diff_.new_questions.begin(), diff_.new_questions.end(), question) != diff_.new_questions.end();
    };
    std::optional<std::vector<std::string>> by;
    for (const auto& [question, both] : texts) {
      if (both.first == both.second || is_new(question)) continue;
      if (!by) by = speakers(row, old_result, new_result);
      diff_.changes.push_back({table_.case_id[row], question, both.first, both.second, critical[question], *by});
    }
  }

  const Law& before_;
  const Law& after_;
  const Table& table_;
  const std::vector<law::EngineJudgments>& engines_before_;
  const std::vector<law::EngineJudgments>& engines_after_;
  law::Inputs inputs_before_, inputs_after_;
  std::map<std::string, Entry> entries_before_, entries_after_;
  std::vector<Difference> differences_;
  std::vector<JudgedAnew> judged_anew_;
  LawDiff diff_;
};

}  // namespace

LawDiff diff_laws(const Law& before, const Law& after, const Table& table, const std::vector<law::EngineJudgments>& engines,
                  bool all) {
  return diff_laws(before, engines, after, engines, table, all);
}

LawDiff diff_laws(const Law& before, const std::vector<law::EngineJudgments>& engines_before, const Law& after,
                  const std::vector<law::EngineJudgments>& engines_after, const Table& table, bool all) {
  return Differ(before, engines_before, after, engines_after, table).run(all);
}

}  // namespace hiple::audit
