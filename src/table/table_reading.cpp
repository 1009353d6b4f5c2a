#include "table/table_reading.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/text.hpp"
#include "h5/h5.hpp"

namespace hiple {

Table read_table(const std::filesystem::path& path, const Schema& schema, std::span<const std::string> wanted) {
  return read_table(path, schema, wanted, {});
}

Table read_table(const std::filesystem::path& path, const Schema& schema, std::span<const std::string> wanted,
                 const std::function<void()>& beat) {
  const Schema kept = reading::kept_columns(schema, wanted);
  return h5::is_hdf5(path) ? reading::read_h5(path, schema, kept, beat) : reading::read_csv(path, schema, kept, beat);
}

void check_table_header(const std::filesystem::path& path, const Schema& schema) {
  h5::is_hdf5(path) ? reading::check_h5_names(path, schema) : reading::check_csv_header(path, schema);
}

namespace reading {

namespace {

std::vector<std::string> all_names(const Schema& schema) {
  std::vector<std::string> names;
  names.reserve(schema.columns.size());
  for (const ColumnSchema& column : schema.columns) names.push_back(column.name);
  return names;
}

/// The values in a new order: the i-th is the one that was at order[i].
template <class T>
void reorder(std::vector<T>& values, std::span<const std::uint32_t> order) {
  if (values.empty()) return;  // a column that is not kept
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
  values = std::move(sorted);
}

void refuse_duplicates(const Table& table, std::span<const std::uint32_t> order,
                       const std::function<std::vector<Place>(std::span<const std::size_t>)>& places_of) {
  std::vector<std::size_t> rows;  // pairs: the first with an id, and another one
  for (std::size_t i = 1; i < order.size() && rows.size() < 2 * most_problems; ++i) {
    if (table.case_id[order[i]] != table.case_id[order[i - 1]]) continue;
    rows.push_back(order[i - 1]);
    rows.push_back(order[i]);
  }
  if (rows.empty()) return;
  const std::vector<Place> places = places_of(rows);
  Problems problems;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    problems.add(places[i + 1], "case id " + std::to_string(table.case_id[rows[i]]) + " stands twice",
                 "the other one is at " + places[i].text() + ", and one case has one row",
                 "remove one, or number the cases anew");
  }
  stop_if_too_many(problems, places.front().file);
  problems.throw_if_any();
}

}  // namespace

void stop_if_too_many(Problems& problems, const std::filesystem::path& path) {
  if (problems.list().size() < most_problems) return;
  problems.add({path.string()}, "reading stopped after " + std::to_string(most_problems) + " problems", "there may be more");
  problems.throw_if_any();
}

Schema kept_columns(const Schema& schema, std::span<const std::string> wanted) {
  if (wanted.empty()) return schema;
  for (const std::string& name : wanted) {
    if (!schema.find(name))
      throw Error("no column \"" + name + "\" in " + schema.file.string() + ": " + suggestion(name, all_names(schema)));
  }
  Schema kept{schema.file, schema.header, {}};
  for (const ColumnSchema& column : schema.columns) {
    const bool named = std::find(wanted.begin(), wanted.end(), column.name) != wanted.end();
    if (named || column.role == ColumnRole::id) kept.columns.push_back(column);
  }
  return kept;
}

std::vector<std::optional<std::size_t>> match_names(std::span<const std::string> names, const Schema& schema,
                                                    const std::function<Place(std::size_t)>& place_of, const Place& table,
                                                    Problems& problems) {
  std::map<std::string, std::size_t> column_of, seen;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) column_of.emplace(schema.columns[i].name, i);
  std::vector<std::optional<std::size_t>> matches(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [first, is_new] = seen.emplace(names[i], i);
    const auto column = column_of.find(names[i]);
    if (!is_new) {
      problems.add(place_of(i), "column \"" + names[i] + "\" stands twice",
                   "the first is number " + std::to_string(first->second + 1), "rename or remove one");
    } else if (column == column_of.end()) {
      problems.add(place_of(i), "column \"" + names[i] + "\" is not in the schema " + schema.file.string(),
                   suggestion(names[i], all_names(schema)),
                   "correct the name, or add it to the schema, with role: ignore if nobody needs it");
    } else {
      matches[i] = column->second;
    }
  }
  for (const ColumnSchema& column : schema.columns) {
    if (column.role == ColumnRole::ignore || seen.contains(column.name)) continue;
    problems.add(table, "column \"" + column.name + "\" is missing", "the schema describes it at " + column.place.text(),
                 suggestion(column.name, names));
  }
  return matches;
}

void sort_by_case(Table& table, const std::function<std::vector<Place>(std::span<const std::size_t>)>& places_of) {
  const auto& ids = table.case_id;
  const bool sorted = std::adjacent_find(ids.begin(), ids.end(), [](auto a, auto b) { return a >= b; }) == ids.end();
  if (sorted) return;
  std::vector<std::uint32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ids[a] != ids[b] ? ids[a] < ids[b] : a < b; });
  refuse_duplicates(table, order, places_of);
  for (Column& column : table.columns) {
    std::visit([&](auto& values) { reorder(values, order); }, column.values);
    reorder(column.cells, order);
  }
  reorder(table.case_id, order);
}

}  // namespace reading

}  // namespace hiple
