#include "run/propose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "audit/format.hpp"
#include "audit/law_diff.hpp"
#include "base/text.hpp"
#include "gate/bounds.hpp"
#include "gate/sequence.hpp"
#include "run/drawn.hpp"
#include "run/evidence_store.hpp"
#include "run/propose_literals.hpp"
#include "run/stored_run.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

using Json = nlohmann::json;
using law::no_number;

/// By which cases are divided: in [0, 1).
double draw(std::uint64_t id) { return static_cast<double>(drawn(id) >> 11) * 0x1p-53; }

/// The cases with evidence about a finding, and what the law makes of them.
struct Known {
  Table table;                                           ///< these cases alone
  std::vector<std::vector<std::size_t>> said, answered;  ///< [cases][questions]: number of a finding, or none
  std::vector<std::vector<bool>> stands;                 ///< [cases][rules]
  std::vector<law::CaseResult> results;                  ///< which engines were asked; nothing else of it
  std::vector<bool> is_held_out;

  [[nodiscard]] std::size_t size() const { return said.size(); }
};

std::vector<std::size_t> answers_of(const law::Law::Model& law, const law::CaseResult& result) {
  std::vector<std::size_t> answers(law.questions.size(), no_number);
  for (const law::Answer& answer : result.answers(law))
    if (answer.status == law::Status::decide) answers[answer.question] = answer.finding;
  return answers;
}

Known known_cases(const law::Law& law, const evidence::Standings& standings, const StoredRun& stored, double held_out) {
  const law::Law::Model& model = law.model();
  std::map<std::uint64_t, std::vector<std::size_t>> said;
  for (std::size_t q = 0; q < model.questions.size(); ++q)
    for (const evidence::Standing& standing : standings.of(model.questions[q].name))
      if (!standing.contradictory)
        said.try_emplace(standing.case_id, model.questions.size(), no_number).first->second[q] =
            model.questions[q].first_finding + static_cast<std::size_t>(standing.value);
  Known known;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < stored.table.rows(); ++row) {
    const auto found = said.find(stored.table.case_id[row]);
    if (found == said.end()) continue;
    rows.push_back(row);
    known.said.push_back(found->second);
    known.is_held_out.push_back(draw(found->first) < held_out);
  }
  known.table = take_rows(stored.table, rows);
  const auto engines = stored.engines();
  const law::Inputs inputs(model, known.table, engines);
  law::Evaluator evaluator(model, inputs);
  for (std::size_t row = 0; row < known.size(); ++row) {
    const law::CaseResult& result = evaluator.run(row);
    known.answered.push_back(answers_of(model, result));
    std::vector<bool>& stands = known.stands.emplace_back();
    for (const law::RuleResult& rule : result.panels[model.root].rules)
      stands.push_back(rule.in_scope && rule.stand.value == condition::Truth::yes);
    known.results.emplace_back().active = result.active;
  }
  return known;
}

/// Some of the cases, as literals are made from them.
DecidedCases decided(const law::Law::Model& law, const law::Inputs& inputs, const Known& known,
                     const std::vector<std::size_t>& which) {
  DecidedCases cases{law, inputs, known.table, {}, {}};
  for (const std::size_t i : which) {
    cases.rows.push_back(static_cast<std::uint32_t>(i));
    cases.results.push_back(known.results[i]);
  }
  return cases;
}

/// Ids that no rule, law or link has.
class Ids {
 public:
  explicit Ids(const law::Law::Model& law) {
    for (const auto& rule : law.rules) taken_.insert(rule.id);
    for (const auto& entry : law.laws) taken_.insert(entry.id);
    for (const auto& link : law.links) taken_.insert(link.id);
  }
  std::string next(const std::string& begin) {
    for (std::size_t number = 1;; ++number)
      if (std::string id = begin + std::to_string(number); taken_.insert(id).second) return id;
  }

 private:
  std::set<std::string> taken_;
};

class Proposer {
 public:
  Proposer(const PreparedRun& run, const law::Law& law, const law::Law& as_decided, const StoredRun& stored,
           const ProposeSettings& settings)
      : run_(run),
        law_(law),
        as_decided_(as_decided),
        model_(law.model()),
        stored_(stored),
        settings_(settings),
        known_(known_cases(law, run.evidence->standings, stored, settings.held_out)),
        engines_(stored.engines()),
        inputs_(model_, known_.table, engines_),
        ids_(model_) {}

