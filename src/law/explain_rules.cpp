#include "law/explain_rules.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "law/explain_laws.hpp"
#include "law/explain_premises.hpp"

namespace hiple::law {

using condition::Truth;

namespace {

const RuleResult& result_of(const Subject& subject, std::size_t rule) {
  return subject.result.panels[subject.law.root].rules[rule];
}

}  // namespace

std::string overriders(const Subject& subject, std::size_t rule, Truth stand) {
  std::vector<std::string> names;
  for (const std::size_t other : subject.law.rules[rule].beaten_by) {
    if (result_of(subject, other).stand.value == stand) names.push_back(subject.law.rules[other].id);
  }
  return join(names, ", ");
}

namespace {

std::string not_in_force_text(const Rule& rule) {
  switch (rule.status) {
    case RuleStatus::proposed:
      return "it is proposed only";
    case RuleStatus::verified:
      return "it is verified, but nobody has accepted it";
    case RuleStatus::retired:
      return "it is retired";
    case RuleStatus::accepted:
    case RuleStatus::suspended:
      break;
  }
  return "it is not valid on the day of the run";
}

void explain_rule(Page& page, const Subject& subject, std::size_t index) {
  const Rule& rule = subject.law.rules[index];
  const Fate fate = fate_of(subject, index);
  const std::string title = rule.title.empty() ? "" : " (" + rule.title + ")";
  page.line(2, fmt::format("{} for {}{} {}", rule_name(rule), subject.law.findings[rule.finding].name, title,
                           fate_text(subject, index)));
  if (rule.fallback) return;
  for (const EvidenceLine& evidence : evidence_of(rule)) page.line(4, evidence.text());
  if (fate == Fate::blocked && !obstacles(subject, rule.when).empty()) page.line(4, "it would need " + needs(subject, rule.when));
  explain_condition(page, 4, subject, rule.when);
  if (!rule.suspended) return;
  page.line(4, "and is suspended where");
  explain_condition(page, 4, subject, *rule.suspended);
}

void explain_silent(Page& page, const Subject& subject, std::size_t index) {
  const Rule& rule = subject.law.rules[index];
  const auto texts = obstacles(subject, rule.when);
  std::string text = texts.front();
  if (texts.size() > 1) text += fmt::format(", and {} more", texts.size() - 1);
  page.field(4, rule.id + " for " + subject.law.findings[rule.finding].name, 32, text);
}

/// A rule that stands: what came of its finding.
std::string standing_text(const Subject& subject, const Rule& rule) {
  const std::size_t question = subject.law.findings[rule.finding].question;
  const Answer& answer = subject.result.answers(subject.law)[question];
  if (answer.status == Status::decide) return "and the decision rests on it";
  return fmt::format("but the question is not decided: {}", name_of(answer.reason));
}

}  // namespace

std::string EvidenceLine::text() const {
  std::string text = (supports ? "evidence for it: " : "evidence against it: ") + source;
  if (!cases.empty()) text += fmt::format(", {} of {} cases", held.empty() ? "0" : held, cases);
  return note.empty() ? text : text + ": " + note;
}

std::vector<EvidenceLine> evidence_of(const Rule& rule) {
  std::vector<EvidenceLine> lines;
  for (const yaml::Node& node : rule.evidence.items) {
    EvidenceLine& line = lines.emplace_back();
    for (const yaml::Entry& entry : node.entries) {
      const std::string& text = entry.value.text;
      if (entry.key == "source") line.source = text;
      if (entry.key == "note") line.note = text;
      if (entry.key == "supports") line.supports = text == "true";
      if (entry.key == "cases") line.cases = text;
      if (entry.key == "held") line.held = text;
    }
  }
  return lines;
}

std::string rule_name(const Rule& rule) {
  return rule.fallback ? "The default" : fmt::format("{} version {}", rule.id, rule.version);
}

Fate fate_of(const Subject& subject, std::size_t rule) {
  if (!subject.law.rules[rule].in_force) return Fate::not_in_force;
  const RuleResult& result = result_of(subject, rule);
  if (result.when.value == Truth::no) return Fate::silent;
  if (result.when.value == Truth::unknown) return Fate::blocked;
  return result.stand.value == Truth::yes ? Fate::stands : result.stand.value == Truth::no ? Fate::defeated : Fate::contested;
}

std::string fate_text(const Subject& subject, std::size_t rule) {
  const std::string defeaters = overriders(subject, rule, Truth::yes);
  switch (fate_of(subject, rule)) {
    case Fate::not_in_force:
      return "takes no part: " + not_in_force_text(subject.law.rules[rule]);
    case Fate::silent:
      return "is silent: its condition is FALSE";
    case Fate::blocked:
      return "is blocked: " + causes_text(subject, result_of(subject, rule).when.causes) +
             (defeaters.empty() ? "" : "; it would be defeated by " + defeaters + " anyway");
    case Fate::defeated:
      return "fires, but is defeated by " + defeaters;
    case Fate::contested:
      return "fires, but it is not known whether it is defeated: " + overriders(subject, rule, Truth::unknown) + " is UNKNOWN (" +
             causes_text(subject, result_of(subject, rule).stand.causes) + ")";
    case Fate::stands:
      return "stands";
  }
  return {};
}

void explain_rules(Page& page, const Subject& subject, std::size_t question) {
  std::vector<std::size_t> silent, idle;
  for (std::size_t i = 0; i < subject.law.rules.size(); ++i) {
    if (subject.law.findings[subject.law.rules[i].finding].question != question) continue;
    const Fate fate = fate_of(subject, i);
    if (fate == Fate::silent)
      silent.push_back(i);
    else if (fate == Fate::not_in_force)
      idle.push_back(i);
    else
      explain_rule(page, subject, i);
  }
  if (!silent.empty()) page.line(2, "silent:");
  for (const std::size_t rule : silent) explain_silent(page, subject, rule);
  for (const std::size_t rule : idle) page.line(2, rule_name(subject.law.rules[rule]) + " " + fate_text(subject, rule));
}

void explain_why_not(Page& page, const Subject& subject, const std::string& id) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < subject.law.rules.size(); ++i) {
    const Rule& rule = subject.law.rules[i];
    ids.push_back(rule.id);
    if (rule.id != id) continue;
    page.heading(fmt::format("WHY NOT {}?", id));
    const Fate fate = fate_of(subject, i);
    page.line(2, fate == Fate::stands ? "It stands, " + standing_text(subject, rule) : "It " + fate_text(subject, i));
    if (fate == Fate::silent || fate == Fate::blocked || fate == Fate::not_in_force) explain_obstacles(page, subject, rule.when);
    return;
  }
  if (explain_why_not_law(page, subject, id)) return;
  for (const LawEntry& entry : subject.law.laws) ids.push_back(entry.id);
  throw InputError({}, "no rule or law \"" + id + "\" in this law", "", suggestion(id, ids));
}

}  // namespace hiple::law
