#pragma once

#include "law/explain_page.hpp"
#include "law/explain_subject.hpp"

namespace hiple::law {

/// Whether a law can bear on a question.
bool concerns(const Law::Model& law, const LawEntry& entry, std::size_t question);

/// What a law does in this case: "applies and escalates state".
std::string effect_text(const Subject& subject, std::size_t law);

/// Every law that concerns a question, with its premises.
void explain_laws(Page& page, const Subject& subject, std::size_t question);

/// What keeps a law from applying, or what it did. False where no law has this id.
bool explain_why_not_law(Page& page, const Subject& subject, const std::string& id);

}  // namespace hiple::law
