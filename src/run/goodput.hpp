#pragma once

#include <string>

#include "report/summary.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// Where the rank-seconds of a run went since its last start: those of the attempts that began then, from their records, the
/// law's as useful, and the rest of `ranks` x `seconds` as waiting. Attempts that ended with their rank have no seconds; they
/// are counted, and their time stands under waiting.
report::RankSeconds rank_seconds(const PreparedRun& run, const RunDirectory& directory, int ranks, double seconds,
                                 double law_seconds);

}  // namespace hiple
