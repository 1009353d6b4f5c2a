#include "run/revise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/file.hpp"
#include "base/text.hpp"
#include "run/lock.hpp"
#include "run/revise_accept.hpp"
#include "run/revise_examine.hpp"
#include "run/revise_status.hpp"

namespace hiple {

struct Reviser::State {
  State(const PreparedRun& run, const RunDirectory& directory, ReviseSettings with)
      : settings(std::move(with)),
        lock(directory.lock(), "the run"),
        from(run, directory, settings.held_out_since),
        examiner(from) {}

  /// `wanted`: the one proposal of which more is to be found out than its name; empty: all.
  void find_contradictions(const std::string& wanted) {
    const Verification verification = verify_rules(from.run, from.stored.table, from.stored.engines());
    for (const RuleSupport& support : verification.rules) {
      const bool refuted = std::any_of(support.groups.begin(), support.groups.end(),
                                       [](const SupportGroup& group) { return group.support == Support::contradicted; });
      if (!refuted) continue;
      Contradiction& found = contradictions.emplace_back();
      found.support = support;
      found.is_law = support.status == "law";
      if (found.is_law)
        found.to = to_of(support.id);
      else
        propose(found, wanted);
    }
  }

  /// To whom a law's case goes.
  [[nodiscard]] std::vector<std::string> to_of(const std::string& id) const {
    for (const law::LawEntry& entry : from.plain.model().laws)
      if (entry.id == id) return {entry.to.value_or("person")};
    return {};
  }

  void propose(Contradiction& found, const std::string& wanted) {
    const std::size_t rule = number_of_rule(from.plain, found.support.id);
    if (!from.plain.model().rules[rule].in_force) return;  // it decides nothing yet: there is nothing to take back
    const auto drafts = draft_revisions(
        {from.plain, from.source, from.run.config.law, from.cases, from.now, from.run.evidence->store.head()}, rule);
    std::size_t claims = 0;
    for (const Draft& draft : drafts) claims += draft.must_show.size();
    for (const Draft& draft : drafts) found.proposals.push_back(examiner.examine(draft, found.support.id, claims, wanted));
    std::stable_sort(found.proposals.begin(), found.proposals.end(), [](const Proposal& a, const Proposal& b) {
      const auto key = [](const Proposal& p) {
        return std::tuple(!p.refused.empty(), p.after.wrong, p.after.undecided, p.edits);
      };
      return key(a) < key(b);
    });
  }

  const std::vector<Contradiction>& all(const std::string& wanted = {}) {
    if (!searched) find_contradictions(wanted);
    searched = true;
    return contradictions;
  }

  const Proposal& find(const std::string& id) {
    std::vector<std::string> ids;
    for (const Contradiction& found : all(id)) {
      if (found.is_law && (id == found.support.id || id.starts_with(found.support.id + ".")))
        throw InputError(Place{"--accept"}, found.support.id + " is a law, which is never revised by evidence",
                         "evidence contradicts it: it goes to " + join(found.to, ", "),
                         "a person must look at it, and change law.yaml");
      for (const Proposal& proposal : found.proposals) {
        if (proposal.id == id) return proposal;
        ids.push_back(proposal.id);
      }
    }
    throw InputError(Place{"--accept"}, "there is no proposal " + id,
                     ids.empty() ? "evidence contradicts no rule" : "law or evidence may have changed since it was listed",
                     suggestion(id, ids));
  }

  RevisionRecord accept(const std::string& id) {
    const Proposal& proposal = find(id);
    Problems problems;
    for (const std::string& reason : proposal.refused) problems.add(Place{"--accept"}, id + " cannot be accepted", reason);
    problems.throw_if_any();
    return accept_revision(from, proposal, settings.threads, settings.written);
  }

  const ReviseSettings settings;
  const Lock lock;
  const RevisionReading from;
  RevisionExaminer examiner;
  std::vector<Contradiction> contradictions;
  bool searched = false;
};

Reviser::Reviser(const PreparedRun& run, const RunDirectory& directory, ReviseSettings settings)
    : state_(std::make_unique<State>(run, directory, std::move(settings))) {}
Reviser::~Reviser() = default;

const std::vector<Contradiction>& Reviser::contradictions() { return state_->all(); }
RevisionRecord Reviser::accept(const std::string& proposal) { return state_->accept(proposal); }
const std::string& Reviser::evidence_head() const { return state_->from.run.law.evidence(); }

RevisionRecord undo_revision(const RunDirectory& directory) {
  const Lock lock(directory.lock(), "the run");
  const std::uint64_t number = current_revision(directory);
  if (number == 0)
    throw InputError(Place{directory.root().string()}, "no revision is in force", {}, "there is nothing to take back");
  const RevisionRecord record = read_revision(directory, number);
  const law::Decisions decisions = law::read_decisions(directory.revision_decisions(record.parent));
  remove_temporaries(directory.decisions());
  make_current(directory, record.parent);
  tell_status(directory, decisions, fmt::format("revision {} was taken back\n", number) + history_text(directory));
  return record;
}

}  // namespace hiple
