#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "law/law.hpp"

/// A law and cases of any size to measure with, the same for the same numbers.
namespace hiple::scaling {

struct LawShape {
  std::size_t rules = 200;
  std::size_t atoms = 240;  ///< different comparisons, spread over the columns
  std::size_t columns = 48;
  std::size_t questions = 4;  ///< with five findings each, one of them the default
  double missing = 0.1;       ///< share of cells
};

Schema workload_schema(const LawShape& shape);
/// Every rule joins three or four atoms with and, or and not; a third of them override an earlier rule.
std::string workload_law(const LawShape& shape);
Table workload_table(const LawShape& shape, std::size_t cases);

/// A law of the same kind over judgments of `engines` engines with four classes, and inputs that no rule reads.
std::string judgments_law(std::size_t rules, std::size_t engines);
std::vector<law::EngineDescription> workload_engines(std::size_t engines);
Judgments workload_judgments(const law::EngineDescription& engine, std::size_t cases, std::uint64_t seed);

}  // namespace hiple::scaling
