#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "audit/formula.hpp"

namespace hiple::audit {

enum class Found : std::uint8_t { no, yes, unknown };

/// A conjunction of arithmetic atoms within intervals, decided by Z3 over exact numbers. `no` is a proof up to the rounding of
/// float64; `yes` is shown by values, which the caller evaluates again.
class Arithmetic {
 public:
  explicit Arithmetic(const Variables& variables);
  ~Arithmetic();
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;

  using Atom = std::pair<const condition::Node*, Want>;
  using Value = std::pair<std::size_t, double>;  ///< of a variable
  /// `values` become those of the variables that the atoms read.
  Found solve(const std::vector<Atom>& atoms, const std::vector<Domain>& domains, std::vector<Value>& values);

  /// Milliseconds after which Z3 gives up.
  static constexpr unsigned patience = 250;

 private:
  struct State;
  std::unique_ptr<State> state_;
  const Variables& variables_;
};

}  // namespace hiple::audit
