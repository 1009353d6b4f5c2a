#include "data/hydraulic.hpp"

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "data/describe.hpp"
#include "table/cell_reader.hpp"
#include "table/series.hpp"
#include "table/table_writer.hpp"

namespace hiple::data {

namespace {

constexpr std::size_t seconds = 60, width = 5;  ///< of a cycle, and of one mean

struct Sensor {
  const char* name;
  const char* unit;
};
constexpr std::array<Sensor, 17> sensors = {{{"PS1", "bar"},
                                             {"PS2", "bar"},
                                             {"PS3", "bar"},
                                             {"PS4", "bar"},
                                             {"PS5", "bar"},
                                             {"PS6", "bar"},
                                             {"EPS1", "W"},
                                             {"FS1", "L/min"},
                                             {"FS2", "L/min"},
                                             {"TS1", "Cel"},
                                             {"TS2", "Cel"},
                                             {"TS3", "Cel"},
                                             {"TS4", "Cel"},
                                             {"VS1", "mm/s"},
                                             {"CE", "%"},
                                             {"CP", "kW"},
                                             {"SE", "%"}}};

/// A component's states: the number in profile.txt and our word for it, the sound one first.
struct Component {
  const char* name;
  std::vector<std::pair<double, const char*>> states;
};
const std::vector<Component>& components() {
  static const std::vector<Component> all = {
      {"cooler", {{100, "full"}, {20, "reduced"}, {3, "failing"}}},
      {"valve", {{100, "optimal"}, {90, "small_lag"}, {80, "severe_lag"}, {73, "failing"}}},
      {"pump", {{0, "tight"}, {1, "weak_leak"}, {2, "severe_leak"}}},
      {"accumulator", {{130, "optimal"}, {115, "slightly_low"}, {100, "severely_low"}, {90, "failing"}}}};
  return all;
}

/// Numbers between tabs, `columns` a line, line after line.
class Matrix {
 public:
  Matrix(const std::filesystem::path& path, std::size_t columns) : path_(path), columns_(columns) {
    std::ifstream stream(path);
    if (!stream) throw InputError(Place{path.string()}, "cannot be read", {}, "give the folder of the published files");
    for (std::string line; std::getline(stream, line);) read(line);
    if (values_.empty()) throw InputError(Place{path.string()}, "the file is empty", "cycles are expected");
  }
  [[nodiscard]] std::size_t rows() const { return values_.size() / columns_; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void read(const std::string& line) {
    const std::size_t number = rows() + 1;
    const std::vector<std::string> fields = split(trim(line), '\t');
    if (fields.size() != columns_)
      throw InputError(Place{path_.string(), number}, "a line of " + std::to_string(fields.size()) + " values",
                       std::to_string(columns_) + " are expected", "look for the right file");
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = parse_real(fields[i]);
      if (!value)
        throw InputError(Place{path_.string(), number}, "value " + std::to_string(i + 1) + " is \"" + printable(fields[i]) + "\"",
                         "a number is expected");
      values_.push_back(*value);
    }
  }

  std::filesystem::path path_;
  std::size_t columns_;
  std::vector<double> values_;
};

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& sensor) {
  const auto averaged = folder / (sensor + "_1hz.tsv");
  return std::filesystem::exists(averaged) ? averaged : folder / (sensor + ".txt");
}

Column reals(std::vector<double> values) {
  std::vector<Cell> cells(values.size(), Cell::known);
  return {std::move(values), std::move(cells)};
}

double mean(const Matrix& matrix, std::size_t row, std::size_t first, std::size_t count) {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) sum += matrix.at(row, i);
  return sum / static_cast<double>(count);
}

/// The means of `count` seconds each, point after point.
void append_series(const Matrix& matrix, std::size_t count, Table& table) {
  for (std::size_t first = 0; first < seconds; first += count) {
    std::vector<double> values(matrix.rows());
    for (std::size_t row = 0; row < matrix.rows(); ++row) values[row] = mean(matrix, row, first, count);
    table.columns.push_back(reals(std::move(values)));
  }
}

