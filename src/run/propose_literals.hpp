#pragma once

#include <functional>
#include <vector>

#include "law/evaluate.hpp"
#include "run/propose_covering.hpp"
#include "table/table.hpp"

namespace hiple {

/// What was decided of some cases, one after the other, for those who want to look at it.
struct DecidedCases {
  const law::Law::Model& law;
  const law::Inputs& inputs;
  const Table& table;
  std::vector<std::uint32_t> rows;       ///< of the table
  std::vector<law::CaseResult> results;  ///< one a row
  [[nodiscard]] std::size_t size() const { return rows.size(); }
  [[nodiscard]] law::CaseView view(std::size_t i, bool careful = false) const {
    return {inputs, rows[i], law, results[i], careful};
  }
};

/// What a condition may say of these cases that is TRUE in some of them and not in all: of the engines that were asked, and of
/// input columns.
std::vector<Literal> literals_of(const DecidedCases& cases);

/// Of engines only: what one of them said, `E.label == "c"`. `of`: the engine of each literal, as a number in the law.
std::vector<Literal> labels_of(const DecidedCases& cases, std::vector<std::size_t>& of);

/// The decimal number with the fewest digits in [low, high), where low < high.
double short_between(double low, double high);

}  // namespace hiple
