#pragma once

#include <string>

#include "audit/law_tests.hpp"

namespace hiple::audit {

/// What `hiple law test` prints: failures, what no example has shown, the mutants that live, and the score.
std::string to_text(const LawTests& tests, const std::string& name);
std::string to_json(const LawTests& tests, const std::string& name);

}  // namespace hiple::audit
