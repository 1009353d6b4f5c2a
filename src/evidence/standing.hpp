#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "evidence/store.hpp"
#include "evidence/terms.hpp"
#include "table/table.hpp"

namespace hiple::evidence {

/// Which records count: those of some days; what is dated later than the run's day is not known yet, and what is less reliable is
/// not relied on.
struct Filter {
  std::int32_t as_of = 0;                                         ///< the run's day; the clock does not matter
  double least_reliability = 0;                                   ///< of a record
  std::int32_t since = std::numeric_limits<std::int32_t>::min();  ///< what is dated earlier does not count
};

/// What all sources together say of one thing in one case. Of each source counts what it said of the latest day, unless it took
/// it back; sources that differ, or a source that differs from itself, contradict one another, and then nothing is known: no
/// value is preferred, and none is averaged.
struct Standing {
  std::uint64_t case_id = 0;
  std::vector<std::size_t> records;  ///< that count, ascending: indices into Store::cases
  bool contradictory = false;
  double value = 0;  ///< where not contradictory: as read_value() gives it; of reals that differ by rounding the smallest
};

/// What stands, by what it is about and in ascending order of cases.
class Standings {
 public:
  /// `path` names the store in problems().
  Standings(const Store& store, const Terms& terms, const Filter& filter, const std::filesystem::path& path);

  /// Of a column or question; empty where nothing stands.
  [[nodiscard]] std::span<const Standing> of(const std::string& about) const;
  [[nodiscard]] const std::map<std::string, std::vector<Standing>>& all() const { return standings_; }
  [[nodiscard]] std::size_t contradictions() const;
  /// Records about what the terms do not know, a column or question of an earlier schema or law: they are not seen.
  [[nodiscard]] const std::vector<std::size_t>& unknown() const { return unknown_; }
  /// Records that would count, and whose value the terms cannot read any more. Nothing may be decided while there are any.
  [[nodiscard]] const Problems& problems() const { return problems_; }

 private:
  void settle(const Store& store, const ColumnSchema& subject, std::vector<std::size_t> records);
  std::optional<double> read(const Store& store, const ColumnSchema& subject, std::size_t record);

  std::filesystem::path path_;
  std::map<std::string, std::vector<Standing>> standings_;
  std::vector<std::size_t> unknown_;
  Problems problems_;
};

/// What one source has found of one rule: its word of the latest day. One that says two things of one day says nothing.
struct RuleStanding {
  std::string rule, source;
  std::vector<std::size_t> records;  ///< that count, ascending: indices into Store::rules
  bool contradictory = false;
  std::uint64_t cases = 0, held = 0;  ///< where not contradictory
};

/// Of all rules, by id and source.
std::vector<RuleStanding> rule_standings(const Store& store, const Filter& filter);

/// What stands of one thing as a column beside a table: missing where there is no evidence, invalid where it contradicts itself.
/// `case_ids` ascend.
Column column_of(const ColumnSchema& subject, std::span<const Standing> standings, std::span<const std::uint64_t> case_ids);

}  // namespace hiple::evidence
