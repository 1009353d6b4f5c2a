#include "table/csv_writer.hpp"

#include <cerrno>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"

namespace hiple {

namespace {
constexpr std::size_t block_bytes = std::size_t{1} << 20;
}

CsvWriter::CsvWriter(const std::filesystem::path& path) : path_(path), temporary_(temporary_name(path)) {
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) throw Error(path_.string() + ": cannot be written: " + std::generic_category().message(errno));
}

CsvWriter::~CsvWriter() {
  if (finished_) return;
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

CsvWriter& CsvWriter::field(std::string_view text) {
  if (in_record_) buffer_ += ',';
  empty_record_ = !in_record_ && text.empty();
  in_record_ = true;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    buffer_ += text;
    return *this;
  }
  buffer_ += '"';
  for (const char byte : text) {
    if (byte == '"') buffer_ += '"';
    buffer_ += byte;
  }
  buffer_ += '"';
  return *this;
}

void CsvWriter::end_record() {
  if (empty_record_) buffer_ += "\"\"";  // a blank line would be no record
  buffer_ += '\n';
  in_record_ = false;
  empty_record_ = false;
  if (buffer_.size() >= block_bytes) flush();
}

void CsvWriter::flush() {
  stream_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (!stream_) throw Error(path_.string() + ": cannot be written: " + std::generic_category().message(errno));
  buffer_.clear();
}

void CsvWriter::finish() {
  flush();
  stream_.close();
  if (!stream_) throw Error(path_.string() + ": cannot be written: " + std::generic_category().message(errno));
  finished_ = true;  // publish_file removes the temporary file where it fails
  publish_file(temporary_, path_);
}

}  // namespace hiple
