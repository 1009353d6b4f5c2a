#include "audit/law_diff.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "law/evaluate.hpp"
#include "law/explain_answer.hpp"

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
};

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
      entries[entry.at("id")] = {said, entry, nullptr, Truth::no};
    }
  for (const law::Rule& rule : model.rules) {
    if (rule.fallback) continue;
    Entry& entry = entries.at(rule.id);
    entry.said["in_force"] = rule.in_force;
    entry.said.erase("status");
    entry.said.erase("valid");
    if (!rule.suspended) entry.when = &rule.when;
  }
  for (const law::LawEntry& each : model.laws) {
    entries.at(each.id).when = &each.when;
    if (each.kind == law::LawKind::require) entries.at(each.id).idle = Truth::yes;
  }
  for (const law::Link& link : model.links) entries.at(link.id).when = &link.when;
  return entries;
}

bool reads_finding(const condition::Node& node) {
  return node.op == condition::Op::finding || std::any_of(node.operands.begin(), node.operands.end(), reads_finding);
}

/// An entry that differs, in both versions; one of them may be absent.
struct Difference {
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
  Differ(const Law& before, const Law& after, const Table& table, const std::vector<law::EngineJudgments>& engines)
      : before_(before),
        after_(after),
        table_(table),
        engines_(engines),
        inputs_before_(before.model(), table, engines),
        inputs_after_(after.model(), table, engines),
        entries_before_(entries_of(before)),
        entries_after_(entries_of(after)) {}

  LawDiff run(bool all) {
    find_differences();
    diff_.cases = table_.rows();
    diff_.answers = table_.rows() * after_.questions().size();
    Home home_before(before_.model(), inputs_before_), home_after(after_.model(), inputs_after_);
    law::Evaluator old_law(before_.model(), inputs_before_), new_law(after_.model(), inputs_after_);
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      home_before.go_to(row);
      home_after.go_to(row);
      const bool same =
          diff_.elsewhere.empty() && std::all_of(differences_.begin(), differences_.end(),
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
  void find_differences() {
    std::set<std::string> ids;
    for (const auto& [id, entry] : entries_before_) ids.insert(id);
    for (const auto& [id, entry] : entries_after_) ids.insert(id);
    for (const std::string& id : ids) {
      const auto old_entry = entries_before_.find(id), new_entry = entries_after_.find(id);
      Difference difference;
      if (old_entry != entries_before_.end()) difference.before = &old_entry->second;
      if (new_entry != entries_after_.end()) difference.after = &new_entry->second;
      if (difference.before == nullptr || difference.after == nullptr) {
        (difference.before == nullptr ? diff_.added : diff_.removed).push_back(id);
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
    for (const auto& [key, value] : a.items())
      if (!b.contains(key) || b[key] != value) diff_.elsewhere.push_back(key);
    for (const auto& [key, value] : b.items())
      if (!a.contains(key)) diff_.elsewhere.push_back(key);
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
    const law::Subject old_subject{before_.model(), table_, engines_, inputs_before_, row, old_result};
    const law::Subject new_subject{after_.model(), table_, engines_, inputs_after_, row, new_result};
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
    for (const auto& [question, both] : texts)
      if (both.first != both.second)
        diff_.changes.push_back({table_.case_id[row], question, both.first, both.second, critical[question]});
  }

  const Law& before_;
  const Law& after_;
  const Table& table_;
  const std::vector<law::EngineJudgments>& engines_;
  law::Inputs inputs_before_, inputs_after_;
  std::map<std::string, Entry> entries_before_, entries_after_;
  std::vector<Difference> differences_;
  LawDiff diff_;
};

}  // namespace

LawDiff diff_laws(const Law& before, const Law& after, const Table& table, const std::vector<law::EngineJudgments>& engines,
                  bool all) {
  return Differ(before, after, table, engines).run(all);
}

}  // namespace hiple::audit
