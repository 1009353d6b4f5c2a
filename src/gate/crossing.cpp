#include "gate/crossing.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::gate {

namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::span<const std::uint64_t> consulted(const law::Decisions& decisions, std::size_t row) {
  return {decisions.consulted.data() + row * decisions.words(), decisions.words()};
}

law::Status own_status(const law::Decision& decision) {
  const bool by_gate = (decision.flags & law::flag::gate_closed) != 0 && (decision.flags & law::flag::escalated) == 0;
  return decision.status == law::Status::escalate && by_gate ? law::Status::abstain : decision.status;
}

}  // namespace

bool same_answer(const law::Decision& a, const law::Decision& b) {
  return a.finding == b.finding && own_status(a) == own_status(b);
}

EngineSets judged_by(const law::Decisions& decisions, const std::vector<law::EngineJudgments>& engines) {
  EngineSets sets(decisions.cases(), decisions.engines.size());
  for (const law::EngineJudgments& engine : engines) {
    const auto found = std::find_if(decisions.engines.begin(), decisions.engines.end(),
                                    [&](const law::EngineRecord& record) { return record.name == engine.name; });
    if (engine.judgments == nullptr || found == decisions.engines.end()) continue;
    const auto number = static_cast<std::size_t>(found - decisions.engines.begin());
    const std::vector<std::uint64_t>& ids = engine.judgments->case_id;
    std::size_t at = 0;  // both ascend
    for (std::size_t row = 0; row < decisions.cases(); ++row) {
      while (at < ids.size() && ids[at] < decisions.case_id[row]) ++at;
      if (at == ids.size()) break;
      if (ids[at] == decisions.case_id[row] && engine.judgments->status[at] == JudgmentStatus::judged) sets.insert(row, number);
    }
  }
  return sets;
}

Crossing::Crossing(const Measured& measured)
    : measured_(measured),
      decisions_(measured.decisions),
      has_home_(!measured.gates.home.column.empty()),
      judged_(judged_by(measured.decisions, measured.engines)) {
  if (!measured.gates.needed_columns.empty()) {
    basis_ = Basis::annotated;
  } else if (!measured.gates.needed.empty()) {
    basis_ = Basis::stated;
    read_stated();
  } else if (measured.flat != nullptr && measured.home != nullptr) {
    basis_ = Basis::counterfactual;
  }
  for (const LawFacts::Panel& panel : measured.law.panels) {
    panels_.emplace_back(decisions_.engines.size());
    for (std::size_t engine = 0; engine < decisions_.engines.size(); ++engine)
      panels_.back()[engine] =
          std::find(panel.engines.begin(), panel.engines.end(), decisions_.engines[engine].name) != panel.engines.end();
  }
}

void Crossing::read_stated() {
  const auto number = [&](const std::string& name) {
    for (std::size_t i = 0; i < decisions_.engines.size(); ++i)
      if (decisions_.engines[i].name == name) return i;
    throw Error("gates: the decisions know no engine " + name);
  };
  const auto& needed = measured_.gates.needed;
  for (std::size_t q = 0; q < decisions_.questions.size(); ++q) {
    stated_.emplace_back();
    for (const std::string& finding : decisions_.findings[q]) {
      stated_.back().emplace_back();
      // An answer that is the absence of a finding needs nobody.
      const auto fallback = measured_.law.defaults.find(decisions_.questions[q]);
      if (fallback != measured_.law.defaults.end() && fallback->second == finding) continue;
      const auto own = needed.find(decisions_.questions[q] + "." + finding), whole = needed.find(decisions_.questions[q]);
      const auto engines = own != needed.end() ? own : whole;
      if (engines == needed.end()) continue;
      for (const std::string& engine : engines->second) stated_.back().back().push_back(number(engine));
    }
  }
}

std::vector<std::uint64_t> Crossing::needed(std::size_t row) const {
  if (basis_ == Basis::annotated) {
    const auto set = measured_.truth.needed.of(row);
    return {set.begin(), set.end()};
  }
  std::vector<std::uint64_t> set(decisions_.words());
  const std::size_t questions = decisions_.questions.size();
  for (std::size_t q = 0; q < questions; ++q) {
    const std::uint16_t gold = measured_.truth.gold[row * questions + q];
    if (!measured_.truth.known_question[q] || gold == law::no_index) continue;
    for (const std::size_t engine : stated_[q].at(gold)) set[engine / 64] |= std::uint64_t{1} << (engine % 64);
  }
  return set;
}

