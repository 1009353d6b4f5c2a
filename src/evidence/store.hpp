#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Facts from outside of the engines: a laboratory's result, an inspection, a study.
namespace hiple::evidence {

/// What one source says of one case, in the words of the source: it is read against schema and law where it is used.
struct CaseRecord {
  std::uint64_t case_id = 0;
  std::string about;       ///< an input column, or a question
  std::string value;       ///< of a question, one of its findings; empty: the source takes back what it said before
  std::string unit;        ///< UCUM; empty where the column has none
  std::string source;      ///< who says so
  std::int32_t date = 0;   ///< of which day it speaks, in days since 1970-01-01
  double reliability = 1;  ///< as the source is held to be: over 0, at most 1
  std::uint64_t line = 0;  ///< in the file that it came from

  bool operator==(const CaseRecord&) const = default;
};

/// What one source has found of a rule, or of a law: in how many cases it spoke, and in how many of these it was right.
struct RuleRecord {
  std::string rule;
  std::uint64_t cases = 0, held = 0;
  std::string source;
  std::int32_t date = 0;
  double reliability = 1;
  std::uint64_t line = 0;

  bool operator==(const RuleRecord&) const = default;
};

/// One addition to a store. Its records follow those of the additions before it.
struct Entry {
  std::string recorded;                ///< when, by the clock, in UTC: for people, nothing depends on it
  std::string file, file_sha256;       ///< where its records came from
  std::uint64_t cases = 0, rules = 0;  ///< how many records it brought
  /// SHA-256 of text(hash of the entry before; SHA-256 of nothing for the first) text(recorded) text(file) text(file_sha256)
  /// number(cases) number(rules), of each case record number(case) text(about) text(value) text(unit) text(source) number(date)
  /// number(reliability's bits) number(line), and of each rule record text(rule) number(cases) number(held) text(source)
  /// number(date) number(reliability's bits) number(line); text and number are those of root.hpp.
  std::string hash;

  bool operator==(const Entry&) const = default;
};

/// All evidence of a study, in the order in which it came. Records are added and never changed: each entry's hash covers all
/// that was there before.
struct Store {
  std::vector<Entry> entries;
  std::vector<CaseRecord> cases;
  std::vector<RuleRecord> rules;

  /// The hash of the last entry, by which a store is known again; where there is none SHA-256 of nothing.
  [[nodiscard]] std::string head() const;
  /// The entry that brought a record of a case, or of a rule.
  [[nodiscard]] const Entry& entry_of_case(std::size_t record) const;
  [[nodiscard]] const Entry& entry_of_rule(std::size_t record) const;
  /// "labs.csv:17": where a record came from.
  [[nodiscard]] std::string origin_of_case(std::size_t record) const;
  [[nodiscard]] std::string origin_of_rule(std::size_t record) const;

  bool operator==(const Store&) const = default;
};

/// Adds an entry with these records; its counts and its hash are computed.
void append(Store& store, Entry entry, std::vector<CaseRecord> cases, std::vector<RuleRecord> rules);

/// The store as it was when its head was `head`. Nothing where it never was.
std::optional<Store> as_it_was(const Store& store, std::string_view head);

/// Writes evidence.h5 (format "hiple evidence", version 1), whole or not at all.
void write_store(const std::filesystem::path& path, const Store& store);

/// Throws InputError: no such file, not complete, damaged, or a record that is not what its entry's hash was made from.
Store read_store(const std::filesystem::path& path);

}  // namespace hiple::evidence