  Proposals run() {
    for (std::size_t i = 0; i < known_.size(); ++i) ++(known_.is_held_out[i] ? proposals_.held_out : proposals_.made);
    for (std::size_t q = 0; q < model_.questions.size(); ++q)
      if (settings_.question.empty() || model_.questions[q].name == settings_.question) look_for_rules(q);
    show_rules();
    look_for_links();
    for (Candidate& proposal : proposals_.list) count_changes(proposal);
    judge();
    std::stable_sort(proposals_.list.begin(), proposals_.list.end(), [](const Candidate& a, const Candidate& b) {
      const auto rank = [](const Candidate& p) { return std::tuple(p.is_link, p.support != Support::supported, -p.lower); };
      return rank(a) < rank(b);
    });
    write_law();
    return std::move(proposals_);
  }

 private:
  [[nodiscard]] std::vector<std::size_t> made_from(std::size_t question) const {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (!known_.is_held_out[i] && known_.said[i][question] != no_number) which.push_back(i);
    return which;
  }

  void look_for_rules(std::size_t question) {
    const law::Question& asked = model_.questions[question];
    const auto which = made_from(question);
    for (const std::size_t i : which) proposals_.missed += known_.said[i][question] != known_.answered[i][question] ? 1U : 0U;
    std::optional<std::vector<Literal>> literals;
    for (std::size_t f = 0; f < asked.findings.size(); ++f) {
      if (asked.fallback == f) continue;  // a default needs no rule: what hides it is a rule that is wrong
      const std::size_t finding = asked.first_finding + f;
      std::vector<Target> targets;
      std::uint64_t missed = 0;
      for (const std::size_t i : which) {
        const bool right = known_.said[i][question] == finding;
        targets.push_back(!right ? Target::wrong : known_.answered[i][question] == finding ? Target::held : Target::missed);
        missed += targets.back() == Target::missed ? 1U : 0U;
      }
      if (missed < settings_.least) continue;
      if (!literals) literals = literals_of(decided(model_, inputs_, known_, which));
      CoveringSettings covering;
      covering.precision = required();
      covering.least = settings_.least;
      for (const Covering& found : cover(*literals, targets, covering)) add_rule(finding, found, *literals, which, targets);
    }
  }

  [[nodiscard]] double required() const { return model_.precision.value_or(usual_precision); }

