#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "judgment/judgment.hpp"

namespace hiple {

/// What a program that is an engine has to write about.
struct ForeignExpectation {
  std::vector<std::string> classes;         ///< of the target, in the schema's order; empty for a regression
  std::span<const std::uint64_t> case_ids;  ///< the table's, ascending
};

/// Reads the judgments that another program wrote (docs/command_engines.md) and makes them ours: numbers of any width, classes in
/// the schema's order, label and confidence by the probabilities where they are left out. Names of engine and domain, hashes and
/// counts are left to the caller. Throws InputError with the file and, of the first faults, the row and the case: not complete,
/// case ids that are not the table's, classes that the target lacks, probabilities outside [0, 1] or that do not sum to 1, a
/// label that is not the likeliest class, a status that is none, NaN where there must be a number.
Judgments read_foreign_judgments(const std::filesystem::path& path, const ForeignExpectation& expected);

}  // namespace hiple
