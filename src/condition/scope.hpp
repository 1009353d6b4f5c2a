#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "condition/truth.hpp"

namespace hiple::condition {

/// What evidence about a case is called in a condition: evidence.NAME.
inline constexpr const char* evidence_word = "evidence";
[[nodiscard]] inline std::string evidence_name(const std::string& about) { return std::string(evidence_word) + "." + about; }
/// Of an evidence.NAME the NAME.
[[nodiscard]] inline std::string evidence_about(std::string_view name) { return std::string(name.substr(name.find('.') + 1)); }
[[nodiscard]] inline bool is_evidence_name(std::string_view name) { return name.starts_with("evidence."); }

/// The type of an expression.
enum class Kind : std::uint8_t {
  wrong,  ///< a problem was reported; anything goes, so that one mistake gives one message
  boolean,
  integer,
  real,
  text,
  date,       ///< days since 1970-01-01
  aggregate,  ///< count, min, max, mean: only to be compared with a constant
};
std::string_view name_of(Kind kind);

/// A column that a condition may read.
struct ColumnInfo {
  std::size_t index = 0;  ///< what View::column is asked for
  Kind kind = Kind::real;
  std::string unit;                 ///< UCUM, or empty
  std::vector<std::string> values;  ///< of a text: View::column gives an index into them
};

/// An engine that a condition may read.
struct EngineInfo {
  std::size_t index = 0;             ///< what View::engine is asked for
  std::vector<std::string> classes;  ///< empty for a regression
  std::string group;                 ///< engines of one group count once; the group's name, or empty
};

/// The finding of a panel that a condition may read.
struct FindingInfo {
  std::size_t index = 0;  ///< what View::finding is asked for
  std::vector<std::string> findings;
};

/// Numbers for causes and texts, shared by all conditions of one law.
struct Vocabulary {
  CauseTable causes;
  /// The number of a text: equal texts have equal numbers, whatever column or engine they come from.
  std::uint32_t text(const std::string& text) {
    return texts.try_emplace(text, static_cast<std::uint32_t>(texts.size())).first->second;
  }
  std::map<std::string, std::uint32_t> texts;
};

/// Every name that one condition may use. To select rows of a table, `columns` and `vocabulary` are enough.
struct Scope {
  Vocabulary* vocabulary = nullptr;  ///< required; must outlive reading, not evaluation
  std::int32_t as_of = 0;            ///< days since 1970-01-01; what age() calls today
  std::map<std::string, ColumnInfo> columns;
  std::map<std::string, std::string> unreadable;  ///< columns, "evidence.NAME" too, that may not be read, with the reason
  /// Columns of evidence about the case, by what they are about: evidence.NAME. An invalid one contradicts itself.
  std::map<std::string, ColumnInfo> evidence;
  std::string no_evidence;                                 ///< why evidence may not be read here; or empty
  std::map<std::string, EngineInfo> engines;               ///< under the panel that the condition belongs to
  std::map<std::string, std::vector<std::string>> panels;  ///< for aggregates: panel -> names of its engines, ascending
  std::map<std::string, FindingInfo> findings;             ///< "panel.question" of direct member panels
  std::string no_findings;                                 ///< why findings of panels may not be read here; or empty
};

}  // namespace hiple::condition
