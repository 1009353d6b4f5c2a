#include "table/select.hpp"

#include <cmath>

#include "condition/condition.hpp"

namespace hiple {

namespace {

std::string why_unreadable(ColumnRole role) {
  switch (role) {
    case ColumnRole::label:
      return "it is a label, which only training and gates may read";
    case ColumnRole::id:
      return "it is the case id, which says nothing of the case";
    case ColumnRole::ignore:
      return "its role is ignore, and its values are not kept";
    case ColumnRole::input:
      break;
  }
  return {};
}

}  // namespace

condition::Kind kind_of(ColumnType type) {
  switch (type) {
    case ColumnType::real:
      return condition::Kind::real;
    case ColumnType::integer:
      return condition::Kind::integer;
    case ColumnType::category:
      return condition::Kind::text;
    case ColumnType::boolean:
      return condition::Kind::boolean;
    case ColumnType::date:
      return condition::Kind::date;
  }
  return condition::Kind::wrong;
}

condition::Scope column_scope(const Schema& schema, condition::Vocabulary& vocabulary, std::int32_t as_of) {
  condition::Scope scope;
  scope.vocabulary = &vocabulary;
  scope.as_of = as_of;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const ColumnSchema& column = schema.columns[i];
    if (column.role == ColumnRole::input) {
      scope.columns[column.name] = {i, kind_of(column.type), column.unit, column.values};
    } else {
      scope.unreadable[column.name] = why_unreadable(column.role);
    }
  }
  return scope;
}

condition::Field field_of(const Column& column, std::size_t row) {
  using State = condition::Field::State;
  if (column.cells[row] == Cell::missing) return {State::missing, 0};
  const double number = column.number(row);
  // What is no number compares as FALSE with everything, which would be a statement about the case.
  return {column.cells[row] == Cell::known && std::isfinite(number) ? State::known : State::invalid, number};
}

std::vector<std::uint32_t> select_rows(const Table& table, const std::string& condition, const Place& place, std::int32_t as_of) {
  condition::Vocabulary vocabulary;
  const condition::Condition compiled(condition, column_scope(table.schema, vocabulary, as_of), place);
  RowView view(table);
  condition::CauseSet causes;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    view.go_to(row);
    causes.clear();
    if (compiled.evaluate(view, causes) == condition::Truth::yes) rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> columns_read_by(const Schema& schema, const std::string& condition, const Place& place) {
  condition::Vocabulary vocabulary;
  const condition::Condition compiled(condition, column_scope(schema, vocabulary, 0), place);
  const auto names = compiled.columns();
  return {names.begin(), names.end()};
}

}  // namespace hiple
