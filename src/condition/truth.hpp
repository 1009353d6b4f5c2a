#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hiple::condition {

/// The three truth values of strong Kleene logic.
enum class Truth : std::uint8_t { no = 0, yes = 1, unknown = 2 };

[[nodiscard]] constexpr Truth truth_of(bool value) { return value ? Truth::yes : Truth::no; }
[[nodiscard]] constexpr Truth negate(Truth value) { return value == Truth::unknown ? value : truth_of(value == Truth::no); }
std::string_view name_of(Truth value);  ///< "TRUE", "FALSE", "UNKNOWN"

/// A set of causes for UNKNOWN: numbers that a CauseTable gave out. The first 256 need no memory of their own.
class CauseSet {
 public:
  void add(std::uint32_t cause);
  void add(const CauseSet& other);
  void clear();
  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool contains(std::uint32_t cause) const;
  /// Ascending.
  [[nodiscard]] std::vector<std::uint32_t> list() const;
  bool operator==(const CauseSet& other) const = default;

 private:
  static constexpr std::size_t inline_words = 4;
  std::array<std::uint64_t, inline_words> words_{};
  std::vector<std::uint64_t> more_;  ///< words from the fifth on, without empty ones at its end
};

/// What made a condition UNKNOWN. The texts are "missing:F", "invalid:F", "division", "inactive:E" and so on.
enum class CauseKind : std::uint8_t {
  division,
  one_group,  ///< agree() over a single independent voice
  missing,
  invalid,  ///< a column's value, or an engine's input
  inactive,
  unavailable,
  abstained,
  disagree,
  suspended,
  undecided,
  not_firm,
  contradictory,  ///< of evidence: its sources differ
};

struct Cause {
  CauseKind kind = CauseKind::division;
  std::string name;  ///< of the column, engine, rule, "panel.question" or "evidence.NAME"; empty for division and one_group
  [[nodiscard]] std::string text() const;
};

/// Gives every cause that the conditions of one law can have a number. Filled while conditions are read, read-only afterwards.
/// What belongs to one name has numbers in a row, so that a syntax tree keeps one number a name.
class CauseTable {
 public:
  CauseTable();
  static constexpr std::uint32_t division = 0, one_group = 1;
  /// + 0 missing, + 1 invalid.
  std::uint32_t column(const std::string& name);
  /// + 0 inactive, + 1 unavailable, + 2 abstained, + 3 invalid, + 4 disagree (of a group, by its first member).
  std::uint32_t engine(const std::string& name);
  /// + 0 undecided, + 1 not_firm; the name is "panel.question".
  std::uint32_t finding(const std::string& name);
  /// + 0 missing, + 1 contradictory; the name is "evidence.NAME".
  std::uint32_t evidence(const std::string& name);
  /// The rule is suspended.
  std::uint32_t rule(const std::string& id);

  [[nodiscard]] std::size_t size() const { return causes_.size(); }
  [[nodiscard]] const Cause& at(std::uint32_t cause) const { return causes_.at(cause); }
  /// The causes as texts, ascending and unique.
  [[nodiscard]] std::vector<std::string> texts(const CauseSet& set) const;

 private:
  std::uint32_t block(char use, const std::string& name, const std::vector<CauseKind>& kinds);
  std::vector<Cause> causes_;
  std::map<std::pair<char, std::string>, std::uint32_t> first_;
};

}  // namespace hiple::condition
