#include "table/split.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/philox.hpp"
#include "base/text.hpp"
#include "table/cell_reader.hpp"

namespace hiple {

namespace {

/// A split column and its description.
struct SplitColumn {
  const ColumnSchema* schema;
  const Column* column;
};

/// Where it stands in the schema, if it can divide rows.
std::size_t find_column(const Schema& all, const std::string& name, const std::string& key, const Place& place) {
  const auto index = all.find(name);
  if (!index) {
    std::vector<std::string> names;
    names.reserve(all.columns.size());
    for (const ColumnSchema& column : all.columns) names.push_back(column.name);
    throw InputError(place, "the split's " + key + " \"" + name + "\" is no column of the table", suggestion(name, names));
  }
  const ColumnSchema& schema = all.columns[*index];
  const bool has_values = schema.role == ColumnRole::input || schema.role == ColumnRole::label;
  if (!has_values || schema.type == ColumnType::real) {
    throw InputError(place, "the split's " + key + " \"" + name + "\" cannot divide rows",
                     has_values ? "it is a real number, and equality of reals means little"
                                : "its role is " + std::string(name_of(schema.role)) + ", and its values are not kept",
                     "name a category, boolean, integer or date with role input or label");
  }
  return *index;
}

SplitColumn find_column(const Table& table, const std::string& name, const std::string& key, const Place& place) {
  const std::size_t index = find_column(table.schema, name, key, place);
  return {&table.schema.columns[index], &table.columns[index]};
}

/// A listed value as the number that the column's cells hold.
std::optional<double> value_of(const SplitColumn& column, const std::string& text) {
  const CellReader reader(*column.schema);
  return std::visit(
      [&]<class T>(const std::vector<T>&) -> std::optional<double> {
        T value{};
        if (reader.read(text, value) != CellReader::Outcome::known) return std::nullopt;
        return static_cast<double>(value);
      },
      column.column->values);
}

void refuse_value(const SplitConfig& split, const ColumnSchema& schema, const std::string& text, Problems& problems) {
  problems.add(split.place, "the split's value \"" + text + "\" of column \"" + schema.name + "\"",
               "the column's type is " + std::string(name_of(schema.type)) + ", which cannot hold it",
               suggestion(text, schema.values));
}

class ByColumn {
 public:
  ByColumn(const Table& table, const SplitConfig& split)
      : split_(&split), column_(find_column(table, split.column, "column", split.place)) {}

  std::vector<Part> divide() {
    list(split_->train, Part::train);
    list(split_->test, Part::test);
    std::vector<Part> parts(column_.column->cells.size(), Part::neither);
    for (std::size_t row = 0; row < parts.size(); ++row) {
      if (column_.column->cells[row] != Cell::known) continue;
      const auto listed = listed_.find(column_.column->number(row));
      if (listed == listed_.end()) continue;
      parts[row] = listed->second.part;
      listed->second.occurs = true;
    }
    for (const auto& [value, listed] : listed_) {
      if (!listed.occurs) refuse(listed.text, "no row has it", "remove it, or correct it");
    }
    problems_.throw_if_any();
    return parts;
  }

 private:
  struct Listed {
    std::string text;
    Part part;
    bool occurs = false;
  };

  void list(const std::vector<std::string>& texts, Part part) {
    for (const std::string& text : texts) {
      const auto value = value_of(column_, text);
      if (!value) {
        refuse_value(*split_, *column_.schema, text, problems_);
      } else if (!listed_.try_emplace(*value, Listed{text, part}).second) {
        refuse(text, "it is listed twice", "a row is in one part");
      }
    }
  }

  void refuse(const std::string& text, std::string why, std::string remedy) {
    problems_.add(split_->place, "the split's value \"" + text + "\" of column \"" + split_->column + "\"", std::move(why),
                  std::move(remedy));
  }

  const SplitConfig* split_;
  SplitColumn column_;
  std::map<double, Listed> listed_;
  Problems problems_;
};

/// Rows that stay together.
struct Unit {
  std::uint64_t order = 0;    ///< random, a function of seed and the smallest case id
  std::uint64_t case_id = 0;  ///< the smallest
  std::vector<std::uint32_t> rows;
};

class ByFraction {
 public:
  ByFraction(const Table& table, const SplitConfig& split, std::uint64_t seed)
      : table_(&table), split_(&split), generator_(seed, "split") {
    if (!split.group.empty() && !split.stratified.empty()) {
      throw InputError(split.place, "the split is stratified and by group", "a group's rows can belong to several strata",
                       "choose one");
    }
  }

