#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "run/collect.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// Who judges what the law asks for.
struct Answering {
  /// Told of engines (numbers in the configuration) whose requests were just written; may judge there and then. Empty: nobody
  /// answers while this process waits; somebody does so later, and then the law goes on.
  std::function<void(const std::vector<std::size_t>& engines)> ask;
  Collector::Lost lost;        ///< as of Collector: why an engine will never answer; may be empty
  double deadline = 0;         ///< seconds for each asking; an engine that has not answered then is not available
  std::function<bool()> told;  ///< as of WaitSettings
};

/// Exit status of a command that leaves requests: nothing is decided yet.
inline constexpr auto status_asking = static_cast<ExitStatus>(5);

/// What came of asking.
struct Asking {
  std::uint64_t askings = 0;  ///< how often requests were written
  /// Engines that were left a request, and of how many cases: where nobody answers here. None: all that the law consults is
  /// judged.
  std::vector<std::pair<std::string, std::uint64_t>> open;
};

/// Judging on demand: finds out, round after round of links and rings, in which cases which engine is consulted; where it was not
/// asked yet, leaves it a request (requests/E.h5), and takes in what it answers. An engine that fails at it, is gone or is late
/// becomes an arrival without judgments, and the rounds begin again without it. Ends: every asking adds judgments or takes an
/// engine away.
/// Where judging is dense nothing is asked for, unless an engine judged on demand before, or only in part.
/// Without `ask` a request that was left unanswered more than `restarts` times, or by an engine that failed since, is given up in
/// the same way.
Asking ask_engines(const PreparedRun& run, const RunDirectory& directory, const Table& table, std::vector<Arrival>& arrivals,
                   const Answering& answering);

}  // namespace hiple
