#pragma once

#include "law/explain_page.hpp"
#include "law/explain_subject.hpp"

namespace hiple::law {

/// "DECIDE hypo, firm", "ESCALATE to surgeon (conflict)".
std::string headline(const Subject& subject, const Answer& answer);

/// What evidence says of a question, where the law heeds it: "it is hypo"; empty where there is none.
std::string evidence_text(const Subject& subject, std::size_t question);

/// The `because` of a rule or law, by its record, with its values.
std::string because_of(const Subject& subject, std::size_t record);

/// The answer to one question, with everything that bears on it.
void explain_question(Page& page, const Subject& subject, const Answer& answer);

/// What member panels answered: their parents may read it.
void explain_panels(Page& page, const Subject& subject);

}  // namespace hiple::law
