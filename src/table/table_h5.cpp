#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "h5/h5.hpp"
#include "table/cell_reader.hpp"
#include "table/table_h5_names.hpp"
#include "table/table_reading.hpp"

namespace hiple::reading {

namespace {

std::string object_place(const h5::Reader& file, const std::string& object) { return file.path().string() + ": " + object; }

/// Whether a stored value may stand; a category's code is changed into the schema's.
class ValueCheck {
 public:
  ValueCheck(const ColumnSchema& schema, const h5::Reader& file) : type_(schema.type), cell_(schema) {
    if (type_ != ColumnType::category) return;
    std::int32_t code = 0;
    for (const std::string& text : file.read_texts(format::values(schema.name))) {
      if (cell_.read(text, code) != CellReader::Outcome::known) code = -1;
      codes_.push_back(code);
    }
  }

  [[nodiscard]] bool accept(double& value) const { return std::isfinite(value) && cell_.in_range(value); }
  [[nodiscard]] bool accept(std::int64_t& value) const { return cell_.in_range(static_cast<double>(value)); }
  [[nodiscard]] bool accept(std::uint8_t& value) const { return value <= 1; }
  [[nodiscard]] bool accept(std::int32_t& value) const {
    if (type_ == ColumnType::date) return cell_.in_range(value);
    if (value < 0 || static_cast<std::size_t>(value) >= codes_.size()) return false;
    value = codes_[static_cast<std::size_t>(value)];
    return value >= 0;
  }

 private:
  ColumnType type_;
  CellReader cell_;
  std::vector<std::int32_t> codes_;
};

void check_type(const h5::Reader& file, const ColumnSchema& schema) {
  const std::string object = format::column(schema.name);
  const std::string type = file.attribute_text(object, "type"), unit = file.attribute_text(object, "unit");
  Problems problems;
  if (type != name_of(schema.type)) {
    problems.add({object_place(file, object)}, "the column's type is " + type,
                 "the schema says " + std::string(name_of(schema.type)) + " at " + schema.place.text());
  }
  if (unit != schema.unit) {
    problems.add({object_place(file, object)}, "the column's unit is \"" + unit + "\"",
                 "the schema says \"" + schema.unit + "\" at " + schema.place.text(),
                 "nothing is converted here: correct the schema or the table");
  }
  problems.throw_if_any();
}

std::vector<Cell> read_cells(const h5::Reader& file, const std::string& name, std::size_t rows) {
  const std::vector<std::uint8_t> stored = file.read<std::uint8_t>(format::cells(name));
  if (stored.size() != rows) {
    throw InputError({object_place(file, format::cells(name))}, std::to_string(stored.size()) + " entries",
                     "the table has " + std::to_string(rows) + " rows");
  }
  std::vector<Cell> cells(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (stored[row] > static_cast<std::uint8_t>(Cell::invalid)) {
      throw InputError({object_place(file, format::cells(name))},
                       "entry " + std::to_string(row) + " is " + std::to_string(stored[row]), "0 is known, 1 missing, 2 invalid");
    }
    cells[row] = static_cast<Cell>(stored[row]);
  }
  return cells;
}

class H5TableReader {
 public:
  H5TableReader(const std::filesystem::path& path, const Schema& kept)
      : file_(path, format::name, format::version, h5::Verify::whole_if_small) {
    table_.schema = kept;
  }

  Table read() {
    table_.case_id = file_.read<std::uint64_t>(format::case_id);
    if (table_.rows() > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError({file_.path().string()}, "more than 4294967295 rows", "rows are numbered in 32 bits", "divide the table");
    }
    for (const ColumnSchema& schema : table_.schema.columns) {
      table_.columns.push_back(make_column(schema));
      if (schema.role == ColumnRole::id || schema.role == ColumnRole::ignore) continue;
      check_type(file_, schema);
      read_column(schema, table_.columns.back());
    }
    return std::move(table_);
  }

 private:
  void read_column(const ColumnSchema& schema, Column& column) {
    const std::string object = format::column(schema.name);
    const std::vector<std::size_t> shape = file_.shape(object);
    if (shape.size() != 1 || shape[0] != table_.rows()) {
      throw InputError({object_place(file_, object)}, "the column is not one value a row",
                       "the table has " + std::to_string(table_.rows()) + " rows");
    }
    column.cells = read_cells(file_, schema.name, table_.rows());
    const ValueCheck check(schema, file_);
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          values = file_.read<T>(object);
          for (std::size_t row = 0; row < values.size(); ++row) {
            if (column.cells[row] != Cell::known) {
              values[row] = T{};
            } else if (const T stored = values[row]; !check.accept(values[row])) {
              values[row] = T{};
              column.cells[row] = Cell::invalid;
              remember(object, row, static_cast<double>(stored));
            }
          }
        },
        column.values);
  }

  void remember(const std::string& object, std::size_t row, double value) {
    if (table_.text_of_invalid.size() >= most_invalid_texts) return;
    const std::string number = std::isfinite(value) ? format_real(value) : "not a finite number";
    table_.text_of_invalid.push_back(object_place(file_, object) + "[" + std::to_string(row) + "]: " + number);
  }

  h5::Reader file_;
  Table table_;
};

}  // namespace

void check_h5_names(const std::filesystem::path& path, const Schema& schema) {
  const h5::Reader file(path, format::name, format::version);
  std::vector<std::string> names = file.names("/columns");
  for (const std::string& id : schema.names(ColumnRole::id)) names.push_back(id);  // its values are /case_id
  Problems problems;
  match_names(
      names, schema, [&](std::size_t i) { return Place{object_place(file, format::column(names[i]))}; }, {path.string()},
      problems);
  problems.throw_if_any();
}

Table read_h5(const std::filesystem::path& path, const Schema& schema, const Schema& kept) {
  check_h5_names(path, schema);
  Table table = H5TableReader(path, kept).read();
  sort_by_case(table, [&](std::span<const std::size_t> rows) {
    std::vector<Place> places;
    for (const std::size_t row : rows)
      places.push_back({path.string() + ": " + format::case_id + "[" + std::to_string(row) + "]"});
    return places;
  });
  return table;
}

}  // namespace hiple::reading
