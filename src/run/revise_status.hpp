#pragma once

#include <string>

#include "law/decision.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// Brings STATUS, where there is one, and the summary up to what is decided now. Where this does not happen, because the program
/// was ended, the decisions stand all the same: the root in STATUS is then another than theirs.
void tell_status(const RunDirectory& directory, const law::Decisions& decisions, const std::string& summary);

}  // namespace hiple
