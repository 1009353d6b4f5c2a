#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace hiple {

/// Writes a CSV file by RFC 4180, with LF. It appears with finish(), or not at all.
class CsvWriter {
 public:
  explicit CsvWriter(const std::filesystem::path& path);
  ~CsvWriter();  ///< without finish(), the temporary file is removed
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  CsvWriter& field(std::string_view text);
  void end_record();
  /// Throws Error with the path and the system's reason.
  void finish();

 private:
  void flush();

  std::filesystem::path path_, temporary_;
  std::ofstream stream_;
  std::string buffer_;
  bool in_record_ = false, empty_record_ = false, finished_ = false;
};

}  // namespace hiple
