#pragma once

#include "law/explain_page.hpp"
#include "law/explain_subject.hpp"

namespace hiple::law {

/// The columns that the law reads, with their values.
void explain_inputs(Page& page, const Subject& subject);

/// Which engines were consulted, round by round, and what brought each in.
void explain_rounds(Page& page, const Subject& subject);

/// What each consulted engine said.
void explain_judgments(Page& page, const Subject& subject);

}  // namespace hiple::law
