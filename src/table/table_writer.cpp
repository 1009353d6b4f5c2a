#include "table/table_writer.hpp"

#include <optional>

#include "h5/h5.hpp"
#include "table/cell_reader.hpp"
#include "table/csv_writer.hpp"
#include "table/table_h5_names.hpp"

namespace hiple {

namespace {

bool has_values(const ColumnSchema& schema) { return schema.role != ColumnRole::id && schema.role != ColumnRole::ignore; }

/// Refuses portions that do not fit together.
class PortionCheck {
 public:
  explicit PortionCheck(const Schema& schema) : columns_(schema.columns.size()) {}

  void check(const Table& portion) {
    if (portion.columns.size() != columns_) throw Error("a portion of a table has other columns than the table");
    for (std::size_t i = 0; i < columns_; ++i) {
      const Column& column = portion.columns[i];
      const std::size_t values = std::visit([](const auto& array) { return array.size(); }, column.values);
      if (has_values(portion.schema.columns[i]) && (values != portion.rows() || column.cells.size() != portion.rows())) {
        throw Error("column \"" + portion.schema.columns[i].name + "\" of a table has not one value a row");
      }
    }
    for (const std::uint64_t id : portion.case_id) {
      if (last_ && id <= *last_) throw Error("case ids of a table that is written must ascend: " + std::to_string(id));
      last_ = id;
    }
  }

 private:
  std::size_t columns_;
  std::optional<std::uint64_t> last_;
};

class H5TableWriter : public TableWriter {
 public:
  H5TableWriter(const std::filesystem::path& path, const Schema& schema)
      : schema_(schema), check_(schema), file_(path, format::name, format::version) {
    file_.create<std::uint64_t>(format::case_id);
    for (const ColumnSchema& column : schema_.columns) {
      if (has_values(column)) create(column);
    }
  }

  void append(const Table& portion) override {
    check_.check(portion);
    file_.append<std::uint64_t>(format::case_id, portion.case_id);
    for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
      if (!has_values(schema_.columns[i])) continue;
      const Column& column = portion.columns[i];
      const std::string& name = schema_.columns[i].name;
      std::visit([&]<class T>(const std::vector<T>& values) { file_.append<T>(format::column(name), values); }, column.values);
      std::vector<std::uint8_t> cells;
      cells.reserve(column.cells.size());
      for (const Cell cell : column.cells) cells.push_back(static_cast<std::uint8_t>(cell));
      file_.append<std::uint8_t>(format::cells(name), cells);
    }
  }

  void finish() override { file_.finish(); }

 private:
  void create(const ColumnSchema& column) {
    const std::string object = format::column(column.name);
    std::visit([&]<class T>(const std::vector<T>&) { file_.create<T>(object); }, make_column(column).values);
    file_.attribute(object, "type", std::string(name_of(column.type)));
    file_.attribute(object, "unit", column.unit);
    file_.create<std::uint8_t>(format::cells(column.name));
    if (column.type == ColumnType::category) file_.write(format::values(column.name), column.values);
  }

  Schema schema_;
  PortionCheck check_;
  h5::Writer file_;
};

class CsvTableWriter : public TableWriter {
 public:
  CsvTableWriter(const std::filesystem::path& path, const Schema& schema) : schema_(schema), check_(schema), file_(path) {
    for (const ColumnSchema& column : schema_.columns) {
      if (column.role != ColumnRole::ignore) file_.field(column.name);
    }
    file_.end_record();
  }

  void append(const Table& portion) override {
    check_.check(portion);
    for (std::size_t row = 0; row < portion.rows(); ++row) {
      for (std::size_t i = 0; i < schema_.columns.size(); ++i) write_field(portion, i, row);
      file_.end_record();
    }
  }

  void finish() override { file_.finish(); }

 private:
  void write_field(const Table& portion, std::size_t index, std::size_t row) {
    const ColumnSchema& schema = schema_.columns[index];
    if (schema.role == ColumnRole::ignore) return;
    if (schema.role == ColumnRole::id) {
      file_.field(std::to_string(portion.case_id[row]));
      return;
    }
    if (portion.columns[index].cells[row] == Cell::invalid) {
      throw Error("column \"" + schema.name + "\" of case " + std::to_string(portion.case_id[row]) +
                  " is invalid and has no text");
    }
    file_.field(text_of(schema, portion.columns[index], row));
  }

  Schema schema_;
  PortionCheck check_;
  CsvWriter file_;
};

}  // namespace

std::unique_ptr<TableWriter> write_h5_table(const std::filesystem::path& path, const Schema& schema) {
  return std::make_unique<H5TableWriter>(path, schema);
}

std::unique_ptr<TableWriter> write_csv_table(const std::filesystem::path& path, const Schema& schema) {
  return std::make_unique<CsvTableWriter>(path, schema);
}

void write_table(const std::filesystem::path& path, const Table& table) {
  const std::unique_ptr<TableWriter> writer = write_h5_table(path, table.schema);
  writer->append(table);
  writer->finish();
}

}  // namespace hiple
