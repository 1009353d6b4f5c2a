#include "run/knowledge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/date.hpp"
#include "base/text.hpp"
#include "law/evaluate.hpp"
#include "law/model.hpp"
#include "run/revise_history.hpp"
#include "run/stored_run.hpp"

namespace hiple {

namespace {

using law::Decision;
using law::Decisions;

std::string versioned(const law::RuleRecord& record) { return record.id + "@" + std::to_string(record.version); }

/// "hypo by F-1@2", "ABSTAIN (no_rule)".
std::string shown(const Decisions& decisions, std::size_t row, std::size_t question) {
  const Decision& decision = decisions.at(row, question);
  if (decision.status != law::Status::decide) {
    std::string status = law::name_of(decision.status);
    std::transform(status.begin(), status.end(), status.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    return status + " (" + law::name_of(decision.reason) + ")";
  }
  return decisions.findings[question][decision.finding] + " by " + versioned(decisions.rules[decision.rule]);
}

bool is_critical(const Decisions& decisions, std::size_t row, std::size_t question) {
  return (decisions.at(row, question).flags & law::flag::critical) != 0;
}

/// Derives what answers rest on.
class Grounds {
 public:
  Grounds(const law::Law& law, const StoredRun& stored, const StudyEvidence* evidence)
      : law_(law.model()),
        stored_(stored),
        engines_(stored.engines()),
        inputs_(law_, stored.table, engines_),
        evaluator_(law_, inputs_),
        evidence_(evidence) {
    for (std::size_t i = 0; i < law_.rules.size(); ++i)
      if (law_.rules[i].record != law::no_number) rule_of_[law_.rules[i].record] = i;
  }

  /// Of a case, every question that is decided.
  std::vector<Knowledge> of(std::size_t row) {
    const law::CaseResult& result = evaluator_.run(row);
    std::vector<Knowledge> all;
    for (const law::Answer& answer : result.answers(law_)) {
      if (answer.status != law::Status::decide) continue;
      Knowledge& known = all.emplace_back();
      known.case_id = stored_.table.case_id[row];
      known.question = law_.questions[answer.question].name;
      known.finding = law_.findings[answer.finding].name;
      known.firm = answer.firm;
      known.critical = law_.findings[answer.finding].critical != law::no_number;
      std::set<std::string> engines;
      std::set<std::string> about = {known.question};
      for (const std::size_t record : answer.cited) {
        known.rules.push_back(versioned(law_.records[record]));
        const auto found = rule_of_.find(record);
        if (found == rule_of_.end()) continue;
        const law::Rule& rule = law_.rules[found->second];
        for (std::size_t e = 0; e < law_.engines.size(); ++e)
          if (result.active[e] && (rule.fallback || rule.when.engines().contains(law_.engines[e].name)))
            engines.insert(law_.engines[e].name);
        for (const std::string& column : rule.when.columns())
          if (condition::is_evidence_name(column)) about.insert(condition::evidence_about(column));
      }
      known.engines.assign(engines.begin(), engines.end());
      for (const std::string& each : about) add_evidence(each, known);
    }
    return all;
  }

 private:
  void add_evidence(const std::string& about, Knowledge& known) const {
    if (evidence_ == nullptr) return;
    const auto standings = evidence_->standings.of(about);
    const auto found =
        std::lower_bound(standings.begin(), standings.end(), known.case_id,
                         [](const evidence::Standing& standing, std::uint64_t id) { return standing.case_id < id; });
    if (found == standings.end() || found->case_id != known.case_id) return;
    for (const std::size_t record : found->records) {
      const evidence::CaseRecord& one = evidence_->store.cases[record];
      known.evidence.push_back(fmt::format("{} says {}{}{} of {} on {} ({})", one.source, one.value, one.unit.empty() ? "" : " ",
                                           one.unit, one.about, format_date(one.date), evidence_->store.origin_of_case(record)));
    }
  }

  const law::Law::Model& law_;
  const StoredRun& stored_;
  const std::vector<law::EngineJudgments> engines_;
  const law::Inputs inputs_;
  law::Evaluator evaluator_;
  const StudyEvidence* evidence_;
  std::map<std::size_t, std::size_t> rule_of_;
};

bool cites(const Knowledge& known, const std::string& rule) {
  return std::any_of(known.rules.begin(), known.rules.end(),
                     [&](const std::string& each) { return each.substr(0, each.rfind('@')) == rule; });
}

bool matches(const Knowledge& known, const KnowledgeQuery& query) {
  return (query.finding.empty() || known.finding == query.finding) && (query.rule.empty() || cites(known, query.rule)) &&
         (query.engine.empty() || std::binary_search(known.engines.begin(), known.engines.end(), query.engine));
}

void check_query(const law::Law::Model& law, const KnowledgeQuery& query) {
  Problems problems;
  const auto check = [&](const char* option, const std::string& name, const std::vector<std::string>& names) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      problems.add(Place{option}, "there is no \"" + name + "\"", {}, suggestion(name, names));
  };
  std::vector<std::string> findings, rules, engines;
  for (const law::Finding& finding : law.findings) findings.push_back(finding.name);
  for (const law::RuleRecord& record : law.records) rules.push_back(record.id);
  for (const law::EngineDescription& engine : law.engines) engines.push_back(engine.name);
  check("--finding", query.finding, findings);
  check("--rule", query.rule, rules);
  check("--engine", query.engine, engines);
  problems.throw_if_any();
}

/// The rows that a query is about.
std::pair<std::size_t, std::size_t> rows_of(const StoredRun& stored, const KnowledgeQuery& query) {
  const auto& ids = stored.table.case_id;
  if (!query.case_id) return {0, ids.size()};
  const auto found = std::lower_bound(ids.begin(), ids.end(), *query.case_id);
  if (found == ids.end() || *found != *query.case_id)
    throw InputError(Place{"--case"}, "there is no case " + std::to_string(*query.case_id));
  const auto row = static_cast<std::size_t>(found - ids.begin());
  return {row, row + 1};
}

bool same_grounds(const Decisions& a, std::size_t row_a, const Decisions& b, std::size_t row_b, std::size_t question) {
  const Decision &x = a.at(row_a, question), &y = b.at(row_b, question);
  return x.status == y.status && x.status == law::Status::decide && x.finding == y.finding &&
         versioned(a.rules[x.rule]) == versioned(b.rules[y.rule]);
}

std::size_t number_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Since which revision each answer that is shown stands on the rule that it stands on now.
void date_back(const RunDirectory& directory, const Decisions& now, std::vector<Knowledge>& shown_now) {
  const auto revisions = revisions_in_force(directory);
  if (revisions.empty()) return;
  for (Knowledge& known : shown_now) known.since = revisions.back().number;
  std::vector<bool> ended(shown_now.size(), false);
  for (auto revision = revisions.rbegin(); revision != revisions.rend(); ++revision) {
    const Decisions before = law::read_decisions(directory.revision_decisions(revision->parent));
    if (before.case_id != now.case_id || before.questions != now.questions) return;
    for (std::size_t i = 0; i < shown_now.size(); ++i) {
      const auto row = static_cast<std::size_t>(std::lower_bound(now.case_id.begin(), now.case_id.end(), shown_now[i].case_id) -
                                                now.case_id.begin());
      if (ended[i] || !same_grounds(before, row, now, row, number_of(now.questions, shown_now[i].question)))
        ended[i] = true;
      else
        shown_now[i].since = revision->parent;
    }
  }
}

}  // namespace

KnowledgeList list_knowledge(const PreparedRun& run, const RunDirectory& directory, const KnowledgeQuery& query) {
  const StoredRun stored = read_stored_run(run, directory);
  const law::Law law = stored_law(run, directory, stored.decisions);
  check_query(law.model(), query);
  const auto evidence = heeded_evidence(run, law);
  KnowledgeList list;
  list.revision = current_revision(directory);
  list.cases = stored.decisions.cases();
  list.answers = stored.decisions.decisions.size();
  for (const Decision& decision : stored.decisions.decisions) {
    list.held += decision.status == law::Status::decide ? 1 : 0;
    list.firm += (decision.flags & law::flag::firm) != 0 ? 1 : 0;
  }
  Grounds grounds(law, stored, evidence.get());
  const auto [first, last] = rows_of(stored, query);
  for (std::size_t row = first; row < last; ++row) {
    for (Knowledge& known : grounds.of(row)) {
      if (!matches(known, query)) continue;
      ++list.matching;
      ++list.by_finding[known.finding];
      for (const std::string& rule : known.rules) ++list.by_rule[rule];
      for (const std::string& engine : known.engines) ++list.by_engine[engine];
      if (list.shown.size() < query.most) list.shown.push_back(std::move(known));
    }
    for (std::size_t q = 0; query.case_id && q < stored.decisions.questions.size(); ++q)
      if (stored.decisions.at(row, q).status != law::Status::decide)
        list.unknown.emplace_back(stored.decisions.questions[q], shown(stored.decisions, row, q));
  }
  date_back(directory, stored.decisions, list.shown);
  return list;
}

const char* name_of(KnowledgeChange change) {
  static const char* const names[] = {"withdrawn", "replaced", "derived again", "gained"};
  return names[static_cast<std::size_t>(change)];
}

KnowledgeSince knowledge_since(const RunDirectory& directory, std::uint64_t revision) {
  KnowledgeSince since;
  since.from = revision;
  since.to = current_revision(directory);
  bool leads = revision == since.to || (revision == 0 && since.to == 0);
  for (const RevisionRecord& record : revisions_in_force(directory)) {
    if (record.parent == revision) leads = true;
    if (leads && record.number > revision) since.revisions.push_back(fmt::format("{}: {}", record.number, record.summary));
  }
  if (!leads)
    throw InputError(Place{"--revision"}, fmt::format("revision {} does not lead to the one in force, {}", revision, since.to),
                     {}, "`hiple revise DIR --history` lists those that do");
  if (!std::filesystem::exists(directory.decisions()))
    throw InputError(Place{directory.root().string()}, "holds no decisions", {}, "run `hiple run` or `hiple integrate` first");
  const Decisions now = law::read_decisions(directory.decisions());
  const Decisions then = revision == since.to ? now : law::read_decisions(directory.revision_decisions(revision));
  if (then.case_id != now.case_id || then.questions != now.questions)
    throw InputError(Place{directory.root().string()},
                     "decided other cases or questions at revision " + std::to_string(revision));
  for (std::size_t row = 0; row < now.cases(); ++row)
    for (std::size_t q = 0; q < now.questions.size(); ++q) {
      if (same_grounds(then, row, now, row, q)) {
        ++since.kept;
        continue;
      }
      const bool knew = then.at(row, q).status == law::Status::decide, knows = now.at(row, q).status == law::Status::decide;
      if (!knew && !knows) continue;
      ChangedKnowledge changed;
      changed.change = !knows                                              ? KnowledgeChange::withdrawn
                       : !knew                                             ? KnowledgeChange::gained
                       : then.at(row, q).finding != now.at(row, q).finding ? KnowledgeChange::replaced
                                                                           : KnowledgeChange::derived_again;
      changed.case_id = now.case_id[row];
      changed.question = now.questions[q];
      changed.before = shown(then, row, q);
      changed.after = shown(now, row, q);
      changed.critical = is_critical(then, row, q) || is_critical(now, row, q);
      ++since.counts[changed.change];
      since.changes.push_back(std::move(changed));
    }
  std::stable_sort(since.changes.begin(), since.changes.end(), [](const auto& a, const auto& b) {
    return std::tuple(!a.critical, a.change) < std::tuple(!b.critical, b.change);
  });
  return since;
}

}  // namespace hiple
