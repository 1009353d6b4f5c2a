#include "run/revise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "audit/check.hpp"
#include "audit/format_scalar.hpp"
#include "audit/law_tests.hpp"
#include "base/date.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "law/cone.hpp"
#include "law/consult.hpp"
#include "law/decide_again.hpp"
#include "run/evidence_store.hpp"
#include "run/lock.hpp"
#include "run/revise_drafts.hpp"
#include "run/revise_status.hpp"
#include "run/trust.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

using law::Law;

/// All that conditions may read, and what gates are measured by.
std::vector<std::string> columns_for(const PreparedRun& run) {
  std::vector<std::string> columns = run.schema.names(ColumnRole::input);
  if (run.gates)
    for (const std::string& name : trust_columns(run)) columns.push_back(name);
  return columns;
}

std::uint64_t count_changes(const law::Decisions& a, const law::Decisions& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.decisions.size(); ++i) {
    const law::Decision &x = a.decisions[i], &y = b.decisions[i];
    if (x.status != y.status || x.reason != y.reason || x.finding != y.finding || x.flags != y.flags) ++count;
  }
  return count;
}

std::size_t number_of(const Law& law, const std::string& id) {
  const auto& rules = law.model().rules;
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const law::Rule& rule) { return rule.id == id; });
  if (found == rules.end()) throw Error("the law has no rule " + id);
  return static_cast<std::size_t>(found - rules.begin());
}

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

struct Reviser::State {
  State(const PreparedRun& prepared, const RunDirectory& in, ReviseSettings with)
      : run(prepared), directory(in), settings(std::move(with)), lock(in.lock(), "the run") {
    require_evidence(run.config);
    stored = read_stored_run(run, directory, columns_for(run));
    check_stored_law(run, stored.decisions);
    source = read_file(run.config.law);
    before.emplace(stored_law(run, directory, stored.decisions));
    renewed = renew_evidence(run.law, *run.evidence, stored.table);
    plain.emplace(Law::load(run.config.law, run.schema, run.engines, run.config.as_of));
    cases.emplace(*plain, *run.evidence, stored, settings.held_out_since);
    now.emplace(*plain, *cases);
  }

  [[nodiscard]] Law read(const std::string& text) const {
    return Law::parse(text, run.config.law, run.schema, run.engines, run.config.as_of);
  }

  /// As the run decides by it.
  [[nodiscard]] Law in_force(Law law) const {
    law = law.heeding(run.evidence->store.head(), run.config.evidence.place);
    return run.law.closed_by().empty() ? std::move(law) : law.closed(run.law.closed_by());
  }

