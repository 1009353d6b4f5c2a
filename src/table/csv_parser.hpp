#pragma once

#include <csv.h>

#include <cstddef>
#include <new>
#include <string_view>

#include "base/error.hpp"

/// libcsv, for csv_reader.cpp alone.
namespace hiple::csv {

inline constexpr int carriage_return = CSV_CR;  ///< what ends a record is handed on as this character

inline int is_never_blank(unsigned char) { return 0; }

/// libcsv's parser; strict, and without its habit of trimming blanks.
class Parser {
 public:
  using OnField = void (*)(void*, std::size_t, void*);
  using OnRecord = void (*)(int, void*);

  Parser(OnField on_field, OnRecord on_record, void* data) : on_field_(on_field), on_record_(on_record), data_(data) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw Error("libcsv cannot be started");
    csv_set_space_func(&parser_, is_never_blank);
    csv_set_blk_size(&parser_, 4096);
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Number of bytes that were read before an error; all of them if there is none.
  std::size_t parse(std::string_view text) {
    const std::size_t read = csv_parse(&parser_, text.data(), text.size(), on_field_, on_record_, data_);
    if (read != text.size() && csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
    return read;
  }
  /// Hands over a last record without a line end; false within a quoted field.
  bool finish() { return csv_fini(&parser_, on_field_, on_record_, data_) == 0; }

 private:
  csv_parser parser_{};
  OnField on_field_;
  OnRecord on_record_;
  void* data_;
};

/// Finds where fields begin by feeding a record's text byte by byte.
struct FieldFinder {
  std::size_t ended = 0;

  static void on_field(void*, std::size_t, void* self) { ++static_cast<FieldFinder*>(self)->ended; }
  static void on_record(int, void*) {}

  /// Moves `place` from the record's begin to the begin of `field`, or as far as the text reaches.
  void advance(std::string_view record, std::size_t field, Place& place) {
    Parser parser(on_field, on_record, this);
    for (const char& byte : record) {
      if (ended == field || parser.parse({&byte, 1}) != 1) return;
      if (ended == field && (byte == '\n' || byte == '\r')) return;
      advance_over(byte, place);
    }
  }
  static void advance_over(char byte, Place& place) {
    ++place.column;
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    }
  }
};

}  // namespace hiple::csv
