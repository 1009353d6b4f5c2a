#include "law/evidence_column.hpp"

#include <algorithm>

namespace hiple::law {

ColumnSchema evidence_of(const ColumnSchema& column) {
  ColumnSchema evidence = column;
  evidence.name = condition::evidence_name(column.name);
  evidence.role = ColumnRole::input;
  return evidence;
}

ColumnSchema evidence_of(const Question& question) {
  ColumnSchema evidence;
  evidence.name = condition::evidence_name(question.name);
  evidence.type = ColumnType::category;
  evidence.values = question.findings;
  return evidence;
}

std::size_t add_evidence_column(Law::Model& model, const ColumnSchema& column) {
  const auto found = std::find(model.columns.begin(), model.columns.end(), column.name);
  const auto number = static_cast<std::size_t>(found - model.columns.begin());
  if (found != model.columns.end()) return number;
  model.columns.push_back(column.name);
  model.column_schemas.push_back(column);
  model.column_is_read.push_back(false);
  return number;
}

}  // namespace hiple::law