  std::vector<Part> divide() {
    std::vector<Part> parts(table_->rows(), Part::neither);
    for (auto& [stratum, units] : strata()) {
      std::sort(units.begin(), units.end(),
                [](const Unit& a, const Unit& b) { return std::pair(a.order, a.case_id) < std::pair(b.order, b.case_id); });
      const auto test = static_cast<std::size_t>(std::llround(split_->test_fraction * static_cast<double>(units.size())));
      for (std::size_t i = 0; i < units.size(); ++i) {
        for (const std::uint32_t row : units[i].rows) parts[row] = i < test ? Part::test : Part::train;
      }
    }
    return parts;
  }

 private:
  using Strata = std::map<std::optional<double>, std::vector<Unit>>;

  [[nodiscard]] Unit unit(std::uint32_t row) const {
    const std::uint64_t id = table_->case_id[row];
    const Philox::Counter bits = generator_.block({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), 0, 0});
    return {std::uint64_t{bits[0]} << 32 | bits[1], id, {row}};
  }

  /// Rows whose stratum is not known are a stratum of their own.
  [[nodiscard]] Strata strata() const {
    if (!split_->group.empty()) return {{std::nullopt, groups()}};
    Strata strata;
    std::optional<SplitColumn> column;
    if (!split_->stratified.empty()) column = find_column(*table_, split_->stratified, "stratified", split_->place);
    for (std::uint32_t row = 0; row < table_->rows(); ++row) {
      const bool known = column && column->column->cells[row] == Cell::known;
      strata[known ? std::optional(column->column->number(row)) : std::nullopt].push_back(unit(row));
    }
    return strata;
  }

  /// A row whose group is not known is in neither part: nobody can say to whom it belongs.
  [[nodiscard]] std::vector<Unit> groups() const {
    const SplitColumn column = find_column(*table_, split_->group, "group", split_->place);
    std::map<double, Unit> groups;
    for (std::uint32_t row = 0; row < table_->rows(); ++row) {  // by ascending case id
      if (column.column->cells[row] != Cell::known) continue;
      const auto [group, is_new] = groups.try_emplace(column.column->number(row));
      if (is_new) {
        group->second = unit(row);
      } else {
        group->second.rows.push_back(row);
      }
    }
    std::vector<Unit> units;
    units.reserve(groups.size());
    for (auto& [value, unit] : groups) units.push_back(std::move(unit));
    return units;
  }

  const Table* table_;
  const SplitConfig* split_;
  Philox generator_;
};

void refuse_empty_part(const std::vector<Part>& parts, Part part, const char* name, const SplitConfig& split) {
  if (std::find(parts.begin(), parts.end(), part) != parts.end()) return;
  throw InputError(split.place, std::string("the split leaves the ") + name + " part empty",
                   "the table has " + std::to_string(parts.size()) + " rows", "change the split, or bring more rows");
}

void check_values(const SplitConfig& split, const SplitColumn& column, const std::vector<std::string>& texts,
                  Problems& problems) {
  for (const std::string& text : texts)
    if (!value_of(column, text)) refuse_value(split, *column.schema, text, problems);
}

}  // namespace

void check_split(const Schema& schema, const SplitConfig& split) {
  if (!split.stratified.empty()) find_column(schema, split.stratified, "stratified", split.place);
  if (!split.group.empty()) find_column(schema, split.group, "group", split.place);
  if (split.column.empty()) return;
  const ColumnSchema& described = schema.columns[find_column(schema, split.column, "column", split.place)];
  const Column empty = make_column(described);
  Problems problems;
  check_values(split, {&described, &empty}, split.train, problems);
  check_values(split, {&described, &empty}, split.test, problems);
  problems.throw_if_any();
}

std::vector<Part> divide(const Table& table, const SplitConfig& split, std::uint64_t seed) {
  std::vector<Part> parts = split.column.empty() ? ByFraction(table, split, seed).divide() : ByColumn(table, split).divide();
  refuse_empty_part(parts, Part::train, "training", split);
  refuse_empty_part(parts, Part::test, "test", split);
  return parts;
}

}  // namespace hiple
