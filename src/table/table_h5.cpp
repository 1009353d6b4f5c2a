#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "h5/h5.hpp"
#include "table/cell_reader.hpp"
#include "table/h5_table.hpp"
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

void check_rows(const h5::Reader& file, const std::string& object, std::size_t rows) {
  const std::vector<std::size_t> shape = file.shape(object);
  if (shape.size() == 1 && shape[0] == rows) return;
  throw InputError({object_place(file, object)}, "is not one value a row", "the table has " + std::to_string(rows) + " rows");
}

std::vector<Cell> read_cells(const h5::Reader& file, const std::string& object, std::size_t first, std::size_t count) {
  const std::vector<std::uint8_t> stored = file.read<std::uint8_t>(object, first, count);
  std::vector<Cell> cells(count);
  for (std::size_t row = 0; row < count; ++row) {
    if (stored[row] > static_cast<std::uint8_t>(Cell::invalid)) {
      throw InputError({object_place(file, object)},
                       "entry " + std::to_string(first + row) + " is " + std::to_string(stored[row]),
                       "0 is known, 1 missing, 2 invalid");
    }
    cells[row] = static_cast<Cell>(stored[row]);
  }
  return cells;
}

void remember(Table& table, const std::string& object, std::size_t row, double value) {
  if (table.text_of_invalid.size() >= most_invalid_texts) return;
  const std::string number = std::isfinite(value) ? format_real(value) : "not a finite number";
  table.text_of_invalid.push_back(object + "[" + std::to_string(row) + "]: " + number);
}

}  // namespace

struct H5Table::Kept {
  std::size_t column;
  ValueCheck check;
};

H5Table::H5Table(const std::filesystem::path& path, const Schema& schema, const Schema& kept)
    : file_((check_h5_names(path, schema), path), format::name, format::version, h5::Verify::whole_if_small), schema_(kept) {
  rows_ = file_.shape(format::case_id).at(0);
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    const ColumnSchema& column = schema_.columns[i];
    if (column.role == ColumnRole::id || column.role == ColumnRole::ignore) continue;
    check_type(file_, column);
    check_rows(file_, format::column(column.name), rows_);
    check_rows(file_, format::cells(column.name), rows_);
    kept_.push_back({i, ValueCheck(column, file_)});
  }
}

H5Table::~H5Table() = default;

std::vector<std::uint64_t> H5Table::read_ids(std::size_t first, std::size_t count) const {
  return file_.read<std::uint64_t>(format::case_id, first, count);
}

Table H5Table::read(std::size_t first, std::size_t count, const std::function<void()>& beat) const {
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({file_.path().string()}, "more than 4294967295 rows", "rows in memory are numbered in 32 bits",
                     "sort the table by case id, so that it can be read in portions, or divide it");
  }
  Table table;
  table.schema = schema_;
  table.case_id = read_ids(first, count);
  for (const ColumnSchema& column : schema_.columns) table.columns.push_back(make_column(column));
  for (const Kept& kept : kept_) {
    if (beat) beat();
    read_column(kept, first, count, table);
  }
  return table;
}

void H5Table::read_column(const Kept& kept, std::size_t first, std::size_t count, Table& table) const {
  const std::string& name = schema_.columns[kept.column].name;
  const std::string object = format::column(name);
  Column& column = table.columns[kept.column];
  column.cells = read_cells(file_, format::cells(name), first, count);
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        values = file_.read<T>(object, first, count);
        for (std::size_t row = 0; row < values.size(); ++row) {
          if (column.cells[row] != Cell::known) {
            values[row] = T{};
          } else if (const T stored = values[row]; !kept.check.accept(values[row])) {
            values[row] = T{};
            column.cells[row] = Cell::invalid;
            remember(table, object_place(file_, object), first + row, static_cast<double>(stored));
          }
        }
      },
      column.values);
}

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

Table read_h5(const std::filesystem::path& path, const Schema& schema, const Schema& kept, const std::function<void()>& beat) {
  const H5Table file(path, schema, kept);
  Table table = file.read(0, file.rows(), beat);
  sort_by_case(table, [&](std::span<const std::size_t> rows) {
    std::vector<Place> places;
    for (const std::size_t row : rows)
      places.push_back({path.string() + ": " + format::case_id + "[" + std::to_string(row) + "]"});
    return places;
  });
  return table;
}

}  // namespace hiple::reading
