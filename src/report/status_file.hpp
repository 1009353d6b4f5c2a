#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/rank_seconds.hpp"

namespace hiple::report {

/// STATUS of a run: the last file that it writes, one line of JSON.
struct StatusRecord {
  std::string state;   ///< complete, partial, failed
  std::string name;    ///< of the run
  std::string reason;  ///< of a failure; else empty
  std::uint64_t engines = 0;
  std::vector<std::pair<std::string, std::string>> missing;  ///< engines without judgments, and why
  std::uint64_t cases = 0, questions = 0;
  std::uint64_t judged = 0;                                 ///< judgments that engines made; written, not read back
  std::uint64_t decided = 0, abstained = 0, escalated = 0;  ///< answers
  std::string root;
  std::optional<RankSeconds> rank_seconds;
};

/// Writes STATUS whole or not at all. Throws Error where the state is none of the three.
void write_status(const std::filesystem::path& path, const StatusRecord& record);

/// Throws InputError where there is none, or where it is none.
StatusRecord read_status(const std::filesystem::path& path);

}  // namespace hiple::report
