#include "engine/features.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "table/series.hpp"

namespace hiple::engine {

namespace {

constexpr std::int32_t missing_code = -1;
constexpr std::int32_t outside_vocabulary = -2;

/// Mean and standard deviation in two passes over values divided by the largest, so that no square overflows.
void fit_scaler(Feature& feature, const Column& column, std::span<const std::uint32_t> rows) {
  double largest = 0;
  std::size_t count = 0;
  for (const std::uint32_t row : rows) {
    if (column.cells[row] != Cell::known || !std::isfinite(column.number(row))) continue;
    largest = std::max(largest, std::abs(column.number(row)));
    ++count;
  }
  if (count == 0 || largest == 0) return;
  const auto mean_of = [&](auto term) {
    double sum = 0;
    for (const std::uint32_t row : rows) {
      if (column.cells[row] == Cell::known && std::isfinite(column.number(row))) sum += term(column.number(row) / largest);
    }
    return sum / static_cast<double>(count);
  };
  const double mean = mean_of([](double value) { return value; });
  const double deviation = std::sqrt(mean_of([mean](double value) { return (value - mean) * (value - mean); }));
  feature.mean = mean * largest;
  // Equal values differ from their mean by rounding alone.
  constexpr double rounding = 1e-12;
  if (deviation > rounding) feature.scale = std::max(deviation * largest, 1e-300);
}

void fit_vocabulary(Feature& feature, const ColumnSchema& schema, const Column& column, std::span<const std::uint32_t> rows) {
  const auto& codes = std::get<std::vector<std::int32_t>>(column.values);
  std::vector<char> seen(schema.values.size(), 0);
  for (const std::uint32_t row : rows) {
    if (column.cells[row] == Cell::known) seen.at(static_cast<std::size_t>(codes[row])) = 1;
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] != 0) feature.vocabulary.push_back(schema.values[i]);
  }
}

std::string described(ColumnType type, const std::string& unit) {
  return std::string(name_of(type)) + (unit.empty() ? "" : " in " + unit);
}

}  // namespace

Features Features::fit(const Table& table, std::span<const std::string> names, std::span<const std::uint32_t> rows,
                       bool as_series) {
  std::vector<Feature> features;
  std::size_t length = 0;
  for (const std::string& name : names) {
    const auto columns = columns_named(table.schema, name);
    if (columns.empty()) throw Error("feature \"" + name + "\" is no column of the table");
    if (as_series && columns.front()->name != name) {
      if (length != 0 && length != columns.size()) throw Error("series \"" + name + "\" has another length than those before it");
      length = columns.size();
    }
    for (const ColumnSchema* schema : columns) {
      const Column& column = table.column(schema->name);
      Feature feature{schema->name, schema->type, schema->unit, 0, 1, {}};
      if (as_series && schema->name != name) feature.series = name;
      if (feature.is_category()) {
        fit_vocabulary(feature, *schema, column, rows);
      } else if (feature.type != ColumnType::boolean) {
        fit_scaler(feature, column, rows);
      }
      features.push_back(std::move(feature));
    }
  }
  return Features(std::move(features));
}

std::size_t Features::scalar_width() const {
  return 2 * static_cast<std::size_t>(
                 std::ranges::count_if(features_, [](const Feature& f) { return !f.is_category() && f.series.empty(); }));
}

std::size_t Features::series_points() const {
  return static_cast<std::size_t>(std::ranges::count_if(features_, [](const Feature& f) { return !f.series.empty(); }));
}

std::size_t Features::series_count() const {
  std::size_t count = 0;
  const std::string* last = nullptr;  // the points of a series follow one another
  for (const Feature& feature : features_) {
    if (!feature.series.empty() && (last == nullptr || *last != feature.series)) ++count;
    last = &feature.series;
  }
  return count;
}

std::size_t Features::series_length() const { return series_points() == 0 ? 0 : series_points() / series_count(); }

std::vector<std::int64_t> Features::vocabulary_sizes() const {
  std::vector<std::int64_t> sizes;
  for (const Feature& feature : features_) {
    if (feature.is_category()) sizes.push_back(std::max<std::int64_t>(1, std::ssize(feature.vocabulary)));
  }
  return sizes;
}

