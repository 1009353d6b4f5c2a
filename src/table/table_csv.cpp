#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "base/text.hpp"
#include "table/cell_reader.hpp"
#include "table/csv_reader.hpp"
#include "table/table_reading.hpp"

namespace hiple::reading {

namespace {

/// Grows one column from texts.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(const ColumnSchema& schema) : reader(schema) {}
  virtual ~ColumnBuilder() = default;
  ColumnBuilder(const ColumnBuilder&) = delete;
  ColumnBuilder& operator=(const ColumnBuilder&) = delete;

  virtual CellReader::Outcome append(std::string_view text) = 0;
  virtual Column finish() = 0;

  const CellReader reader;
};

template <class T>
class TypedBuilder : public ColumnBuilder {
 public:
  using ColumnBuilder::ColumnBuilder;

  CellReader::Outcome append(std::string_view text) override {
    T value{};
    const CellReader::Outcome outcome = reader.read(text, value);
    values_.push_back(value);
    cells_.push_back(outcome == CellReader::Outcome::known     ? Cell::known
                     : outcome == CellReader::Outcome::missing ? Cell::missing
                                                               : Cell::invalid);
    return outcome;
  }
  Column finish() override { return {std::move(values_), std::move(cells_)}; }

 private:
  std::vector<T> values_;
  std::vector<Cell> cells_;
};

std::unique_ptr<ColumnBuilder> make_builder(const ColumnSchema& schema) {
  return std::visit(
      [&]<class T>(const std::vector<T>&) -> std::unique_ptr<ColumnBuilder> { return std::make_unique<TypedBuilder<T>>(schema); },
      make_column(schema).values);
}

std::string count_of_fields(std::size_t count) { return std::to_string(count) + (count == 1 ? " field" : " fields"); }

/// A cell's text for a message, cut where it is long.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

/// Another separator makes a header one long name: better to say so than to miss every column.
void refuse_other_separators(std::span<const std::string> names, const Place& place) {
  if (names.size() != 1 || names.front().find_first_of(";\t|") == std::string::npos) return;
  throw InputError(place, "the header is one field, \"" + shown(names.front()) + "\"", "fields are separated by commas",
                   "convert the file from its separator to commas");
}

/// For each field of a record the schema's column; reads the header, if there is one.
std::vector<std::optional<std::size_t>> match_header(CsvReader& reader, const std::filesystem::path& path, const Schema& schema) {
  std::vector<std::optional<std::size_t>> matches;
  if (!schema.header) {
    for (std::size_t i = 0; i < schema.columns.size(); ++i) matches.emplace_back(i);
    return matches;
  }
  if (!reader.next()) throw InputError({path.string()}, "the table is empty", "it should begin with the names of its columns");
  const std::vector<std::string> names(reader.fields().begin(), reader.fields().end());
  if (schema.columns.size() > 1) refuse_other_separators(names, reader.place());
  Problems problems;
  matches = match_names(
      names, schema, [&](std::size_t i) { return reader.place_of(i); }, reader.place(), problems);
  problems.throw_if_any();
  return matches;
}

class CsvTableReader {
 public:
  CsvTableReader(const std::filesystem::path& path, const Schema& schema, const Schema& kept)
      : path_(path), reader_(path), matches_(match_header(reader_, path, schema)) {
    table_.schema = kept;
    table_.columns.resize(kept.columns.size());
    for (std::size_t field = 0; field < matches_.size(); ++field) {
      const ColumnSchema& column = schema.columns[*matches_[field]];
      const auto index = kept.find(column.name);
      if (index && column.role == ColumnRole::id) id_field_ = field;
      if (index && column.role != ColumnRole::id && column.role != ColumnRole::ignore) {
        slots_.push_back({field, *index, make_builder(table_.schema.columns[*index])});
      }
    }
    for (std::size_t i = 0; i < kept.columns.size(); ++i) table_.columns[i] = make_column(kept.columns[i]);
  }

  Table read(bool header, const std::function<void()>& beat) {
    constexpr std::size_t rows_a_beat = 4096;
    while (reader_.next()) {
      if (beat && table_.rows() % rows_a_beat == 0) beat();
      if (reader_.fields().size() != matches_.size()) {
        report_field_count(header);
        continue;
      }
      read_id();
      for (Slot& slot : slots_) read_cell(slot);
    }
    problems_.throw_if_any();
    if (table_.rows() == 0 && !header) throw InputError({path_.string()}, "the table is empty");
    for (Slot& slot : slots_) table_.columns[slot.column] = slot.builder->finish();
    return std::move(table_);
  }

