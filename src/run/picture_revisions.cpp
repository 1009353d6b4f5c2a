#include "run/picture_revisions.hpp"

#include "run/knowledge.hpp"
#include "run/revise_evidence.hpp"
#include "run/revise_history.hpp"
#include "run/rule_support.hpp"

namespace hiple {

namespace {

void add_verdicts(const Verification& verification, report::RevisionsPicture& revisions) {
  revisions.cases = verification.cases;
  for (const RuleSupport& support : verification.rules)
    for (const SupportGroup& group : support.groups)
      if (group.cases > 0)
        revisions.verdicts.push_back({support.id, support.finding, group.source, name_of(group.support), support.why,
                                      support.version, support.required, group.cases, group.held, group.lower, group.upper});
}

void add_changes(const KnowledgeSince& since, std::size_t most, report::RevisionsPicture& revisions) {
  revisions.kept = since.kept;
  for (const ChangedKnowledge& change : since.changes) {
    if (change.change == KnowledgeChange::derived_again) {
      ++revisions.derived_again;
      continue;
    }
    if (++revisions.differ > most) continue;
    revisions.answers.push_back(
        {change.case_id, name_of(change.change), change.question, change.before, change.after, change.critical});
  }
}

}  // namespace

report::RevisionsPicture look_at_revisions(const PreparedRun& run, const RunDirectory& directory, StoredRun stored,
                                           std::size_t most_answers) {
  report::RevisionsPicture revisions;
  (void)renew_evidence(run.law, *run.evidence, stored.table);  // as it is now: what was added since speaks of rules too
  add_verdicts(verify_rules(run, stored.table, stored.engines()), revisions);
  const auto records = revisions_in_force(directory);
  for (const RevisionRecord& record : records)
    revisions.steps.push_back({record.number, record.parent, record.time, record.kind, record.summary, record.changed,
                               record.cases, record.derived_again, record.answers_changed});
  if (!records.empty()) add_changes(knowledge_since(directory, 0), most_answers, revisions);
  return revisions;
}

}  // namespace hiple