FeatureReader::FeatureReader(const Features& features, const Table& table) : dense_width_(features.dense_width()) {
  Problems problems;
  std::vector<std::string> names;
  names.reserve(table.schema.columns.size());
  for (const ColumnSchema& column : table.schema.columns) names.push_back(column.name);
  const Place place{table.schema.file.string(), 0, 0};
  for (const Feature& feature : features.list()) {
    const auto index = table.schema.find(feature.name);
    if (!index) {
      problems.add(place, "no column \"" + feature.name + "\"", "the engine reads it", suggestion(feature.name, names));
      continue;
    }
    const ColumnSchema& schema = table.schema.columns[*index];
    if (schema.type != feature.type || schema.unit != feature.unit) {
      problems.add(schema.place.file.empty() ? place : schema.place,
                   "column \"" + feature.name + "\" is " + described(schema.type, schema.unit),
                   "the engine was trained on " + described(feature.type, feature.unit), "convert the column");
      continue;
    }
    Source source{&feature, &table.column(feature.name), {}};
    for (const std::string& value : feature.is_category() ? schema.values : std::vector<std::string>{}) {
      const auto found = std::ranges::find(feature.vocabulary, value);
      source.codes.push_back(found == feature.vocabulary.end() ? outside_vocabulary
                                                               : static_cast<std::int32_t>(found - feature.vocabulary.begin()));
    }
    if (feature.is_category()) ++categories_;
    sources_.push_back(std::move(source));
  }
  problems.throw_if_any();
  place_numbers(features);
}

void FeatureReader::place_numbers(const Features& features) {
  const std::size_t series = features.series_count(), length = features.series_length();
  std::size_t scalar = 0, point = 0;  // so far
  for (Source& source : sources_) {
    if (source.feature->is_category()) continue;
    if (source.feature->series.empty()) {
      source.place = 2 * scalar++;
    } else {
      const std::size_t which = point / length, when = point % length;
      source.place = features.scalar_width() + 2 * (when * series + which);
      ++point;
    }
  }
}

std::int32_t FeatureReader::code(const Source& source, std::uint32_t row) {
  if (source.column->cells[row] == Cell::missing) return missing_code;
  const std::int32_t code = std::get<std::vector<std::int32_t>>(source.column->values)[row];
  return source.codes.at(static_cast<std::size_t>(code));
}

bool FeatureReader::valid(std::uint32_t row) const {
  return std::ranges::all_of(sources_, [row](const Source& source) {
    const Cell cell = source.column->cells[row];
    if (cell == Cell::invalid) return false;
    if (cell == Cell::missing) return true;
    return source.feature->is_category() ? code(source, row) != outside_vocabulary : std::isfinite(source.column->number(row));
  });
}

void FeatureReader::read_row(std::uint32_t row, float* dense, std::int32_t* codes) const {
  for (const Source& source : sources_) {
    if (source.feature->is_category()) {
      *codes++ = code(source, row);
      continue;
    }
    const bool missing = source.column->cells[row] == Cell::missing;
    const double value = missing ? source.feature->mean : source.column->number(row);
    // Halves, because the difference of two finite numbers may not be finite.
    const double deviation = 2 * ((value / 2 - source.feature->mean / 2) / source.feature->scale);
    dense[source.place] = static_cast<float>(std::clamp(deviation, -largest_deviation, largest_deviation));
    dense[source.place + 1] = missing ? 1.0F : 0.0F;
  }
}

void FeatureReader::read(std::span<const std::uint32_t> rows, Inputs& inputs) const {
  inputs.rows = rows.size();
  inputs.dense.assign(rows.size() * dense_width_, 0.0F);
  inputs.codes.assign(rows.size() * categories_, missing_code);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (valid(rows[i])) read_row(rows[i], inputs.dense.data() + i * dense_width_, inputs.codes.data() + i * categories_);
  }
}

std::vector<std::uint32_t> rows_without_invalid(const Table& table, std::span<const std::string> names,
                                                std::span<const std::uint32_t> rows) {
  std::vector<const Column*> columns;
  for (const std::string& name : with_points(table.schema, names)) columns.push_back(&table.column(name));
  std::vector<std::uint32_t> valid;
  std::ranges::copy_if(rows, std::back_inserter(valid), [&](std::uint32_t row) {
    return std::ranges::none_of(columns, [row](const Column* column) {
      return column->cells[row] == Cell::invalid || (column->cells[row] == Cell::known && !std::isfinite(column->number(row)));
    });
  });
  return valid;
}

}  // namespace hiple::engine
