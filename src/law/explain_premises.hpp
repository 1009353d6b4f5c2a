#pragma once

#include "law/explain_page.hpp"
#include "law/explain_subject.hpp"

namespace hiple::law {

/// A condition's tree, one line an operand: its truth, its text, and the values that it read.
void explain_condition(Page& page, std::size_t indent, const Subject& subject, const condition::Condition& condition);

/// The atoms that keep a condition from being TRUE: those that would have to be otherwise. One text each, with its truth, what is
/// needed and the values: "FALSE TSH > 6 [mU/L] (TSH = 4.1 mU/L)".
std::vector<std::string> obstacles(const Subject& subject, const condition::Node& node);

}  // namespace hiple::law
