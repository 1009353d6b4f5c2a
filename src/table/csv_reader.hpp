#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "base/error.hpp"

namespace hiple {

/// Reads a CSV file record by record, strictly by RFC 4180: comma, double quotes, blanks belong to the field. Lines may end in
/// CRLF or LF, and the last one in neither; a byte order mark is skipped; blank lines are allowed at the end only. The parser is
/// libcsv. Memory is bounded by the longest record.
class CsvReader {
 public:
  /// Throws InputError where the file is missing, a folder or unreadable.
  explicit CsvReader(const std::filesystem::path& path);
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// Goes to the next record; false after the last one. Throws InputError with FILE:LINE:COL: a quote inside an unquoted field or
  /// after a quoted one, a quote that is never closed, a carriage return alone, a blank line between records.
  bool next();
  /// The record's fields, without their quotes, until the next call of next().
  [[nodiscard]] std::span<const std::string_view> fields() const;
  /// Where the record begins.
  [[nodiscard]] Place place() const;
  /// Where a field of the record begins, its quote included; columns count bytes. Slow: for messages. `field` may be the number
  /// of fields: the end of the record.
  [[nodiscard]] Place place_of(std::size_t field) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple
