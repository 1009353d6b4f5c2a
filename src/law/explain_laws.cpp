#include "law/explain_laws.hpp"

#include <fmt/core.h>

#include "law/explain_premises.hpp"

namespace hiple::law {

using condition::Truth;

bool concerns(const Law::Model& law, const LawEntry& entry, std::size_t question) {
  return entry.kind == LawKind::escalate ? entry.target == question : law.findings[entry.target].question == question;
}

std::string effect_text(const Subject& subject, std::size_t law) {
  const LawEntry& entry = subject.law.laws[law];
  const Truth when = subject.result.laws[law].value;
  if (entry.kind == LawKind::require) {
    const std::string& finding = subject.law.findings[entry.target].name;
    if (when == Truth::yes) return "is kept: what " + finding + " requires is TRUE";
    return when == Truth::no ? "bars " + finding + ": what that requires is FALSE"
                             : "bars " + finding + ": what that requires is UNKNOWN";
  }
  const bool escalates = entry.kind == LawKind::escalate;
  const std::string target = escalates ? subject.law.questions[entry.target].name : subject.law.findings[entry.target].name;
  if (when == Truth::no) return fmt::format("does not apply: it would {} {}", escalates ? "escalate" : "forbid", target);
  const std::string verb = escalates ? "escalates " : "forbids ";
  return (when == Truth::yes ? "applies and " : "cannot be shown not to apply, and so it ") + verb + target;
}

void explain_laws(Page& page, const Subject& subject, std::size_t question) {
  for (std::size_t i = 0; i < subject.law.laws.size(); ++i) {
    const LawEntry& entry = subject.law.laws[i];
    if (!concerns(subject.law, entry, question)) continue;
    const std::string title = entry.title.empty() ? "" : " (" + entry.title + ")";
    page.line(2, fmt::format("law {}{} {}", entry.id, title, effect_text(subject, i)));
    explain_condition(page, 4, subject, entry.when);
  }
}

bool explain_why_not_law(Page& page, const Subject& subject, const std::string& id) {
  for (std::size_t i = 0; i < subject.law.laws.size(); ++i) {
    const LawEntry& entry = subject.law.laws[i];
    if (entry.id != id) continue;
    page.heading(fmt::format("WHY NOT {}?", id));
    page.line(2, fmt::format("The law {}", effect_text(subject, i)));
    explain_obstacles(page, subject, entry.when);
    return true;
  }
  return false;
}

}  // namespace hiple::law