Column states_of(const Matrix& profile, std::size_t field) {
  const Component& component = components()[field];
  std::vector<std::int32_t> codes;
  for (std::size_t row = 0; row < profile.rows(); ++row) {
    std::size_t code = 0;
    while (code < component.states.size() && component.states[code].first != profile.at(row, field)) ++code;
    if (code == component.states.size())
      throw InputError(Place{profile.path().string(), row + 1},
                       "value " + std::to_string(field + 1) + " is " + format_real(profile.at(row, field)),
                       "it is no state of the " + std::string(component.name));
    codes.push_back(static_cast<std::int32_t>(code));
  }
  std::vector<Cell> cells(codes.size(), Cell::known);
  return {std::move(codes), std::move(cells)};
}

/// The number of each cycle's stretch, in which no component changed its state.
std::vector<std::int64_t> runs_of(const Matrix& profile) {
  std::vector<std::int64_t> runs;
  for (std::size_t row = 0; row < profile.rows(); ++row) {
    bool changed = row == 0;
    for (std::size_t field = 0; row > 0 && field < components().size(); ++field)
      changed = changed || profile.at(row, field) != profile.at(row - 1, field);
    runs.push_back(row == 0 ? 1 : runs.back() + (changed ? 1 : 0));
  }
  return runs;
}

Column integers(std::vector<std::int64_t> values) {
  std::vector<Cell> cells(values.size(), Cell::known);
  return {std::move(values), std::move(cells)};
}

/// Stretches are dealt out to folds in turn. A fold may lack a state of the valve, which changes every stretch, but no fold is
/// needed for any state: what is left of the others has them all.
std::vector<std::int64_t> folds_of(std::vector<std::int64_t> runs) {
  constexpr std::int64_t folds = 5;
  for (std::int64_t& run : runs) run = (run - 1) % folds + 1;
  return runs;
}

void append_points(Schema& schema, const std::string& name, const char* unit, std::size_t length) {
  ColumnSchema series = describe(name, ColumnType::real, ColumnRole::input);
  series.unit = unit;
  for (ColumnSchema& point : points_of_series(series, static_cast<std::int64_t>(length)))
    schema.columns.push_back(std::move(point));
}

}  // namespace

Schema hydraulic_schema() {
  Schema schema;
  schema.columns = {describe("cycle", ColumnType::integer, ColumnRole::id),
                    describe("run", ColumnType::integer, ColumnRole::label),
                    describe("fold", ColumnType::integer, ColumnRole::label)};
  for (const Sensor& sensor : sensors) {
    append_points(schema, sensor.name, sensor.unit, seconds);
    append_points(schema, std::string(sensor.name) + "_mean", sensor.unit, seconds / width);
  }
  for (const Component& component : components()) {
    schema.columns.push_back(describe(component.name, ColumnType::category, ColumnRole::label));
    for (const auto& [number, word] : component.states) schema.columns.back().values.emplace_back(word);
  }
  return schema;
}

std::size_t convert_hydraulic(const std::filesystem::path& folder, const std::filesystem::path& path, TableFormat format) {
  constexpr std::size_t profile_fields = 5;  // the fifth says whether the rig was stable
  const Matrix profile(folder / "profile.txt", profile_fields);
  Table table;
  table.schema = hydraulic_schema();
  for (std::size_t row = 0; row < profile.rows(); ++row) table.case_id.push_back(row + 1);
  table.columns.push_back(make_column(table.schema.columns.front()));
  const std::vector<std::int64_t> runs = runs_of(profile);
  table.columns.push_back(integers(runs));
  table.columns.push_back(integers(folds_of(runs)));
  for (const Sensor& sensor : sensors) {
    const Matrix matrix(file_of(folder, sensor.name), seconds);
    if (matrix.rows() != profile.rows())
      throw InputError(Place{matrix.path().string()}, std::to_string(matrix.rows()) + " cycles",
                       profile.path().string() + " has " + std::to_string(profile.rows()), "look for files of one kind");
    append_series(matrix, 1, table);
    append_series(matrix, width, table);
  }
  for (std::size_t field = 0; field < components().size(); ++field) table.columns.push_back(states_of(profile, field));
  const auto writer = format == TableFormat::csv ? write_csv_table(path, table.schema) : write_h5_table(path, table.schema);
  writer->append(table);
  writer->finish();
  return table.rows();
}

}  // namespace hiple::data
