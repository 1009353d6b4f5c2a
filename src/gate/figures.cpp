#include "gate/figures.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/error.hpp"
#include "gate/bounds.hpp"
#include "gate/counter.hpp"
#include "gate/crossing.hpp"
#include "gate/resample.hpp"

namespace hiple::gate {

namespace {

/// What is to know of one finding, by index.
struct FindingFacts {
  bool is_default = false;
  bool critical = false;
  std::vector<bool> covered_by;  ///< of a critical one: the findings of its question that cover it
};

/// Boundaries and levels while they are gathered: whether each case is recalled there.
struct Places {
  struct Place {
    Share recall;
    std::size_t panel = Crossing::no_panel;
    std::vector<std::pair<std::uint32_t, bool>> cases;  ///< rows, and whether the boundary was recalled
  };
  std::map<std::pair<std::size_t, std::size_t>, Place> boundaries;
  std::map<std::size_t, Share> levels;  ///< by panel
};

class Measurement {
 public:
  explicit Measurement(const Measured& measured)
      : measured_(measured),
        decisions_(measured.decisions),
        questions_(decisions_.questions.size()),
        crossing_(measured),
        counter_(measured.truth) {
    if (measured.truth.gold.size() != decisions_.decisions.size()) throw Error("the truth is of other cases than the decisions");
    for (const law::Decisions* other : {measured.flat, measured.home, measured.links})
      if (other != nullptr && (other->case_id != decisions_.case_id || other->questions != decisions_.questions))
        throw Error("decisions that are compared are of other cases or questions");
    figures_.basis = crossing_.basis();
    for (std::size_t q = 0; q < questions_; ++q) {
      QuestionFigures& question = figures_.questions.emplace_back();
      question.question = decisions_.questions[q];
      question.has_truth = measured.truth.known_question[q];
      question.findings = decisions_.findings[q];
      question.confusion.assign(question.findings.size() * (question.findings.size() + 2), 0);
      has_truth_ = has_truth_ || question.has_truth;
      facts_.emplace_back();
      for (std::size_t f = 0; f < decisions_.findings[q].size(); ++f) facts_[q].push_back(facts_of_finding(q, f));
    }
  }

  void add(std::size_t row) {
    ++figures_.rows;
    if (!measured_.truth.cluster.empty()) clusters_.insert(measured_.truth.cluster[row]);
    bool decided = true, known = has_truth_;
    for (std::size_t q = 0; q < questions_; ++q) {
      const bool is_decided = decisions_.at(row, q).status == law::Status::decide;
      figures_.questions[q].outcomes.add(decisions_.at(row, q));
      counter_.success(figures_.questions[q].decided, row, is_decided);
      decided = decided && is_decided;
      if (!measured_.truth.known_question[q]) continue;
      if (gold(row, q) == law::no_index) {
        known = false;
        ++figures_.questions[q].unknown;
      } else {
        add_answer(row, q);
      }
    }
    known = known && crossing_.knows(row);
    counter_.success(figures_.coverage, row, decided && questions_ > 0);
    add_cost(row);
    const Crossed crossed = known || (!crossing_.needs_truth() && crossing_.knows(row)) ? crossing_.of(row) : Crossed{};
    if (crossed.crosses) add_crossed(row, crossed);
    if (known) {
      add_case(row, decided, crossed.crosses);
    } else {
      ++figures_.unknown;
    }
  }

  Figures result() {
    for (const QuestionFigures& question : figures_.questions) figures_.outcomes.add(question.outcomes);
    pool();
    counter_.finish(figures_.cost);
    list_boundaries();
    figures_.clusters = clusters_.size();
    figures_.pairs_interval = resample(resampled_, measured_.seed);
    return figures_;
  }

 private:
  [[nodiscard]] std::uint16_t gold(std::size_t row, std::size_t q) const { return measured_.truth.gold[row * questions_ + q]; }
  [[nodiscard]] const FindingFacts& facts(std::size_t row, std::size_t q) const { return facts_[q].at(gold(row, q)); }

