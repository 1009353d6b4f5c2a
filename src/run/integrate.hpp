#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "report/summary.hpp"
#include "run/collect.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "run/run_table.hpp"

namespace hiple {

/// The law's view of what arrived.
std::vector<law::EngineJudgments> judgments_for_law(const std::vector<Arrival>& arrivals);

/// Decides every case from the judgments that arrived, writes the index of judgments and the decisions, and measures the test
/// part. Of a table that is not in memory, what is needed is bounded by its portions; but for the test part where there are
/// gates, which look at it as a whole. `ranks`: where each engine was trained, or empty. The decisions are the same for every
/// number of threads and size of portions.
report::Summary integrate(const PreparedRun& run, const RunDirectory& directory, RunTable& table,
                          const std::vector<Arrival>& arrivals, const std::vector<int>& ranks = {},
                          int threads = bound_processors());

/// Leaves the summary in the directory, writes STATUS as the last file of all, and prints the summary unless told otherwise. The
/// exit status: done, or partial where an engine is missing.
ExitStatus finish(const RunDirectory& directory, const report::Summary& summary, bool prints = true);

/// Writes STATUS: failed, with the reason.
void finish_failed(const PreparedRun& run, const RunDirectory& directory, const std::string& reason);

}  // namespace hiple
