#include "gate/figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace hiple::gate {

namespace {

/// What is to know of one finding, by index.
struct FindingFacts {
  bool is_default = false;
  bool critical = false;
  std::vector<bool> covered_by;      ///< of a critical one: the findings of its question that cover it
  std::vector<std::size_t> engines;  ///< needed for it, as indices into Decisions::engines
};

class Measurement {
 public:
  explicit Measurement(const Measured& measured)
      : measured_(measured), decisions_(measured.decisions), questions_(decisions_.questions.size()) {
    if (measured.truth.gold.size() != decisions_.decisions.size()) throw Error("the truth is of other cases than the decisions");
    figures_.needed_is_stated = !measured.gates.needed.empty();
    for (std::size_t q = 0; q < questions_; ++q) {
      figures_.questions.push_back({});
      figures_.questions[q].question = decisions_.questions[q];
      figures_.questions[q].has_truth = measured.truth.known_question[q];
      has_truth_ = has_truth_ || measured.truth.known_question[q];
      facts_.emplace_back();
      for (std::size_t f = 0; f < decisions_.findings[q].size(); ++f) facts_[q].push_back(facts_of_finding(q, f));
    }
    for (const law::EngineRecord& engine : decisions_.engines) judgments_.push_back(judgments_of(engine.name));
  }

  void add(std::size_t row) {
    ++figures_.rows;
    bool decided = true, known = has_truth_;
    for (std::size_t q = 0; q < questions_; ++q) {
      figures_.questions[q].outcomes.add(decisions_.at(row, q));
      decided = decided && decisions_.at(row, q).status == law::Status::decide;
      if (!measured_.truth.known_question[q]) continue;
      if (gold(row, q) == law::no_index) {
        known = false;
        ++figures_.questions[q].unknown;
      } else {
        add_answer(row, q);
      }
    }
    figures_.coverage.add(decided && questions_ > 0);
    add_cost(row);
    if (known) {
      add_case(row);
    } else {
      ++figures_.unknown;
    }
  }

  Figures result() {
    for (const QuestionFigures& question : figures_.questions) figures_.outcomes.add(question.outcomes);
    return figures_;
  }

 private:
  [[nodiscard]] std::uint16_t gold(std::size_t row, std::size_t q) const { return measured_.truth.gold[row * questions_ + q]; }
  [[nodiscard]] const FindingFacts& facts(std::size_t row, std::size_t q) const { return facts_[q].at(gold(row, q)); }

  [[nodiscard]] bool right(std::size_t row, std::size_t q) const {
    const law::Decision& decision = decisions_.at(row, q);
    if (decision.status != law::Status::decide) return false;
    const std::uint16_t also = measured_.truth.also[row * questions_ + q];
    return decision.finding == gold(row, q) || (also != law::no_index && decision.finding == also);
  }
  /// Decided with a finding that does not cover the critical one that is true.
  [[nodiscard]] bool silent(std::size_t row, std::size_t q) const {
    const law::Decision& decision = decisions_.at(row, q);
    return decision.status == law::Status::decide && !facts(row, q).covered_by.at(decision.finding);
  }
  [[nodiscard]] bool dropped(std::size_t row, std::size_t q) const {
    return decisions_.at(row, q).status == law::Status::abstain;
  }
  /// Decided, or escalated in its own question and for its own sake: not because a gate sends everything to people.
  [[nodiscard]] bool found(std::size_t row, std::size_t q) const {
    const law::Decision& decision = decisions_.at(row, q);
    const bool closed = (decision.flags & law::flag::gate_closed) != 0;
    return right(row, q) || (decision.status == law::Status::escalate && !closed);
  }

  void add_answer(std::size_t row, std::size_t q) {
    QuestionFigures& figures = figures_.questions[q];
    const law::Status status = decisions_.at(row, q).status;
    if (status == law::Status::decide) ++(right(row, q) ? figures.right : figures.wrong);
    if (status == law::Status::abstain) ++figures.abstained;
    if (status == law::Status::escalate) ++figures.escalated;
    if (facts(row, q).critical) {
      figures.silent.add(silent(row, q));
      figures.strict.add(silent(row, q) || dropped(row, q));
    } else {
      figures.over_triage.add(status == law::Status::escalate);
    }
  }