  [[nodiscard]] bool right(const law::Decisions& decisions, std::size_t row, std::size_t q) const {
    const law::Decision& decision = decisions.at(row, q);
    if (decision.status != law::Status::decide) return false;
    const std::uint16_t also = measured_.truth.also[row * questions_ + q];
    return decision.finding == gold(row, q) || (also != law::no_index && decision.finding == also);
  }
  [[nodiscard]] bool exact(const law::Decisions& decisions, std::size_t row) const {
    for (std::size_t q = 0; q < questions_; ++q)
      if (measured_.truth.known_question[q] && !right(decisions, row, q)) return false;
    return true;
  }
  /// Decided with a finding that does not cover the critical one that is true.
  [[nodiscard]] bool silent(std::size_t row, std::size_t q) const {
    const law::Decision& decision = decisions_.at(row, q);
    return decision.status == law::Status::decide && !facts(row, q).covered_by.at(decision.finding);
  }
  [[nodiscard]] bool dropped(std::size_t row, std::size_t q) const {
    return decisions_.at(row, q).status == law::Status::abstain;
  }
  /// Decided, or escalated in its own question and for its own sake: not because a gate sends what is open to people.
  [[nodiscard]] bool found(std::size_t row, std::size_t q) const {
    const law::Decision& decision = decisions_.at(row, q);
    const bool by_gate = (decision.flags & law::flag::gate_closed) != 0 && (decision.flags & law::flag::escalated) == 0;
    return right(decisions_, row, q) || (decision.status == law::Status::escalate && !by_gate);
  }

  void add_answer(std::size_t row, std::size_t q) {
    QuestionFigures& figures = figures_.questions[q];
    const law::Decision& decision = decisions_.at(row, q);
    const std::size_t findings = figures.findings.size();
    std::size_t answer = decision.finding;
    if (decision.status == law::Status::decide) ++(right(decisions_, row, q) ? figures.right : figures.wrong);
    if (decision.status == law::Status::abstain) ++figures.abstained, answer = findings;
    if (decision.status == law::Status::escalate) ++figures.escalated, answer = findings + 1;
    ++figures.confusion.at(gold(row, q) * (findings + 2) + answer);
    if (facts(row, q).critical) {
      counter_.miss(figures.silent, row, silent(row, q));
      counter_.miss(figures.strict, row, silent(row, q) || dropped(row, q));
    } else {
      counter_.miss(figures.over_triage, row, decision.status == law::Status::escalate);
    }
  }

  void add_case(std::size_t row, bool decided, bool crosses) {
    bool all_found = true, critical = false, is_silent = false, is_strict = false;
    std::size_t findings = 0;
    for (std::size_t q = 0; q < questions_; ++q) {
      if (!measured_.truth.known_question[q]) continue;
      const FindingFacts& truth = facts(row, q);
      if (!truth.is_default) {
        ++findings;
        all_found = all_found && found(row, q);
      }
      if (!truth.critical) continue;
      critical = true;
      is_silent = is_silent || silent(row, q);
      is_strict = is_strict || silent(row, q) || dropped(row, q);
    }
    const bool is_exact = exact(decisions_, row);
    counter_.success(figures_.exact, row, is_exact);
    counter_.miss(figures_.generalised_risk, row, decided && !is_exact);
    if (decided) counter_.miss(figures_.selective_risk, row, !is_exact);
    if (measured_.flat != nullptr) {
      const bool flat = exact(*measured_.flat, row);
      if (flat) counter_.success(figures_.retention, row, is_exact);
      counter_.miss(figures_.against_flat.worse, row, flat && !is_exact);
      counter_.success(figures_.against_flat.better, row, !flat && is_exact);
    }
    const bool cross = figures_.basis == Basis::none ? findings > 1 : crosses;
    if (cross) counter_.success(figures_.found, row, all_found);
    if (!critical) return;
    counter_.miss(figures_.silent, row, is_silent);
    counter_.miss(figures_.strict, row, is_strict);
    if (!cross) return;
    counter_.miss(figures_.silent_cross, row, is_silent);
    counter_.miss(figures_.strict_cross, row, is_strict);
  }

  void add_crossed(std::size_t row, const Crossed& crossed) {
    counter_.success(figures_.recall, row, crossed.recalled);
    if (measured_.links != nullptr) counter_.success(figures_.recall_links, row, crossed.recalled_links);
    figures_.pairs.count += crossed.pairs_recalled;
    figures_.pairs.n += crossed.pairs;
    auto& [count, n] = resampled_[measured_.truth.cluster.empty() ? row : measured_.truth.cluster[row]];
    count += crossed.pairs_recalled;
    n += crossed.pairs;
    std::map<std::size_t, bool> levels;  // of this case, by panel
    for (const Crossed::Step& step : crossed.steps) {
      Places::Place& place = places_.boundaries[{step.from, step.to}];
      place.panel = crossing_.panel_of(step.from, step.to);
      place.cases.emplace_back(static_cast<std::uint32_t>(row), step.recalled);
      counter_.success(place.recall, row, step.recalled);
      if (place.panel == Crossing::no_panel) continue;
      const auto [level, is_new] = levels.emplace(place.panel, true);
      level->second = level->second && step.recalled;
    }
    for (const auto& [panel, recalled] : levels) counter_.success(places_.levels[panel], row, recalled);
  }