  void add_rule(std::size_t finding, const Covering& covering, const std::vector<Literal>& literals,
                const std::vector<std::size_t>& which, const std::vector<Target>& targets) {
    Candidate proposal;
    proposal.id = ids_.next("P-");
    proposal.finding = model_.findings[finding].name;
    proposal.required = required();
    std::vector<std::string> parts;
    for (const std::size_t literal : covering.literals) parts.push_back(literals[literal].text);
    proposal.when = join(parts, " and ");
    std::vector<std::pair<std::size_t, std::size_t>> beside(model_.rules.size());  // right and wrong where the rule stands too
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (!std::all_of(covering.literals.begin(), covering.literals.end(), [&](std::size_t l) { return literals[l].at(i); }))
        continue;
      for (std::size_t r = 0; r < model_.rules.size(); ++r)
        if (known_.stands[which[i]][r]) ++(targets[i] == Target::wrong ? beside[r].second : beside[r].first);
    }
    for (std::size_t r = 0; r < model_.rules.size(); ++r) {
      const law::Rule& rule = model_.rules[r];
      const law::Finding& other = model_.findings[rule.finding];
      const bool rival = !rule.fallback && rule.finding != finding && other.question == model_.findings[finding].question;
      if (rival && other.critical == no_number && beside[r].first > beside[r].second) proposal.overrides.push_back(rule.id);
    }
    proposals_.list.push_back(std::move(proposal));
  }

  /// By the law itself, with the rules in it as a person would find them there.
  void show_rules() {
    const law::Law proposed = with(proposals_.list, "proposed");
    const law::Law::Model& model = proposed.model();
    const law::Inputs inputs(model, known_.table, engines_);
    for (Candidate& proposal : proposals_.list) {
      const auto rule =
          std::find_if(model.rules.begin(), model.rules.end(), [&](const law::Rule& each) { return each.id == proposal.id; });
      const std::size_t question = model.findings[rule->finding].question;
      for (std::size_t i = 0; i < known_.size(); ++i) {
        if (known_.said[i][question] == no_number) continue;
        condition::CauseSet ignored;
        if (rule->when.evaluate(law::CaseView(inputs, i, model, known_.results[i], false), ignored) != condition::Truth::yes)
          continue;
        note(proposal, i, known_.said[i][question] == rule->finding, known_.answered[i][question] != rule->finding);
      }
    }
  }

  /// One case that a proposal covers.
  void note(Candidate& proposal, std::size_t i, bool right, bool missed) const {
    ShownBy& shown = known_.is_held_out[i] ? proposal.held_out : proposal.made;
    ++shown.cases;
    shown.right += right ? 1 : 0;
    if (right && missed) proposal.witnesses.push_back(known_.table.case_id[i]);
    if (!right) proposal.against.push_back(known_.table.case_id[i]);
  }

  /// In which cases evidence says what all engines would have found and the law did not, for want of which engines: bit e of
  /// [case].
  [[nodiscard]] std::vector<std::vector<bool>> needed_engines() const {
    const law::Law all = law_.activating(law::Law::Activation::all);
    const law::Law::Model& model = all.model();
    const law::Inputs inputs(model, known_.table, engines_);
    law::Evaluator evaluator(model, inputs);
    std::vector<std::vector<bool>> needed(known_.size(), std::vector<bool>(model.engines.size()));
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_.answered[i] == known_.said[i]) continue;
      const law::CaseResult& result = evaluator.run(i);
      const auto answers = answers_of(model, result);
      for (std::size_t q = 0; q < answers.size(); ++q) {
        const std::size_t said = known_.said[i][q];
        if (said == no_number || answers[q] != said || known_.answered[i][q] == said) continue;
        for (std::size_t r = 0; r < model.rules.size(); ++r) {
          const bool stands = result.panels[model.root].rules[r].stand.value == condition::Truth::yes;
          if (model.rules[r].finding != said || !stands) continue;
          const auto read = model.rules[r].when.engines();
          for (std::size_t e = 0; e < model.engines.size(); ++e)
            if (!known_.results[i].active[e] && read.contains(model.engines[e].name)) needed[i][e] = true;
        }
      }
    }
    return needed;
  }

  void look_for_links() {
    if (model_.home.empty()) {
      proposals_.links_why = "every engine is asked about every case";
      return;
    }
    const auto needed = needed_engines();
    for (std::size_t e = 0; e < model_.engines.size(); ++e) {
      std::vector<std::size_t> which, all;
      std::uint64_t missed = 0;
      for (std::size_t i = 0; i < known_.size(); ++i) {
        if (known_.results[i].active[e]) continue;
        all.push_back(i);
        if (known_.is_held_out[i]) continue;
        which.push_back(i);
        missed += needed[i][e] ? 1U : 0U;
      }
      if (missed < settings_.least) continue;
      std::vector<Target> targets;
      for (const std::size_t i : which) targets.push_back(needed[i][e] ? Target::missed : Target::wrong);
      CoveringSettings covering;
      covering.precision = static_cast<double>(missed) / static_cast<double>(which.size());  // as good as calling it blindly
      covering.least = settings_.least;
      covering.most_literals = 1;
      std::vector<std::size_t> of, of_all;
      const auto literals = labels_of(decided(model_, inputs_, known_, which), of);
      const auto everywhere = labels_of(decided(model_, inputs_, known_, all), of_all);
      for (const Covering& found : cover(literals, targets, covering)) {
        Candidate proposal;
        proposal.is_link = true;
        proposal.id = ids_.next("PX-");
        proposal.when = literals[found.literals.front()].text;
        proposal.from = model_.engines[of[found.literals.front()]].name;
        proposal.to = model_.engines[e].name;
        proposal.required = covering.precision;
        const auto literal =
            std::find_if(everywhere.begin(), everywhere.end(), [&](const Literal& each) { return each.text == proposal.when; });
        if (literal == everywhere.end()) continue;  // it says the same everywhere
        for (std::size_t i = 0; i < all.size(); ++i)
          if (literal->at(i)) note(proposal, all[i], needed[all[i]][e], true);
        proposals_.list.push_back(std::move(proposal));
      }
    }
  }

  /// The law with proposals in it.
  [[nodiscard]] Json text_with(const std::vector<Candidate>& list, const std::string& status) const {
    Json text = Json::parse(law_.canonical());
    for (const Candidate& proposal : list) {
      if (proposal.is_link) {
        text["links"].push_back({{"id", proposal.id}, {"from", proposal.from}, {"to", proposal.to}, {"when", proposal.when}});
        continue;
      }
      Json rule = {{"id", proposal.id},
                   {"title", fmt::format("Found in evidence: right in {} of {} cases held out", proposal.held_out.right,
                                         proposal.held_out.cases)},
                   {"when", proposal.when},
                   {"then", proposal.finding},
                   {"status", status}};
      if (!proposal.overrides.empty()) rule["overrides"] = proposal.overrides;
      text["rules"].push_back(rule);
    }
    return text;
  }

  [[nodiscard]] law::Law with(const std::vector<Candidate>& list, const std::string& status) const {
    return law::Law::parse(text_with(list, status).dump(1), "the law with what is proposed", run_.schema, run_.engines,
                           run_.config.as_of);
  }

  /// Of the run's answers, which heed evidence.
  void count_changes(Candidate& proposal) const {
    law::Law after = with({proposal}, "accepted");
    if (!as_decided_.evidence().empty()) after = after.heeding(as_decided_.evidence(), run_.config.evidence.place);
    if (!as_decided_.closed_by().empty()) after = after.closed(as_decided_.closed_by());
    const audit::LawDiff diff = audit::diff_laws(as_decided_, after, stored_.table, engines_);
    proposal.changes = diff.different;
    for (const audit::AnswerChange& change : diff.changes) proposal.critical += change.critical ? 1 : 0;
  }

  /// By cases held out alone, and for all proposals together.
  void judge() {
    std::vector<Candidate*> shown;
    std::vector<double> below, above;
    for (Candidate& proposal : proposals_.list) {
      const ShownBy& cases = proposal.held_out;
      if (cases.cases == 0) continue;
      proposal.lower = gate::lower_at_every_look(cases.right, cases.cases);
      proposal.upper = gate::upper_at_every_look(cases.right, cases.cases);
      if (proposal.required <= 0 || proposal.required >= 1) continue;
      shown.push_back(&proposal);
      below.push_back(gate::probability_at_any_look(gate::log_evidence_below(cases.right, cases.cases, proposal.required)));
      above.push_back(gate::probability_at_any_look(gate::log_evidence_above(cases.right, cases.cases, proposal.required)));
    }
    const auto contradicted = gate::refuted(below), supported = gate::refuted(above);
    for (std::size_t i = 0; i < shown.size(); ++i)
      shown[i]->support = contradicted[i] ? Support::contradicted : supported[i] ? Support::supported : Support::unproven;
  }

  void write_law() {
    std::vector<Candidate> rules;
    std::string links;
    for (const Candidate& proposal : proposals_.list) {
      if (!proposal.is_link)
        rules.push_back(proposal);
      else
        links += fmt::format("#   - {{id: {}, from: {}, to: {}, when: '{}'}}\n", proposal.id, proposal.from, proposal.to,
                             proposal.when);
    }
    proposals_.law = audit::format_law(text_with(rules, "proposed").dump(1), "law.yaml").text;
    if (!links.empty()) proposals_.law += "# Links that are proposed; one that stands under `links:` is in force.\n" + links;
  }

  const PreparedRun& run_;
  const law::Law& law_;         ///< what it says by itself
  const law::Law& as_decided_;  ///< heeding evidence
  const law::Law::Model& model_;
  const StoredRun& stored_;
  const ProposeSettings& settings_;
  Known known_;
  std::vector<law::EngineJudgments> engines_;
  law::Inputs inputs_;
  Ids ids_;
  Proposals proposals_;
};

}  // namespace

Proposals propose(const PreparedRun& run, const RunDirectory& directory, const ProposeSettings& settings) {
  require_evidence(run.config);
  if (!settings.question.empty()) {
    const auto& questions = run.law.questions();
    if (std::find(questions.begin(), questions.end(), settings.question) == questions.end())
      throw InputError(Place{"--question"}, "the law has no question " + settings.question, {},
                       suggestion(settings.question, questions));
  }
  std::vector<std::string> inputs;
  for (const ColumnSchema& column : run.schema.columns)
    if (column.role == ColumnRole::input) inputs.push_back(column.name);
  const StoredRun stored = read_stored_run(run, directory, inputs);
  check_stored_law(run, stored.decisions);
  // What the law says by itself: evidence keeps a decision that it contradicts from being made.
  const law::Law law = law::Law::parse(stored.decisions.law_text, directory.decisions().string() + ":/law/text", run.schema,
                                       run.engines, run.config.as_of);
  const law::Law as_decided = stored_law(run, directory, stored.decisions);
  Proposals proposals = Proposer(run, law, as_decided, stored, settings).run();
  proposals.head = run.evidence->store.head();
  return proposals;
}

}  // namespace hiple
