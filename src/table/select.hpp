#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "condition/scope.hpp"
#include "condition/view.hpp"
#include "table/table.hpp"

namespace hiple {

/// What a condition takes a column's values for.
condition::Kind kind_of(ColumnType type);

/// The columns of a schema that a condition may read, those with role `input`, under their index in it; the others under
/// `unreadable`, with the reason: a label is what is to be found.
condition::Scope column_scope(const Schema& schema, condition::Vocabulary& vocabulary, std::int32_t as_of);

/// What a condition sees of a cell.
condition::Field field_of(const Column& column, std::size_t row);

/// What a condition sees of one row of a table. The scope must come from the table's own schema, or the indices differ.
class RowView : public condition::View {
 public:
  explicit RowView(const Table& table) : table_(&table) {}
  void go_to(std::size_t row) { row_ = row; }

  [[nodiscard]] condition::Field column(std::size_t index) const override { return field_of(table_->columns[index], row_); }

 private:
  const Table* table_;
  std::size_t row_ = 0;
};

/// The rows for which a condition over input columns is TRUE (not FALSE, and not UNKNOWN for a missing or invalid value),
/// ascending. `place` is where the condition's text begins. Throws InputError: what Condition refuses. `as_of`: days since
/// 1970-01-01, what age() calls today.
std::vector<std::uint32_t> select_rows(const Table& table, const std::string& condition, const Place& place, std::int32_t as_of);

/// The names of the columns that a condition reads, checked against the schema alone: what read_table() must be asked for.
std::vector<std::string> columns_read_by(const Schema& schema, const std::string& condition, const Place& place);

}  // namespace hiple
