#include "law/explain_engines.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"

namespace hiple::law {

using condition::Voice;

namespace {

std::size_t widest(const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, columns_of(name));
  return std::min<std::size_t>(width, 40) + 2;
}

std::string engine_names(const Law::Model& law, const std::vector<std::size_t>& engines) {
  std::vector<std::string> names;
  names.reserve(engines.size());
  for (const std::size_t engine : engines) names.push_back(law.engines[engine].name);
  return names.empty() ? "none" : join(names, ", ");
}

const char* name_of(Ring ring) {
  switch (ring) {
    case Ring::needed:
      return "needed: the engines that undecided questions wait for";
    case Ring::panel:
      return "panel: the other members of the panels consulted";
    case Ring::all:
      return "all engines";
  }
  return "";
}

std::string home_text(const Subject& subject) {
  if (subject.given) return "as the case gives them";
  if (subject.result.home == no_number) return "the home engines: all";
  const auto& when = subject.law.home[subject.result.home].when;
  return fmt::format("the home engines, by entry {} of the route{}", subject.result.home + 1,
                     when ? ": " + when->canonical() : " (otherwise)");
}

/// What brought the engines of the next round in. A link to an engine that is there already brings nothing.
void explain_step(Page& page, const Subject& subject, const Round& round) {
  for (const std::size_t index : round.links) {
    const Link& link = subject.law.links[index];
    if (std::binary_search(round.active.begin(), round.active.end(), link.to)) continue;
    const std::string because = fill(subject, link.because);
    page.line(4, fmt::format("{}link {}: {} calls {} where {}{}", link.eager ? "eager " : "", link.id,
                             subject.law.engines[link.from].name, subject.law.engines[link.to].name, link.when.canonical(),
                             because.empty() ? "" : ": " + because));
  }
  if (round.broadened) page.line(4, fmt::format("no link reached a new engine; broadened to {}", name_of(*round.broadened)));
}

std::string probabilities(const EngineDescription& engine, const Voice& voice) {
  if (voice.probability.size() != engine.classes.size()) return {};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < engine.classes.size(); ++i)
    texts.push_back(fmt::format("{} {:.3f}", engine.classes[i], voice.probability[i]));
  return " (" + join(texts, ", ") + ")";
}

std::string judgment_text(const Subject& subject, std::size_t index) {
  const EngineDescription& engine = subject.law.engines[index];
  const Voice voice = subject.view().engine(index);
  switch (voice.state) {
    case Voice::State::inactive:
      return "not consulted: whatever it would say is not seen";
    case Voice::State::unavailable:
      return "not available: " + subject.absence(engine.name);
    case Voice::State::abstained:
      return fmt::format("abstained: not its kind of case (typicality {})", format_float(voice.typicality));
    case Voice::State::invalid:
      return "no judgment: one of its inputs is invalid";
    case Voice::State::judged:
      break;
  }
  if (engine.classes.empty())
    return fmt::format("says {}, typicality {}", format_float(voice.value), format_float(voice.typicality));
  return fmt::format("says {}, confidence {}, typicality {}{}", engine.classes[voice.label], format_float(voice.confidence),
                     format_float(voice.typicality), probabilities(engine, voice));
}

}  // namespace

void explain_inputs(Page& page, const Subject& subject) {
  page.heading("INPUTS that the law reads");
  const std::size_t width = widest(subject.law.columns);
  bool any = false;
  for (std::size_t column = 0; column < subject.law.columns.size(); ++column) {
    if (!subject.law.column_is_read[column]) continue;
    page.field(2, subject.law.columns[column], width, column_value(subject, column));
    any = true;
  }
  if (!any) page.line(2, "none");
}

void explain_rounds(Page& page, const Subject& subject) {
  page.heading("ENGINES consulted");
  const auto& trace = subject.result.trace;
  for (std::size_t number = 0; number < trace.size(); ++number) {
    const auto& added = number == 0 ? trace[0].active : trace[number - 1].added;
    page.line(
        2, fmt::format("round {}: {}{}", number, engine_names(subject.law, added), number == 0 ? ", " + home_text(subject) : ""));
    const bool last = number + 1 == trace.size();
    if (!last) explain_step(page, subject, trace[number]);
  }
  if (subject.result.capped) {
    page.line(2, fmt::format("stopped at the largest number of rounds, {}, with engines still to call: no decision is firm",
                             subject.law.max_rounds));
  }
}

void explain_judgments(Page& page, const Subject& subject) {
  page.heading("JUDGMENTS");
  std::vector<std::string> names;
  names.reserve(subject.law.engines.size());
  for (const EngineDescription& engine : subject.law.engines) names.push_back(engine.name);
  for (std::size_t i = 0; i < names.size(); ++i) page.field(2, names[i], widest(names), judgment_text(subject, i));
  if (names.empty()) page.line(2, "none");
}

}  // namespace hiple::law
