#include "run/revise_examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "audit/check.hpp"
#include "audit/format_scalar.hpp"
#include "audit/law_tests.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "law/consult.hpp"
#include "run/trust.hpp"
#include "table/take_rows.hpp"

namespace hiple {

using law::Law;

namespace {

using Key = std::pair<std::string, std::vector<std::string>>;

std::set<Key> keys_of(const audit::LawCheck& check) {
  std::set<Key> keys;
  for (const audit::Finding& finding : check.findings) keys.emplace(finding.check, finding.ids);
  return keys;
}

audit::LawCheck whole_check(const Law& law) {
  audit::CheckOptions options;
  options.most_listed = std::numeric_limits<std::size_t>::max();
  return audit::check_law(law, options);
}

std::set<std::pair<std::string, std::string>> failures_of(const audit::LawTests& tests) {
  std::set<std::pair<std::string, std::string>> failures;
  for (const audit::Failure& failure : tests.failures)
    failures.emplace(failure.id, audit::name_of(failure.expected) + failure.found);
  return failures;
}

}  // namespace

struct RevisionExaminer::State {
  explicit State(const RevisionReading& from) : from_(from) {}

  Proposal examine(const Draft& draft, const std::string& rule, std::size_t claims, const std::string& wanted) {
    Proposal proposal;
    proposal.rule = rule;
    proposal.kind = draft.kind;
    proposal.summary = draft.summary;
    proposal.changed = draft.changed;
    proposal.edits = draft.edits;
    proposal.notes = draft.notes;
    proposal.text = draft.text;
    const Law law = with_its_examples(proposal);
    proposal.id = rule + "." + draft.kind + "." + sha256(law.canonical()).substr(0, 6);
    if (!wanted.empty() && proposal.id != wanted) return proposal;
    const LawOnCases then(law, from_.cases);
    for (const std::string& id : draft.must_show)
      proposal.shown.push_back(then.precision(law, from_.cases, number_of_rule(law, id), 1 - 0.05 / static_cast<double>(claims)));
    const std::size_t question =
        from_.plain.model().findings[from_.plain.model().rules[number_of_rule(from_.plain, rule)].finding].question;
    proposal.before = from_.now.agreement(from_.cases, question);
    proposal.after = then.agreement(from_.cases, question);
    look_at_cornerstones(then, proposal);
    look_at_law(law, proposal);
    const Law whole = from_.in_force(from_.read(proposal.text));
    look_at_gates(whole, proposal);
    proposal.diff = audit::diff_laws(from_.run.law, whole, from_.stored.table, from_.stored.engines());
    judge(whole, proposal);
    return proposal;
  }

  /// An example of a rule that is revised may stand for what was wrong: it goes, and is told.
  Law with_its_examples(Proposal& proposal) {
    Law law = from_.read(proposal.text);
    if (!tests_before_) tests_before_ = audit::run_law_tests(from_.plain);
    const auto known = failures_of(*tests_before_);
    std::map<std::string, std::set<std::pair<std::size_t, std::size_t>>> failing;  // of each rule: where
    for (const audit::Failure& failure : audit::run_law_tests(law).failures) {
      if (known.contains({failure.id, audit::name_of(failure.expected) + failure.found})) continue;
      if (!std::binary_search(proposal.changed.begin(), proposal.changed.end(), failure.id)) {
        proposal.conflicts.push_back(fmt::format("an example of {} fails: {}", failure.id, failure.found));
        continue;
      }
      failing[failure.id].emplace(failure.place.line, failure.place.column);
    }
    if (failing.empty()) return law;
    LawText text(proposal.text, from_.run.config.law);
    for (const auto& [id, places] : failing) drop_examples(text, id, places, proposal);
    proposal.text = text.text();
    return from_.read(proposal.text);
  }

  static void drop_examples(LawText& text, const std::string& id, const std::set<std::pair<std::size_t, std::size_t>>& places,
                            Proposal& proposal) {
    const yaml::Node* tests = text.find(id, "tests");
    if (tests == nullptr) return;
    yaml::Node kept = *tests;
    for (yaml::Entry& list : kept.entries) {
      std::erase_if(list.value.items, [&](const yaml::Node& item) {
        if (!places.contains({item.place.line, item.place.column})) return false;
        proposal.dropped_examples.push_back(id + ", " + list.key + ": " + audit::flow_text(item));
        return true;
      });
    }
    text.set(id, "tests", audit::flow_text(kept));
  }

