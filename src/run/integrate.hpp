#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "report/summary.hpp"
#include "run/collect.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// The table with everything that the integrator reads: all columns.
Table read_whole_table(const PreparedRun& run);

/// The law's view of what arrived.
std::vector<law::EngineJudgments> judgments_for_law(const std::vector<Arrival>& arrivals);

/// Decides every case from the judgments that arrived, writes the index of judgments and the decisions, and measures the test
/// part. `ranks`: where each engine was trained, or empty.
report::Summary integrate(const PreparedRun& run, const RunDirectory& directory, const Table& table,
                          const std::vector<Arrival>& arrivals, const std::vector<int>& ranks = {});

/// Leaves the summary in the directory, writes STATUS as the last file of all, and prints the summary. The exit status: done, or
/// partial where an engine is missing.
ExitStatus finish(const RunDirectory& directory, const report::Summary& summary);

/// Writes STATUS: failed, with the reason.
void finish_failed(const PreparedRun& run, const RunDirectory& directory, const std::string& reason);

}  // namespace hiple
