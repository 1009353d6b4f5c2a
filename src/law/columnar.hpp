#pragma once

#include <memory>

#include "law/decision.hpp"
#include "law/inputs.hpp"

namespace hiple::law {

/// A law as decide() evaluates it: over bit planes, a tile of cases at a time. Made once for a law; agrees with Evaluator bit for
/// bit. See docs/architecture.md.
class ColumnarLaw {
 public:
  explicit ColumnarLaw(const Law::Model& law);
  ~ColumnarLaw();
  ColumnarLaw(ColumnarLaw&&) noexcept;

  /// What the circuit costs a case: gates that combine planes, and planes read off the data.
  struct Size {
    std::size_t gates = 0, leaves = 0, planes = 0;
  };
  [[nodiscard]] Size size() const;

 private:
  friend class ColumnarEvaluator;
  struct State;
  std::unique_ptr<State> state_;
};

/// Where the decisions of a range of cases go: the first of each array belongs to the first case of the range.
struct DecisionRange {
  Decision* decisions = nullptr;       ///< [cases, questions]
  std::uint8_t* rounds = nullptr;      ///< [cases]
  std::uint64_t* consulted = nullptr;  ///< [cases, words], zero before
};

/// Decides cases of a table. Keeps its memory between calls. One for each thread.
class ColumnarEvaluator {
 public:
  /// Keeps references: all must outlive it.
  ColumnarEvaluator(const ColumnarLaw& law, const Inputs& inputs);
  ~ColumnarEvaluator();
  ColumnarEvaluator(const ColumnarEvaluator&) = delete;
  ColumnarEvaluator& operator=(const ColumnarEvaluator&) = delete;

  /// Cases [begin, begin + count), of which there are at most `most_cases`.
  void decide(std::size_t begin, std::size_t count, const DecisionRange& to);
  /// Of the same cases: who is active after up to `most` rounds of links and rings, fewer where nothing is added any more. Only
  /// `rounds` and `consulted` are written. What engines say that the last of these rounds added is not looked at.
  void consult(std::size_t begin, std::size_t count, std::size_t most, const DecisionRange& to);
  static constexpr std::size_t most_cases = 4096;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace hiple::law
