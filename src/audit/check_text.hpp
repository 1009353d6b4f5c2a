#pragma once

#include <string>

#include "audit/check.hpp"

namespace hiple::audit {

/// What `hiple law check` prints: every finding with its witness, what was not analysed, and the counts.
std::string to_text(const LawCheck& check, const std::string& name);
std::string to_json(const LawCheck& check, const std::string& name);

}  // namespace hiple::audit
