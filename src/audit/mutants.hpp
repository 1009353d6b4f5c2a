#pragma once

#include <string>
#include <vector>

#include "condition/condition.hpp"

namespace hiple::audit {

/// A bound tree with one small mistake in it.
struct Mutant {
  condition::Node root;
  std::string change;  ///< "TSH > 6 [mU/L] becomes TSH >= 6 [mU/L]"
};

/// Every mutant of a condition: a comparison or the end of an interval with its boundary moved in or out (> for >=), a
/// threshold one step up or down, `and` for `or` between two neighbours and the other way round. A step is the next number of
/// the type that is compared: a double, a float where an engine's word is, 1 where both sides are whole numbers.
std::vector<Mutant> mutants_of(const condition::Node& root);

/// The next number above (or below) a threshold that is compared with `other`.
double next_threshold(double value, const condition::Node& other, bool up);

/// Where a node stands in its tree: the operand to take at each level.
using Path = std::vector<std::size_t>;

bool is_connective(const condition::Node& node);
/// The atoms of a tree, what count() counts left out, in the order of the text.
std::vector<Path> atoms_of(const condition::Node& root);
const condition::Node& at(const condition::Node& root, const Path& path);
/// A copy with one atom settled.
condition::Node with_constant(const condition::Node& root, const Path& path, bool value);

}  // namespace hiple::audit
