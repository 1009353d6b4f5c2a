#pragma once

#include <memory>
#include <set>
#include <vector>

#include "audit/domain.hpp"
#include "judgment/judgment.hpp"

namespace hiple::audit {

/// Values worth trying for what is not known: around every threshold that a law compares it with.
class Candidates {
 public:
  static constexpr std::size_t most = 40;  ///< of one column or engine

  explicit Candidates(const law::Law::Model& law);

  /// Numbers at, between and beside the thresholds; every value of a category or boolean.
  [[nodiscard]] std::vector<double> of_column(std::size_t column) const;
  /// Judgments: each class for sure, and each threshold on a probability or a confidence from both sides.
  [[nodiscard]] std::vector<std::shared_ptr<Judgments>> of_engine(std::size_t engine) const;

 private:
  void visit(const condition::Node& node);
  [[nodiscard]] std::vector<double> numbers(std::size_t variable) const;

  const law::Law::Model& law_;
  Variables variables_;
  std::vector<std::set<double>> cuts_;  ///< of each variable: the constants that it is compared with
};

}  // namespace hiple::audit
