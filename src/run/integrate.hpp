#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "law/decision.hpp"
#include "run/collect.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// What became of an engine, for summaries.
struct EngineState {
  std::string name;
  bool available = false;
  std::string reason;
};

/// The end of a run in numbers.
struct RunSummary {
  std::string name;
  std::vector<EngineState> engines;
  std::vector<std::string> questions;
  std::uint64_t cases = 0;
  std::uint64_t decided = 0, abstained = 0, escalated = 0;     ///< answers: cases x questions
  std::vector<std::pair<std::string, std::uint64_t>> reasons;  ///< of what was not decided: "abstain: conflict" -> answers
  std::string root;
  double seconds = 0;  ///< of the law

  [[nodiscard]] std::size_t available() const;
  [[nodiscard]] ExitStatus status() const { return available() == engines.size() ? ExitStatus::done : ExitStatus::partial; }
};

/// The table with everything that the integrator reads: all columns.
Table read_whole_table(const PreparedRun& run);

/// Decides every case from the judgments that arrived, and writes the index of judgments, decisions and figures. Does not write
/// STATUS: that is last, after whatever else the caller leaves in the directory.
RunSummary integrate(const PreparedRun& run, const RunDirectory& directory, const Table& table,
                     const std::vector<Arrival>& arrivals, int threads = 1);

/// Writes STATUS, one line of JSON: complete or partial, with counts.
void write_status(const RunDirectory& directory, const RunSummary& summary);
/// Writes STATUS: failed, with the reason.
void write_failed_status(const RunDirectory& directory, const std::string& reason);

/// The law's view of what arrived.
std::vector<law::EngineJudgments> judgments_for_law(const std::vector<Arrival>& arrivals);

}  // namespace hiple
