#include "table/csv_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "table/csv_parser.hpp"

namespace hiple {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
/// A longer record is taken for a quote that is never closed: it would swallow the rest of the file.
constexpr std::size_t longest_record = std::size_t{64} << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

struct CsvReader::State {
  std::filesystem::path path;
  std::ifstream stream;
  std::string buffer;            ///< bytes of the file from the record's begin on
  std::size_t record_begin = 0;  ///< in the buffer
  std::size_t position = 0;      ///< in the buffer: end of what the parser has seen
  std::size_t line = 1;          ///< of `position`
  std::size_t record_line = 1;
  std::optional<std::size_t> blank_line;
  bool at_end = false;

  std::string text;               ///< the record's fields, one after the other
  std::vector<std::size_t> ends;  ///< of each field in `text`
  std::vector<std::string_view> fields;
  std::size_t records = 0;  ///< finished by the last line
  int ended_by = 0;
  csv::Parser parser{on_field, on_record, this};

  static void on_field(void* bytes, std::size_t size, void* data) {
    State& self = *static_cast<State*>(data);
    self.text.append(static_cast<const char*>(bytes), size);
    self.ends.push_back(self.text.size());
  }
  static void on_record(int ended_by, void* data) {
    State& self = *static_cast<State*>(data);
    ++self.records;
    self.ended_by = ended_by;
  }

  [[nodiscard]] std::string_view record_text() const {
    return std::string_view(buffer).substr(record_begin, position - record_begin);
  }
  [[nodiscard]] Place record_place() const { return {path.string(), record_line, 1}; }
  [[nodiscard]] Place place_of(std::size_t field) const {
    Place place = record_place();
    csv::FieldFinder().advance(record_text(), field, place);
    return place;
  }
  [[nodiscard]] Place place_at(std::size_t end) const {
    Place place = record_place();
    for (const char byte : std::string_view(buffer).substr(record_begin, end - record_begin))
      csv::FieldFinder::advance_over(byte, place);
    return place;
  }

  /// Reads another block behind the record's text so far; false at the end of the file.
  bool fill() {
    if (at_end) return false;
    buffer.erase(0, record_begin);
    position -= record_begin;
    record_begin = 0;
    const std::size_t size = buffer.size();
    if (size > longest_record) {
      throw InputError(record_place(), "a record of more than 64 MiB", "a quote in it is probably never closed",
                       "close the quote that opens at " + place_of(ends.size()).text());
    }
    buffer.resize(size + block_bytes);
    stream.read(buffer.data() + size, static_cast<std::streamsize>(block_bytes));
    if (stream.bad()) throw Error(path.string() + ": reading failed");
    const auto read = static_cast<std::size_t>(stream.gcount());
    buffer.resize(size + read);
    at_end = read < block_bytes;
    return read > 0;
  }

  /// The next line with its end, from `position` on; empty at the end of the file.
  std::string_view next_line() {
    std::size_t searched = position;
    while (true) {
      const void* found =
          searched < buffer.size() ? std::memchr(buffer.data() + searched, '\n', buffer.size() - searched) : nullptr;
      if (found != nullptr) {
        const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer.data()) + 1;
        return std::string_view(buffer).substr(position, end - position);
      }
      searched = buffer.size() - record_begin;
      if (!fill()) return std::string_view(buffer).substr(position);
    }
  }

  void feed(std::string_view part) {
    const std::size_t read = parser.parse(part);
    if (read == part.size()) return;
    const bool after_quoted = buffer[position + read] != '"';
    throw InputError(place_at(position + read),
                     after_quoted ? "a character after a closing quote" : "a quote inside a field that does not begin with one",
                     "RFC 4180 allows quotes only around a whole field, and doubled inside it",
                     "put the field in quotes and double the quotes that belong to it");
  }

  void check_line_end(std::string_view part) const {
    if (records == 0) return;
    const bool whole = part.ends_with("\r\n") || (at_end && part.ends_with('\r'));
    if (records == 1 && (ended_by != csv::carriage_return || whole)) return;
    throw InputError(record_place(), "a carriage return without a line feed", "lines end in LF or CRLF",
                     "convert the line ends of the file");
  }

  void make_fields() {
    fields.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      fields.push_back(std::string_view(text).substr(begin, end - begin));
      begin = end;
    }
  }

  void begin_record() {
    record_begin = position;
    record_line = line;
    text.clear();
    ends.clear();
    records = 0;
  }

  /// Steps over blank lines; false at the end of the file.
  bool find_record() {
    while (true) {
      begin_record();
      const std::string_view part = next_line();
      if (part.empty()) return false;
      const bool blank = part == "\n" || part == "\r\n" || (at_end && part == "\r");
      if (blank) {
        if (!blank_line) blank_line = line;
        position += part.size();
        ++line;
        continue;
      }
      if (blank_line) {
        throw InputError({path.string(), *blank_line, 1}, "a blank line between records", "it is no record, and no missing value",
                         "remove it, or write an empty pair of quotes for an empty field");
      }
      return true;
    }
  }

  bool next() {
    if (!find_record()) return false;
    while (records == 0) {
      const std::string_view part = next_line();
      if (part.empty()) return finish();
      feed(part);
      position += part.size();
      if (part.back() == '\n') ++line;
      check_line_end(part);
    }
    make_fields();
    return true;
  }

  /// The last record, if it has no line end.
  bool finish() {
    if (!parser.finish()) {
      throw InputError(place_of(ends.size()), "a quote that is never closed", "the file ends within the field", "close it");
    }
    make_fields();
    return true;
  }

  /// Tables that other programs saved as UTF-16, and files that are no tables at all.
  void refuse_what_is_no_text() const {
    constexpr std::string_view little_endian = "\xFF\xFE", big_endian = "\xFE\xFF";
    const std::string_view start = buffer;
    if (start.starts_with(little_endian) || start.starts_with(big_endian))
      throw InputError({path.string(), 1, 1}, "the table is UTF-16 text", {}, "save it as UTF-8");
    const std::size_t zero = start.find('\0');
    if (zero == std::string_view::npos) return;
    const auto lines =
        static_cast<std::size_t>(std::count(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(zero), '\n'));
    const std::size_t line_begin = lines == 0 ? 0 : start.rfind('\n', zero) + 1;
    throw InputError({path.string(), lines + 1, zero - line_begin + 1}, "a byte of value zero", "a CSV file is text",
                     "check that it is the right file, and remove the byte");
  }

  void skip_byte_order_mark() {
    fill();
    refuse_what_is_no_text();
    if (!std::string_view(buffer).starts_with(byte_order_mark)) return;
    buffer.erase(0, byte_order_mark.size());
  }
};

CsvReader::CsvReader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) throw InputError({path.string()}, "is a folder", "a CSV file is needed");
  state_->stream.open(path, std::ios::binary);
  if (!state_->stream) throw InputError({path.string()}, "cannot be read", std::generic_category().message(errno));
  state_->skip_byte_order_mark();
}

CsvReader::~CsvReader() = default;

bool CsvReader::next() { return state_->next(); }
std::span<const std::string_view> CsvReader::fields() const { return state_->fields; }
Place CsvReader::place() const { return state_->record_place(); }
Place CsvReader::place_of(std::size_t field) const { return state_->place_of(field); }

}  // namespace hiple