  void add_case(std::size_t row) {
    bool exact = true, all_found = true, critical = false, is_silent = false, is_strict = false;
    std::size_t findings = 0;
    std::vector<std::size_t> needed;
    for (std::size_t q = 0; q < questions_; ++q) {
      if (!measured_.truth.known_question[q]) continue;
      exact = exact && right(row, q);
      const FindingFacts& truth = facts(row, q);
      if (!truth.is_default) {
        ++findings;
        all_found = all_found && found(row, q);
        needed.insert(needed.end(), truth.engines.begin(), truth.engines.end());
      }
      if (!truth.critical) continue;
      critical = true;
      is_silent = is_silent || silent(row, q);
      is_strict = is_strict || silent(row, q) || dropped(row, q);
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    const bool cross = figures_.needed_is_stated ? needed.size() > 1 : findings > 1;
    figures_.exact.add(exact);
    if (cross) figures_.found.add(all_found);
    if (cross && figures_.needed_is_stated) figures_.recall.add(all_judged(row, needed));
    if (!critical) return;
    figures_.silent.add(is_silent);
    figures_.strict.add(is_strict);
    if (!cross) return;
    figures_.silent_cross.add(is_silent);
    figures_.strict_cross.add(is_strict);
  }

  [[nodiscard]] bool consulted(std::size_t row, std::size_t engine) const {
    return (decisions_.consulted[row * decisions_.words() + engine / 64] >> (engine % 64) & 1U) != 0;
  }
  [[nodiscard]] bool all_judged(std::size_t row, const std::vector<std::size_t>& engines) const {
    return std::all_of(engines.begin(), engines.end(), [&](std::size_t engine) {
      const Judgments* judgments = judgments_[engine];
      if (judgments == nullptr || !consulted(row, engine)) return false;
      const auto& ids = judgments->case_id;
      const auto at = std::lower_bound(ids.begin(), ids.end(), decisions_.case_id[row]);
      if (at == ids.end() || *at != decisions_.case_id[row]) return false;
      return judgments->status[static_cast<std::size_t>(at - ids.begin())] == JudgmentStatus::judged;
    });
  }
  void add_cost(std::size_t row) {
    const std::size_t engines = decisions_.engines.size();
    if (engines == 0) return;
    std::size_t count = 0;
    for (std::size_t engine = 0; engine < engines; ++engine)
      if (consulted(row, engine)) ++count;
    figures_.cost.sum += static_cast<double>(count) / static_cast<double>(engines);
    ++figures_.cost.n;
  }

  [[nodiscard]] FindingFacts facts_of_finding(std::size_t q, std::size_t f) const {
    const std::string& question = decisions_.questions[q];
    const std::vector<std::string>& findings = decisions_.findings[q];
    const std::string name = question + "." + findings[f];
    FindingFacts facts;
    const auto fallback = measured_.law.defaults.find(question);
    facts.is_default = fallback != measured_.law.defaults.end() && fallback->second == findings[f];
    if (const auto critical = measured_.law.covered_by.find(name); critical != measured_.law.covered_by.end()) {
      facts.critical = true;
      for (const std::string& other : findings) {
        const auto& cover = critical->second;
        facts.covered_by.push_back(std::find(cover.begin(), cover.end(), fmt::format("{}.{}", question, other)) != cover.end());
      }
    }
    const auto& needed = measured_.gates.needed;
    const auto own = needed.find(name), whole = needed.find(question);
    const auto engines = own != needed.end() ? own : whole;
    if (engines == needed.end()) return facts;
    for (const std::string& engine : engines->second) facts.engines.push_back(engine_index(engine));
    return facts;
  }
  [[nodiscard]] std::size_t engine_index(const std::string& name) const {
    for (std::size_t i = 0; i < decisions_.engines.size(); ++i) {
      if (decisions_.engines[i].name == name) return i;
    }
    throw Error("gates: the decisions know no engine " + name);
  }
  [[nodiscard]] const Judgments* judgments_of(const std::string& name) const {
    for (const law::EngineJudgments& engine : measured_.engines) {
      if (engine.name == name) return engine.judgments;
    }
    return nullptr;
  }

  const Measured& measured_;
  const law::Decisions& decisions_;
  std::size_t questions_;
  bool has_truth_ = false;
  std::vector<std::vector<FindingFacts>> facts_;  ///< [question][finding]
  std::vector<const Judgments*> judgments_;       ///< of each engine of the decisions
  Figures figures_;
};

}  // namespace

Figures measure(const Measured& measured, std::span<const std::uint32_t> rows) {
  Measurement measurement(measured);
  for (const std::uint32_t row : rows) {
    if (row >= measured.decisions.cases()) throw Error("there is no row " + std::to_string(row) + " to measure");
    measurement.add(row);
  }
  return measurement.result();
}

}  // namespace hiple::gate
