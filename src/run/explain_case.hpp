#pragma once

#include <cstdint>
#include <string>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// The derivation of one decision of a run that has ended, from the judgments and inputs that it was made from. `why_not`: a
/// rule's id, or empty. Throws InputError: no such case or rule; a file that changed since.
std::string explain_case(const PreparedRun& run, const RunDirectory& directory, std::uint64_t case_id,
                         const std::string& why_not);

}  // namespace hiple