Crossed Crossing::by_engines(std::size_t row) const {
  const std::vector<std::uint64_t> all = needed(row);
  std::vector<std::uint64_t> beyond = all;
  if (has_home_)
    for (std::size_t word = 0; word < beyond.size(); ++word) beyond[word] &= ~measured_.truth.home.of(row)[word];
  Crossed crossed;
  crossed.crosses = size_of(beyond) >= (has_home_ ? 1U : 2U);
  if (!crossed.crosses) return crossed;
  const auto asked = consulted(decisions_, row), judged = judged_.of(row);
  const auto had = [&](std::size_t engine) { return contains(asked, engine) && contains(judged, engine); };
  const std::vector<std::size_t> wanted = members_of(beyond);
  crossed.pairs = wanted.size();
  crossed.pairs_recalled = static_cast<std::uint64_t>(std::count_if(wanted.begin(), wanted.end(), had));
  crossed.recalled = crossed.pairs_recalled == crossed.pairs;
  crossed.recalled_links = measured_.links != nullptr && std::all_of(wanted.begin(), wanted.end(), [&](std::size_t engine) {
                             return contains(consulted(*measured_.links, row), engine) && contains(judged, engine);
                           });
  std::vector<std::size_t> sources = has_home_ ? members_of(measured_.truth.home.of(row)) : wanted;
  if (sources.empty()) sources = {nowhere};
  for (const std::size_t from : sources)
    for (const std::size_t to : wanted)
      if (from != to) crossed.steps.push_back({from, to, had(to)});
  return crossed;
}

/// The homes are the engines that the law consults without links.
Crossed Crossing::by_decisions(std::size_t row) {
  Crossed crossed{false, true, measured_.links != nullptr, 0, 0, {}};
  std::size_t from = nowhere;
  for (std::size_t q = 0; q < decisions_.questions.size(); ++q) {
    const law::Decision& flat = measured_.flat->at(row, q);
    const bool same = same_answer(decisions_.at(row, q), flat);
    crossed.recalled = crossed.recalled && same;
    if (measured_.links != nullptr)
      crossed.recalled_links = crossed.recalled_links && same_answer(measured_.links->at(row, q), flat);
    if (same_answer(measured_.home->at(row, q), flat)) continue;
    if (from == nowhere) {
      const auto engines = members_of(consulted(*measured_.home, row));
      const auto [entry, is_new] = homes_.emplace(engines, home_names_.size());
      if (is_new) {
        std::vector<std::string> names;
        names.reserve(engines.size());
        for (const std::size_t engine : engines) names.push_back(decisions_.engines[engine].name);
        home_names_.push_back(names.empty() ? no_home : join(names, "+"));
      }
      from = entry->second;
    }
    crossed.crosses = true;
    ++crossed.pairs;
    if (same) ++crossed.pairs_recalled;
    crossed.steps.push_back({from, q, same});
  }
  return crossed;
}

Crossed Crossing::of(std::size_t row) {
  if (basis_ == Basis::none) return {};
  return basis_ == Basis::counterfactual ? by_decisions(row) : by_engines(row);
}

std::string Crossing::name_of_from(std::size_t from) const {
  if (basis_ == Basis::counterfactual) return home_names_.at(from);
  return from == nowhere ? no_home : decisions_.engines.at(from).name;
}

std::string Crossing::name_of_to(std::size_t to) const {
  return basis_ == Basis::counterfactual ? decisions_.questions.at(to) : decisions_.engines.at(to).name;
}

std::size_t Crossing::panel_of(std::size_t from, std::size_t to) const {
  if (basis_ == Basis::counterfactual || panels_.empty()) return no_panel;
  std::size_t lowest = 0;
  if (from == nowhere) return lowest;
  for (std::size_t panel = 0; panel < panels_.size(); ++panel)
    if (panels_[panel][from] && panels_[panel][to] && measured_.law.panels[panel].level >= measured_.law.panels[lowest].level)
      lowest = panel;
  return lowest;
}

std::string name_of(Basis basis) {
  switch (basis) {
    case Basis::annotated:
      return "annotated";
    case Basis::stated:
      return "stated";
    case Basis::counterfactual:
      return "counterfactual";
    case Basis::none:
      break;
  }
  return "none";
}

std::string meaning_of(Basis basis, bool has_home) {
  const std::string engines = has_home ? "an engine that is not at home" : "two engines or more";
  switch (basis) {
    case Basis::annotated:
      return "cross-boundary: a case needs " + engines + ", as the data say";
    case Basis::stated:
      return "cross-boundary: the true findings need " + engines + ", as gates.yaml says";
    case Basis::counterfactual:
      return "cross-boundary: the home engines alone do not give the decision that all engines give";
    case Basis::none:
      break;
  }
  return "cross-boundary: two questions have true findings; which engines they need is not known";
}

}  // namespace hiple::gate
