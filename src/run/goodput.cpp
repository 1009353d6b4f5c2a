#include "run/goodput.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "run/attempt_record.hpp"

namespace hiple {

namespace {

/// UTC, as build.json has it; empty where that cannot be read: then every attempt counts.
std::string last_start(const RunDirectory& directory) {
  try {
    return nlohmann::json::parse(read_file(directory.build())).value("started", "");
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

report::RankSeconds rank_seconds(const PreparedRun& run, const RunDirectory& directory, int ranks, double seconds,
                                 double law_seconds) {
  const std::string start = last_start(directory);
  report::RankSeconds result;
  Goodput sum;
  for (const EngineConfig& engine : run.config.engines) {
    const bool failed = std::filesystem::exists(directory.failure(engine.name));
    for (const AttemptRecord& attempt : read_attempts(directory.attempts(engine.name))) {
      if (attempt.begun < start) continue;
      ++result.attempts;
      if (!attempt.has_end || attempt.outcome == "failed") ++result.failed_attempts;
      Goodput of_attempt = attempt.seconds;
      // Of an engine that failed for good nothing is left, whatever its attempts saved; one that was stopped goes on.
      if (failed && attempt.outcome != "interrupted")
        of_attempt = {0, 0, of_attempt.useful + of_attempt.repeated + of_attempt.lost};
      // A rank's second is shared by the engines that it trains side by side.
      const auto places = static_cast<double>(std::max<std::uint64_t>(attempt.at_once, 1));
      sum += {of_attempt.useful / places, of_attempt.repeated / places, of_attempt.lost / places};
    }
  }
  result.useful = sum.useful + law_seconds;
  result.repeated = sum.repeated;
  result.lost = sum.lost;
  result.waiting = std::max(0.0, ranks * seconds - result.useful - result.repeated - result.lost);
  return result;
}

}  // namespace hiple
