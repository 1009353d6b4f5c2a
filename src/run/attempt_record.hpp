#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hiple {

/// Where the seconds of an attempt went. They add up to the whole attempt.
struct Goodput {
  double useful = 0;    ///< work that the result rests on
  double repeated = 0;  ///< work after the last checkpoint of an attempt that failed: done again by the next one
  double lost = 0;      ///< nothing came of it: standing still until that was noticed, and all of an engine that failed
  Goodput& operator+=(const Goodput& other);
};

/// One attempt to train an engine, as two lines of engines/E/attempts.jsonl: when it begins, and when its end was seen. One
/// whose rank was lost with it has the first line only.
struct AttemptRecord {
  std::uint64_t attempt = 0;
  std::string begun;  ///< UTC
  std::string where;  ///< host
  std::int64_t process = 0;
  int rank = -1;              ///< that answers for it; -1 without MPI
  std::uint64_t at_once = 1;  ///< engines that its rank trained side by side
  bool has_end = false;
  std::string outcome;  ///< trained, reused, failed, interrupted
  std::string reason;
  std::uint64_t first_step = 0, last_step = 0;
  Goodput seconds;
};

/// Adds the line of a beginning.
void write_attempt_begin(const std::filesystem::path& path, const AttemptRecord& record);
/// Adds the line of an end.
void write_attempt_end(const std::filesystem::path& path, const AttemptRecord& record);

/// All attempts, in their order; none where there is no file. Half a line, at the end, counts for nothing.
std::vector<AttemptRecord> read_attempts(const std::filesystem::path& path);

/// The number of the next attempt: attempts are counted over all starts of a run.
std::uint64_t next_attempt(const std::filesystem::path& path);

}  // namespace hiple
