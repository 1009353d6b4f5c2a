#pragma once

#include "audit/law_diff.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// What changes between two laws over the judgments and the table of a run that has decided. Throws InputError: there are no
/// decisions, files that have changed since, a law that does not fit the run.
audit::LawDiff diff_laws(const PreparedRun& run, const RunDirectory& directory, const std::filesystem::path& before,
                         const std::filesystem::path& after);

}  // namespace hiple
