#pragma once

#include <string>

#include "law/explain_subject.hpp"
#include "law/settlement.hpp"

namespace hiple::law {

/// The derivation of one case for programs: see Derivation::json().
std::string explain_json(const Subject& subject, const std::vector<Settlement>& settlements);

}  // namespace hiple::law
