#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "condition/scope.hpp"
#include "condition/syntax.hpp"
#include "condition/truth.hpp"
#include "condition/view.hpp"

namespace hiple::condition {

/// A condition that was read and checked against a Scope: immutable, cheap to copy, safe to evaluate from many threads.
///
///     Vocabulary vocabulary;
///     Scope scope{.vocabulary = &vocabulary};
///     scope.columns["TSH"] = {.index = 0, .kind = Kind::real, .unit = "mU/L"};
///     const Condition condition("TSH > 6 [mU/L]", scope, place);
///     CauseSet causes;
///     const Truth truth = condition.evaluate(view, causes);   // view.column(0) is asked
class Condition {
 public:
  /// `true`.
  Condition();
  /// Throws InputError with every problem: syntax, unknown names (with the nearest), types, units.
  Condition(std::string_view text, const Scope& scope, const PlaceOf& place_of);
  /// `place` is where the text begins, on one line.
  Condition(std::string_view text, const Scope& scope, const Place& place);

  /// Of a tree that was bound already, or changed in a way that keeps it bound: a mutant for tests.
  static Condition of(Node bound);

  /// Where the result is UNKNOWN, its causes are added to `causes`; else `causes` is left alone.
  [[nodiscard]] Truth evaluate(const View& view, CauseSet& causes) const;

  [[nodiscard]] const std::string& canonical() const;
  [[nodiscard]] const Node& root() const;
  [[nodiscard]] std::set<std::string> columns() const;  ///< names that it reads, known(x) included
  [[nodiscard]] std::set<std::string> engines() const;  ///< names, members of panels included
  /// The engines whose probability of other classes than the label is read.
  [[nodiscard]] std::set<std::string> probabilities() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// The truth of one boolean node of a tree: what Condition::evaluate does for the root. For proofs.
Truth evaluate(const Node& node, const View& view, CauseSet& causes);

/// The value of one node that is no boolean: a number, or for a text the Vocabulary's number. Nothing where it is UNKNOWN; then
/// its causes are added.
std::optional<double> value_of(const Node& node, const View& view, CauseSet& causes);

}  // namespace hiple::condition
