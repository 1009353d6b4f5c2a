#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "law/evaluate.hpp"

/// Where a rule is right and where it is wrong, as conditions that a person can read. Nothing here has a gradient: thresholds lie
/// between values that were seen, and a condition is grown atom by atom.
namespace hiple {

/// What can be compared in every case: a column, what an engine says, or an expression that the law compares already.
struct Feature {
  std::string text;  ///< as a condition writes it
  std::string unit;  ///< of its numbers; may be empty
  bool is_number = true;
  std::vector<std::string> words;             ///< of one that is no number: what it can be
  bool is_boolean = false;                    ///< a column that is itself a condition
  std::vector<std::optional<double>> values;  ///< of each case; a word's place in `words`
};

/// Of the input columns, of engines, and of what the law compares with numbers; for these rows of the inputs.
std::vector<Feature> features_of(const law::Law::Model& law, const law::Inputs& inputs, const std::vector<std::uint32_t>& rows);

/// A condition that holds in some of the cases, with how many of those that it is to hold in and of the others.
struct Region {
  std::string condition;
  std::size_t atoms = 0;
  std::vector<bool> holds;  ///< of each case
  std::size_t inside = 0, outside = 0;
};

/// Looks for the region in which `wanted` cases lie and the others do not: at most three atoms, each the one that tells most.
/// Nothing where no atom tells anything.
std::optional<Region> find_region(const std::vector<Feature>& features, const std::vector<bool>& wanted);

/// The number with the fewest digits in [low, high), low < high.
double roundest(double low, double high);

/// A comparison of a condition with a number, and where it stands in its tree: `end` 0 for a comparison's right side, 1 and 2 for
/// the ends of an interval.
struct Limit {
  std::vector<std::size_t> path;
  std::size_t end = 0;
  bool is_upper = false, is_closed = false;
  std::string left;  ///< what is compared, as text
  double value = 0;  ///< in the unit of what is compared
  std::string unit;  ///< of the literal; empty where it was written without
  std::string written;
};
std::vector<Limit> limits_of(const condition::Node& root);

/// Whether anything can lie there with another number: an interval keeps its ends in order.
bool leaves_room(const condition::Node& root, const Limit& limit, double value);

/// The condition with another number there, in the unit of what is compared.
std::string with_limit(const condition::Node& root, const Limit& limit, double value);

/// What is compared there, in one case.
std::optional<double> value_at(const condition::Node& root, const Limit& limit, const condition::View& view);

}  // namespace hiple
