#pragma once

#include "law/explain_page.hpp"
#include "law/explain_subject.hpp"

namespace hiple::law {

/// A condition's tree, one line an operand: its truth, its text, and the values that it read.
void explain_condition(Page& page, std::size_t indent, const Subject& subject, const condition::Condition& condition);

/// The atoms that keep a condition from being TRUE, one text each: "FALSE TSH > 6 [mU/L]   (TSH = 4.1 mU/L)".
std::vector<std::string> obstacles(const Subject& subject, const condition::Condition& condition);

/// What would make a condition TRUE that is not: "TSH > 6 [mU/L] and (FTI <= 65 or not pregnant)". Where something that is not
/// known could do, what is FALSE is not mentioned.
std::string needs(const Subject& subject, const condition::Condition& condition);

/// Both, as lines of a page.
void explain_obstacles(Page& page, const Subject& subject, const condition::Condition& condition);

}  // namespace hiple::law