 private:
  struct Slot {
    std::size_t field;
    std::size_t column;
    std::unique_ptr<ColumnBuilder> builder;
  };

  void report(Place place, std::string what, std::string why, std::string remedy) {
    problems_.add(std::move(place), std::move(what), std::move(why), std::move(remedy));
    stop_if_too_many(problems_, path_);
  }

  void report_field_count(bool header) {
    const std::size_t found = reader_.fields().size();
    report(reader_.place_of(std::min(found, matches_.size())), "a record of " + count_of_fields(found),
           (header ? "the header has " : "the schema has ") + std::to_string(matches_.size()),
           "put fields that hold commas or line ends in quotes");
  }

  void read_id() {
    if (table_.rows() == std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(reader_.place(), "more than 4294967295 rows", "rows are numbered in 32 bits", "divide the table");
    }
    if (!id_field_) {
      table_.case_id.push_back(table_.rows() + 1);
      return;
    }
    const std::string_view text = reader_.fields()[*id_field_];
    const auto id = parse_unsigned(text);
    table_.case_id.push_back(id.value_or(0));
    if (id) return;
    report(reader_.place_of(*id_field_),
           text.empty() ? "the case id is missing" : "the case id \"" + shown(text) + "\" is no number",
           "a case id is a whole number from 0 to 18446744073709551615, without a sign or leading zeros", "number the cases");
  }

  void read_cell(Slot& slot) {
    const std::string_view text = reader_.fields()[slot.field];
    const CellReader::Outcome outcome = slot.builder->append(text);
    if (outcome == CellReader::Outcome::known || outcome == CellReader::Outcome::missing) return;
    const ColumnSchema& schema = table_.schema.columns[slot.column];
    if (outcome == CellReader::Outcome::invalid) {
      if (table_.text_of_invalid.size() >= most_invalid_texts) return;
      table_.text_of_invalid.push_back(reader_.place_of(slot.field).text() + ": " + schema.name + " " + shown(text));
      return;
    }
    report(reader_.place_of(slot.field),
           "column \"" + schema.name + "\": \"" + shown(text) + "\" is no " + std::string(name_of(schema.type)),
           slot.builder->reader.why_unreadable(), "correct it, or list it under `missing` in the schema");
  }

  std::filesystem::path path_;
  CsvReader reader_;
  std::vector<std::optional<std::size_t>> matches_;
  std::optional<std::size_t> id_field_;
  std::vector<Slot> slots_;
  Table table_;
  Problems problems_;
};

/// Reads the file again to tell where rows are.
std::vector<Place> places_of_rows(const std::filesystem::path& path, bool header, std::span<const std::size_t> rows) {
  std::map<std::size_t, Place> places;
  for (const std::size_t row : rows) places.emplace(row, Place{});
  CsvReader reader(path);
  if (header) reader.next();
  for (auto next = places.begin(); next != places.end();) {
    for (std::size_t row = next == places.begin() ? 0 : std::prev(next)->first + 1; row <= next->first; ++row) reader.next();
    next->second = reader.place();
    ++next;
  }
  std::vector<Place> result;
  for (const std::size_t row : rows) result.push_back(places[row]);
  return result;
}

}  // namespace

Table read_csv(const std::filesystem::path& path, const Schema& schema, const Schema& kept, const std::function<void()>& beat) {
  Table table = CsvTableReader(path, schema, kept).read(schema.header, beat);
  sort_by_case(table, [&](std::span<const std::size_t> rows) { return places_of_rows(path, schema.header, rows); });
  return table;
}

void check_csv_header(const std::filesystem::path& path, const Schema& schema) {
  CsvReader reader(path);
  const auto matches = match_header(reader, path, schema);
  if (schema.header) return;
  if (!reader.next()) throw InputError({path.string()}, "the table is empty");
  if (reader.fields().size() == matches.size()) return;
  throw InputError(reader.place(), "a record of " + count_of_fields(reader.fields().size()),
                   "the schema has " + std::to_string(matches.size()));
}

}  // namespace hiple::reading