  void add_cost(std::size_t row) {
    const std::size_t engines = decisions_.engines.size();
    if (engines == 0) return;
    const std::size_t asked = size_of({decisions_.consulted.data() + row * decisions_.words(), decisions_.words()});
    counter_.mean(figures_.cost, row, static_cast<double>(asked) / static_cast<double>(engines));
  }

  /// Boundaries with too few cases become one: there a case is recalled where all of them are.
  void pool() {
    const std::uint64_t least = pooled_under(measured_.gates.thresholds);
    std::map<std::uint32_t, bool> cases;
    std::size_t number = 0;
    for (const auto& [ends, place] : places_.boundaries) {
      if (units_of(place) >= least) continue;
      ++number;
      for (const auto& [row, recalled] : place.cases) {
        const auto [entry, is_new] = cases.emplace(row, true);
        entry->second = entry->second && recalled;
      }
    }
    if (number == 0) return;
    figures_.pooled.push_back({"pooled", {}, {}, {}});
    for (const auto& [row, recalled] : cases) counter_.success(figures_.pooled[0].recall, row, recalled);
  }
  /// Cases, or clusters of them, that cross a boundary: what its bound is taken of.
  [[nodiscard]] std::uint64_t units_of(const Places::Place& place) const {
    if (measured_.truth.cluster.empty()) return place.recall.n;
    std::vector<std::uint64_t> clusters;
    clusters.reserve(place.cases.size());
    for (const auto& [row, recalled] : place.cases) clusters.push_back(measured_.truth.cluster[row]);
    std::sort(clusters.begin(), clusters.end());
    return static_cast<std::uint64_t>(std::unique(clusters.begin(), clusters.end()) - clusters.begin());
  }

  void list_boundaries() {
    for (const auto& [ends, place] : places_.boundaries) {
      const std::string panel = place.panel == Crossing::no_panel ? std::string() : measured_.law.panels[place.panel].name;
      figures_.boundaries.push_back({crossing_.name_of_from(ends.first), crossing_.name_of_to(ends.second), panel, place.recall});
    }
    std::sort(figures_.boundaries.begin(), figures_.boundaries.end(),
              [](const BoundaryFigures& a, const BoundaryFigures& b) { return a.name() < b.name(); });
    for (const auto& [panel, recall] : places_.levels)
      figures_.levels.push_back({measured_.law.panels[panel].name, measured_.law.panels[panel].level, recall});
  }

  [[nodiscard]] FindingFacts facts_of_finding(std::size_t q, std::size_t f) const {
    const std::string& question = decisions_.questions[q];
    const std::vector<std::string>& findings = decisions_.findings[q];
    FindingFacts facts;
    const auto fallback = measured_.law.defaults.find(question);
    facts.is_default = fallback != measured_.law.defaults.end() && fallback->second == findings[f];
    const auto critical = measured_.law.covered_by.find(question + "." + findings[f]);
    if (critical == measured_.law.covered_by.end()) return facts;
    facts.critical = true;
    for (const std::string& other : findings) {
      const auto& cover = critical->second;
      facts.covered_by.push_back(std::find(cover.begin(), cover.end(), question + "." + other) != cover.end());
    }
    return facts;
  }

  const Measured& measured_;
  const law::Decisions& decisions_;
  std::size_t questions_;
  bool has_truth_ = false;
  std::vector<std::vector<FindingFacts>> facts_;  ///< [question][finding]
  Crossing crossing_;
  Counter counter_;
  Places places_;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>
      resampled_;  ///< of each case or cluster: pairs recalled, pairs
  std::unordered_set<std::uint64_t> clusters_;
  Figures figures_;
};

}  // namespace

std::uint64_t pooled_under(const Thresholds& thresholds) {
  return thresholds.cbr > 0 && thresholds.cbr < 1 ? needed_cases(1 - thresholds.cbr) : 1;
}

Figures measure(const Measured& measured, std::span<const std::uint32_t> rows) {
  Measurement measurement(measured);
  for (const std::uint32_t row : rows) {
    if (row >= measured.decisions.cases()) throw Error("there is no row " + std::to_string(row) + " to measure");
    measurement.add(row);
  }
  return measurement.result();
}

}  // namespace hiple::gate