  void look_at_cornerstones(const LawOnCases& then, Proposal& proposal) const {
    std::set<std::uint64_t> broken;
    for (std::size_t i = 0; i < from_.cases.size(); ++i)
      for (std::size_t question = 0; question < from_.plain.questions().size(); ++question) {
        const std::size_t said = from_.cases.said(i, question);
        if (said == law::no_number || from_.now.decided(i, question) != said) continue;
        ++proposal.cornerstones;
        const std::size_t after = then.decided(i, question);
        if (after == law::no_number)
          ++proposal.lost;
        else if (after != said)
          broken.insert(from_.cases.case_id(i));
      }
    proposal.broken.assign(broken.begin(), broken.end());
  }

  void look_at_law(const Law& law, Proposal& proposal) {
    if (!check_before_) check_before_ = keys_of(whole_check(from_.plain));
    for (const audit::Finding& finding : whole_check(law).findings) {
      if (check_before_->contains({finding.check, finding.ids}) || finding.severity == audit::Severity::note) continue;
      const bool forbids = finding.severity == audit::Severity::error || finding.check == "overlap";
      (forbids ? proposal.conflicts : proposal.notes).push_back(finding.check + ": " + finding.text);
    }
  }

  void look_at_gates(const Law& whole, Proposal& proposal) {
    if (!from_.run.gates) return;
    if (!test_) {
      test_ = take_rows(from_.stored.table, test_rows(from_.run, from_.stored.table));
      gates_before_ = judged(from_.run.law);
    }
    if (test_->rows() == 0) return;
    const gate::Judged after = judged(whole);
    for (std::size_t i = 0; i < after.gates.size(); ++i) {
      const gate::Verdict old = gates_before_->gates.at(i).verdict, now_verdict = after.gates[i].verdict;
      const bool worse = (old == gate::Verdict::pass && now_verdict != gate::Verdict::pass) ||
                         (old != gate::Verdict::fail && now_verdict == gate::Verdict::fail);
      if (worse)
        proposal.broken_gates.push_back(fmt::format(
            "{}: {} now, would be {} ({}, bound {:.4f}, threshold {})", after.gates[i].name, gate::name_of(old),
            gate::name_of(now_verdict), after.gates[i].counts, after.gates[i].bound, format_real(after.gates[i].threshold)));
    }
    for (const gate::BoundaryGate& boundary : after.boundaries) {
      const auto earlier = std::find_if(gates_before_->boundaries.begin(), gates_before_->boundaries.end(),
                                        [&](const auto& each) { return each.figures.name() == boundary.figures.name(); });
      const bool failed = earlier != gates_before_->boundaries.end() && earlier->verdict == gate::Verdict::fail;
      if (boundary.verdict == gate::Verdict::fail && !failed)
        proposal.broken_gates.push_back("boundary " + boundary.figures.name() + " would fail");
    }
  }

  [[nodiscard]] gate::Judged judged(const Law& law) const {
    if (test_->rows() == 0) return {};
    return measure_trust(from_.run, law, *test_, law::decide(law, *test_, from_.stored.engines()), from_.stored.engines()).judged;
  }

  void judge(const Law& whole, Proposal& proposal) const {
    for (const ShownPrecision& shown : proposal.shown)
      if (!shown.shown)
        proposal.refused.push_back(
            fmt::format("the precision {} that {} needs is not shown by evidence held out: {} of {}, at least {:.3f}",
                        format_real(shown.required), shown.rule, shown.held, shown.cases, shown.lower));
    if (!proposal.broken.empty())
      proposal.refused.push_back(fmt::format("{} cornerstone cases would be decided wrongly, case {} the first of them",
                                             proposal.broken.size(), proposal.broken.front()));
    for (const std::string& conflict : proposal.conflicts) proposal.refused.push_back("static check: " + conflict);
    for (const std::string& gate : proposal.broken_gates) proposal.refused.push_back("gate " + gate);
    if (const std::uint64_t unasked = law::count_unasked(whole, from_.stored.table, from_.stored.engines()); unasked > 0)
      proposal.refused.push_back(fmt::format("it consults engines about {} judgments that they did not make", unasked));
  }

  const RevisionReading& from_;
  std::optional<audit::LawTests> tests_before_;
  std::optional<std::set<Key>> check_before_;
  std::optional<Table> test_;
  std::optional<gate::Judged> gates_before_;
};

RevisionExaminer::RevisionExaminer(const RevisionReading& from) : state_(std::make_unique<State>(from)) {}
RevisionExaminer::~RevisionExaminer() = default;

Proposal RevisionExaminer::examine(const Draft& draft, const std::string& rule, std::size_t claims, const std::string& wanted) {
  return state_->examine(draft, rule, claims, wanted);
}

}  // namespace hiple
