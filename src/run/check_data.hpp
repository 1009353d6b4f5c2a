#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// A rule for a critical finding, over all cases of the table.
struct CriticalRule {
  std::string id, finding, to;
  std::uint64_t fires = 0;      ///< its condition is TRUE
  std::uint64_t suspected = 0;  ///< it is UNKNOWN while the finding's `suspect` is TRUE
  std::uint64_t escalates = 0;  ///< one of both, and the answer to its question is ESCALATE
};

/// What only the data can tell of a run before it starts, or starts again.
struct DataCheck {
  std::uint64_t cases = 0;
  std::vector<std::string> invalid;                                ///< the first few cells that are invalid
  std::vector<std::pair<std::string, std::uint64_t>> engine_rows;  ///< how many rows are each engine's own
  std::vector<std::string> judged;                                 ///< engines whose judgments are in the run's directory
  std::vector<CriticalRule> critical;                              ///< by id; of rules in force
};

/// Reads the whole table, divides it, and evaluates the law on every case, with the judgments that are in the directory; an
/// engine without has said nothing. Throws InputError: a table that cannot be read, a part of the split that stays empty.
DataCheck check_data(const PreparedRun& run, const RunDirectory& directory);

std::string to_text(const DataCheck& check);
nlohmann::ordered_json to_record(const DataCheck& check);

}  // namespace hiple
