#include "table/series.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace hiple {

namespace {

/// The digits behind the last "_" of a point's name; empty where there are none.
std::string_view digits_of(std::string_view name) {
  const std::size_t bar = name.rfind('_');
  if (bar == std::string_view::npos || bar == 0) return {};
  const std::string_view digits = name.substr(bar + 1);
  const bool all = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return all ? digits : std::string_view();
}

std::string point_name(const std::string& series, std::size_t index, std::size_t digits) {
  const std::string number = std::to_string(index);
  return series + "_" + std::string(digits - std::min(digits, number.size()), '0') + number;
}

}  // namespace

std::vector<ColumnSchema> points_of_series(const ColumnSchema& series, std::int64_t length) {
  const std::size_t digits = std::to_string(length - 1).size();
  std::vector<ColumnSchema> points(static_cast<std::size_t>(length), series);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].name = point_name(series.name, i, digits);
  return points;
}

std::vector<const ColumnSchema*> columns_named(const Schema& schema, const std::string& name) {
  if (const auto index = schema.find(name)) return {&schema.columns[*index]};
  std::map<std::string_view, const ColumnSchema*> points;
  for (const ColumnSchema& column : schema.columns) {
    const std::string_view digits = digits_of(column.name);
    if (!digits.empty() && column.name.size() == name.size() + 1 + digits.size() && column.name.starts_with(name))
      points.emplace(column.name, &column);
  }
  std::vector<const ColumnSchema*> series;
  const std::size_t digits = points.empty() ? 0 : digits_of(points.begin()->first).size();
  for (const auto& [point, column] : points) {
    if (point != point_name(name, series.size(), digits)) return {};
    series.push_back(column);
  }
  return series.size() < 2 ? std::vector<const ColumnSchema*>() : series;
}

std::vector<std::string> with_points(const Schema& schema, std::span<const std::string> names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const auto columns = columns_named(schema, name);
    for (const ColumnSchema* column : columns) result.push_back(column->name);
    if (columns.empty()) result.push_back(name);
  }
  return result;
}

std::vector<std::string> names_with_series(const Schema& schema, ColumnRole role) {
  std::vector<std::string> names = schema.names(role);
  const std::size_t columns = names.size();
  for (std::size_t i = 0; i < columns; ++i) {
    const std::string_view digits = digits_of(names[i]);
    if (digits.empty()) continue;
    const std::string series = names[i].substr(0, names[i].size() - digits.size() - 1);
    const bool first = names[i] == point_name(series, 0, digits.size());
    if (first && columns_named(schema, series).size() > 1) names.push_back(series);
  }
  return names;
}

}  // namespace hiple
