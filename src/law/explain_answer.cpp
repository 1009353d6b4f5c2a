#include "law/explain_answer.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "law/explain_laws.hpp"
#include "law/explain_premises.hpp"
#include "law/explain_rules.hpp"

namespace hiple::law {

using condition::Truth;

namespace {

std::string short_name(const Law::Model& law, std::size_t finding) {
  const std::string& name = law.findings[finding].name;
  return name.substr(name.find('.') + 1);
}

}  // namespace

std::string headline(const Subject& subject, const Answer& answer) {
  switch (answer.status) {
    case Status::decide: {
      const bool critical = subject.law.findings[answer.finding].critical != no_number;
      return fmt::format("DECIDE {}, {}{}", short_name(subject.law, answer.finding), answer.firm ? "firm" : "not firm",
                         critical ? ", critical" : "");
    }
    case Status::abstain:
      return "ABSTAIN (" + name_of(answer.reason) + ")";
    case Status::escalate:
      return fmt::format("ESCALATE to {} ({})", join(answer.to, ", "), name_of(answer.reason));
  }
  return {};
}

namespace {

/// Whether an escalate law is what it cites.
bool is_called(const Subject& subject, const Answer& answer) {
  return std::any_of(subject.law.laws.begin(), subject.law.laws.end(), [&](const LawEntry& entry) {
    return entry.kind == LawKind::escalate && std::binary_search(answer.cited.begin(), answer.cited.end(), entry.record);
  });
}

std::string meaning(const Subject& subject, const Answer& answer) {
  switch (answer.reason) {
    case Reason::none:
      return answer.firm ? "no missing value and no further engine could change this"
                         : "what is not known could still change this";
    case Reason::law:
      return is_called(subject, answer) ? "a law that calls for a person applies, or cannot be shown not to"
                                        : "a law bars the only finding that holds, or cannot be shown to be kept";
    case Reason::critical_not_excluded:
      return "a critical finding is neither shown nor excluded";
    case Reason::conflict:
      return "findings that exclude one another hold at once";
    case Reason::possible_defeater:
      return "a rule fires, and a rule that would override it cannot be decided";
    case Reason::blocked:
      return "no finding holds, and rules wait for what is not known";
    case Reason::no_rule:
      return "no finding holds: every rule is silent or defeated";
    case Reason::contradicted_by_evidence:
      return "evidence about the case does not say the only finding that holds";
  }
  return {};
}

}  // namespace

std::string evidence_text(const Subject& subject, std::size_t question) {
  if (subject.result.evidence.empty()) return {};
  const auto& [state, finding] = subject.result.evidence[question];
  if (state == condition::Field::State::invalid) return "its sources contradict one another";
  return finding == no_number ? std::string() : "it is " + short_name(subject.law, finding);
}

std::string because_of(const Subject& subject, std::size_t record) {
  for (const Rule& rule : subject.law.rules) {
    if (rule.record == record) return rule.fallback ? "no other finding holds" : fill(subject, rule.because);
  }
  for (const LawEntry& entry : subject.law.laws) {
    if (entry.record == record) return fill(subject, entry.because);
  }
  return {};
}

namespace {

/// The rules or laws that the answer cites: what carries it with its `because`, what is only concerned by name.
void explain_cited(Page& page, const Subject& subject, const Answer& answer) {
  const bool carried =
      answer.reason == Reason::none || answer.reason == Reason::law || answer.reason == Reason::contradicted_by_evidence;
  std::vector<std::string> names;
  for (const std::size_t record : answer.cited) {
    const RuleRecord& cited = subject.law.records[record];
    names.push_back(fmt::format("{}@{}", cited.id, cited.version));
    if (!carried) continue;
    const std::string because = because_of(subject, record);
    page.line(2, "by " + names.back() + (because.empty() ? "" : ": " + because));
  }
  if (!carried && !names.empty()) page.line(2, "rules concerned: " + join(names, ", "));
}

void explain_critical(Page& page, const Subject& subject, std::size_t question) {
  for (std::size_t i = 0; i < subject.law.critical.size(); ++i) {
    const Critical& critical = subject.law.critical[i];
    if (subject.law.findings[critical.finding].question != question) continue;
    const bool always = critical.suspect.canonical() == "true";
    page.line(2, fmt::format("critical finding {}, goes to {}, is suspected {}", short_name(subject.law, critical.finding),
                             critical.to, always ? "always" : "where"));
    if (!always) explain_condition(page, 4, subject, critical.suspect);
  }
}

}  // namespace

void explain_question(Page& page, const Subject& subject, const Answer& answer) {
  page.heading(fmt::format("QUESTION {}: {}", subject.law.questions[answer.question].name, headline(subject, answer)));
  page.line(2, meaning(subject, answer));
  if (answer.by_gate)
    page.line(
        2, "it would abstain; the partition is not trusted, so it goes to a person: by the gate report " + subject.law.closed_by);
  if (!answer.causes.empty()) {
    const char* words = answer.status == Status::decide ? "it would be firm but for: " : "not known: ";
    page.line(2, words + causes_text(subject, answer.causes));
  }
  const std::string evidence = evidence_text(subject, answer.question);
  if (!evidence.empty()) page.line(2, "evidence about this case: " + evidence);
  explain_cited(page, subject, answer);
  explain_laws(page, subject, answer.question);
  explain_critical(page, subject, answer.question);
  explain_rules(page, subject, answer.question);
}

/// What member panels answered: their parents may read it.
void explain_panels(Page& page, const Subject& subject) {
  if (subject.law.panels.size() < 2) return;
  page.heading("PANELS below the root");
  for (std::size_t panel = 0; panel < subject.law.panels.size(); ++panel) {
    if (panel == subject.law.root) continue;
    for (const Answer& answer : subject.result.panels[panel].answers) {
      std::string text = headline(subject, answer);
      if (!answer.causes.empty()) text += ": " + causes_text(subject, answer.causes);
      page.field(2, subject.law.panels[panel].name + "." + subject.law.questions[answer.question].name, 30, text);
    }
  }
}

}  // namespace hiple::law