  void find_contradictions() {
    const Verification verification = verify_rules(run, directory);
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
        propose(found);
    }
  }

  /// To whom a law's case goes.
  [[nodiscard]] std::vector<std::string> to_of(const std::string& id) const {
    for (const law::LawEntry& entry : plain->model().laws)
      if (entry.id == id) return {entry.to.value_or("person")};
    return {};
  }

  void propose(Contradiction& found) {
    const std::size_t rule = number_of(*plain, found.support.id);
    if (!plain->model().rules[rule].in_force) return;  // it decides nothing yet: there is nothing to take back
    const auto drafts = draft_revisions({*plain, source, run.config.law, *cases, *now, run.evidence->store.head()}, rule);
    std::size_t claims = 0;
    for (const Draft& draft : drafts) claims += draft.must_show.size();
    for (const Draft& draft : drafts) found.proposals.push_back(examine(draft, found.support.id, claims));
    std::stable_sort(found.proposals.begin(), found.proposals.end(), [](const Proposal& a, const Proposal& b) {
      const auto key = [](const Proposal& p) {
        return std::tuple(!p.refused.empty(), p.after.wrong, p.after.undecided, p.edits);
      };
      return key(a) < key(b);
    });
  }

  /// Of another proposal than the one that is wanted, if any is, no more is found out than its name.
  Proposal examine(const Draft& draft, const std::string& rule, std::size_t claims) {
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
    const LawOnCases then(law, *cases);
    for (const std::string& id : draft.must_show)
      proposal.shown.push_back(then.precision(law, *cases, number_of(law, id), 1 - 0.05 / static_cast<double>(claims)));
    const std::size_t question = plain->model().findings[plain->model().rules[number_of(*plain, rule)].finding].question;
    proposal.before = now->agreement(*cases, question);
    proposal.after = then.agreement(*cases, question);
    look_at_cornerstones(then, proposal);
    look_at_law(law, proposal);
    const Law whole = in_force(read(proposal.text));
    look_at_gates(whole, proposal);
    proposal.diff = audit::diff_laws(run.law, whole, stored.table, stored.engines());
    judge(whole, proposal);
    return proposal;
  }

  /// An example of a rule that is revised may stand for what was wrong: it goes, and is told.
  Law with_its_examples(Proposal& proposal) {
    Law law = read(proposal.text);
    if (!tests_before) tests_before = audit::run_law_tests(*plain);
    const auto known = failures_of(*tests_before);
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
    LawText text(proposal.text, run.config.law);
    for (const auto& [id, places] : failing) drop_examples(text, id, places, proposal);
    proposal.text = text.text();
    return read(proposal.text);
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
    for (std::size_t i = 0; i < cases->size(); ++i)
      for (std::size_t question = 0; question < plain->questions().size(); ++question) {
        const std::size_t said = cases->said(i, question);
        if (said == law::no_number || now->decided(i, question) != said) continue;
        ++proposal.cornerstones;
        const std::size_t after = then.decided(i, question);
        if (after == law::no_number)
          ++proposal.lost;
        else if (after != said)
          broken.insert(cases->case_id(i));
      }
    proposal.broken.assign(broken.begin(), broken.end());
  }

  void look_at_law(const Law& law, Proposal& proposal) {
    if (!check_before) check_before = keys_of(whole_check(*plain));
    for (const audit::Finding& finding : whole_check(law).findings) {
      if (check_before->contains({finding.check, finding.ids}) || finding.severity == audit::Severity::note) continue;
      const bool forbids = finding.severity == audit::Severity::error || finding.check == "overlap";
      (forbids ? proposal.conflicts : proposal.notes).push_back(finding.check + ": " + finding.text);
    }
  }

  void look_at_gates(const Law& whole, Proposal& proposal) {
    if (!run.gates) return;
    if (!test) {
      test = take_rows(stored.table, test_rows(run, stored.table));
      gates_before = judged(run.law);
    }
    if (test->rows() == 0) return;
    const gate::Judged after = judged(whole);
    for (std::size_t i = 0; i < after.gates.size(); ++i) {
      const gate::Verdict old = gates_before->gates.at(i).verdict, now_verdict = after.gates[i].verdict;
      const bool worse = (old == gate::Verdict::pass && now_verdict != gate::Verdict::pass) ||
                         (old != gate::Verdict::fail && now_verdict == gate::Verdict::fail);
      if (worse)
        proposal.broken_gates.push_back(fmt::format(
            "{}: {} now, would be {} ({}, bound {:.4f}, threshold {})", after.gates[i].name, gate::name_of(old),
            gate::name_of(now_verdict), after.gates[i].counts, after.gates[i].bound, format_real(after.gates[i].threshold)));
    }
    for (const gate::BoundaryGate& boundary : after.boundaries) {
      const auto earlier = std::find_if(gates_before->boundaries.begin(), gates_before->boundaries.end(),
                                        [&](const auto& each) { return each.figures.name() == boundary.figures.name(); });
      const bool failed = earlier != gates_before->boundaries.end() && earlier->verdict == gate::Verdict::fail;
      if (boundary.verdict == gate::Verdict::fail && !failed)
        proposal.broken_gates.push_back("boundary " + boundary.figures.name() + " would fail");
    }
  }

  [[nodiscard]] gate::Judged judged(const Law& law) const {
    if (test->rows() == 0) return {};
    return measure_trust(run, law, *test, law::decide(law, *test, stored.engines()), stored.engines()).judged;
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
    if (const std::uint64_t unasked = law::count_unasked(whole, stored.table, stored.engines()); unasked > 0)
      proposal.refused.push_back(fmt::format("it consults engines about {} judgments that they did not make", unasked));
  }

  const std::vector<Contradiction>& all() {
    if (!searched) find_contradictions();
    searched = true;
    return contradictions;
  }
  void want(const std::string& id) {
    if (!searched) wanted = id;
  }

  const Proposal& find(const std::string& id) {
    std::vector<std::string> ids;
    for (const Contradiction& found : all()) {
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

  void written(const std::string& what) const {
    if (settings.written) settings.written(what);
  }

  /// The law beside its decisions, able to stand alone: with critical.yaml, and without the path of a schema.
  void write_law(std::uint64_t number, const Proposal& proposal) const {
    LawText text(proposal.text, run.config.law);
    const yaml::Node* critical = text.find_top("critical");
    if (critical != nullptr && critical->is_scalar()) {
      write_file(revision_folder(directory, number) / "critical.yaml", read_file(run.config.law.parent_path() / critical->text));
      text.set_top("critical", "critical.yaml");
    }
    text.remove_top("schema");
    write_file(revision_law(directory, number), text.text());
  }

  RevisionRecord accept(const std::string& id) {
    want(id);
    const Proposal& proposal = find(id);
    Problems problems;
    for (const std::string& reason : proposal.refused) problems.add(Place{"--accept"}, id + " cannot be accepted", reason);
    problems.throw_if_any();
    RevisionRecord record;
    record.engines = engine_files(run, directory);
    record.parent = current_revision(directory);
    record.number = next_revision(directory);
    remove_temporaries(directory.decisions());
    make_folder(revision_folder(directory, record.number));
    write_law(record.number, proposal);
    const Law law = in_force(Law::load(revision_law(directory, record.number), run.schema, run.engines, run.config.as_of));
    if (law.canonical() != read(proposal.text).canonical())
      throw Error("the law that was written is not the one that was proposed");
    written("law");
    const law::Decisions decisions = derive(law, record);
    law::write_decisions(revision_decisions(directory, record.number), decisions);
    written("decisions");
    if (engine_files(run, directory) != record.engines)
      throw Error("an engine's files changed while the law was revised; nothing was accepted");
    complete(proposal, law, decisions, record);
    write_revision(directory, record);
    written("record");
    keep_original(directory);
    make_current(directory, record.number);
    written("pointer");
    tell_status(directory, decisions, to_text(record, directory));
    return record;
  }

  law::Decisions derive(const Law& law, RevisionRecord& record) const {
    const auto engines = stored.engines();
    const auto cone = law::cone_of(*before, law, stored.table, engines, settings.threads);
    std::vector<std::uint32_t> rows;
    std::set_union(cone.begin(), cone.end(), renewed.begin(), renewed.end(), std::back_inserter(rows));
    record.derived_again = rows.size();
    return law::decide_again(law, stored.decisions, law::leaves_of(stored.decisions, settings.threads), rows, stored.table,
                             engines, {.threads = settings.threads});
  }

  void complete(const Proposal& proposal, const Law& law, const law::Decisions& decisions, RevisionRecord& record) const {
    record.time = utc_now();
    record.proposal = proposal.id;
    record.rule = proposal.rule;
    record.kind = proposal.kind;
    record.summary = proposal.summary;
    record.changed = proposal.changed;
    record.law_sha256 = law.sha256();
    record.parent_law_sha256 = before->sha256();
    record.evidence = law.evidence();
    record.root = decisions.root;
    record.parent_root = stored.decisions.root;
    record.cases = decisions.cases();
    record.answers_changed = count_changes(stored.decisions, decisions);
    if (record.parent > 0) {
      const RevisionRecord parent = read_revision(directory, record.parent);
      record.base_law = parent.base_law;
      record.base_sha256 = parent.base_sha256;
    } else {
      record.base_law = std::filesystem::absolute(run.config.law).lexically_normal();
      record.base_sha256 = law_files_sha256(run.config.law);
    }
  }

  const PreparedRun& run;
  const RunDirectory& directory;
  const ReviseSettings settings;
  const Lock lock;
  StoredRun stored;
  std::string source;                  // law.yaml as it is
  std::optional<Law> before;           // as it decided
  std::optional<Law> plain;            // not heeding evidence
  std::vector<std::uint32_t> renewed;  // rows about which evidence says something else than when they were decided
  std::optional<RevisionCases> cases;
  std::optional<LawOnCases> now;
  std::optional<audit::LawTests> tests_before;
  std::optional<std::set<Key>> check_before;
  std::optional<Table> test;
  std::optional<gate::Judged> gates_before;
  std::vector<Contradiction> contradictions;
  bool searched = false;
  std::string wanted;  // a proposal; empty: all are looked at
};

Reviser::Reviser(const PreparedRun& run, const RunDirectory& directory, ReviseSettings settings)
    : state_(std::make_unique<State>(run, directory, std::move(settings))) {}
Reviser::~Reviser() = default;

const std::vector<Contradiction>& Reviser::contradictions() { return state_->all(); }
RevisionRecord Reviser::accept(const std::string& proposal) { return state_->accept(proposal); }
const std::string& Reviser::evidence_head() const { return state_->run.law.evidence(); }

RevisionRecord undo_revision(const RunDirectory& directory) {
  const Lock lock(directory.lock(), "the run");
  const std::uint64_t number = current_revision(directory);
  if (number == 0)
    throw InputError(Place{directory.root().string()}, "no revision is in force", {}, "there is nothing to take back");
  const RevisionRecord record = read_revision(directory, number);
  const law::Decisions decisions = law::read_decisions(revision_decisions(directory, record.parent));
  remove_temporaries(directory.decisions());
  make_current(directory, record.parent);
  tell_status(directory, decisions, fmt::format("revision {} was taken back\n", number) + history_text(directory));
  return record;
}

}  // namespace hiple
