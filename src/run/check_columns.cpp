#include "run/check_columns.hpp"

#include <set>
#include <utility>

#include "base/text.hpp"
#include "run/check_series.hpp"
#include "table/select.hpp"
#include "table/series.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

/// The column, or a problem and null.
const ColumnSchema* find_column(const Schema& schema, const std::string& name, const std::string& use, ColumnRole role,
                                const Place& place, Problems& problems) {
  const auto index = schema.find(name);
  if (index) return &schema.columns[*index];
  problems.add(place, use + " " + name + ": no such column", "the schema " + schema.file.string() + " does not name it",
               suggestion(name, schema.names(role)));
  return nullptr;
}

void check_feature(const Schema& schema, const std::string& name, const Place& place, Problems& problems) {
  const auto columns = columns_named(schema, name);
  if (columns.empty()) {
    problems.add(place, "feature " + name + ": no such column", "the schema " + schema.file.string() + " does not name it",
                 suggestion(name, names_with_series(schema, ColumnRole::input)));
    return;
  }
  const ColumnSchema* column = columns.front();  // the points of a series have one role
  if (column->role == ColumnRole::input) return;
  const std::string why = column->role == ColumnRole::label ? "an engine that reads an answer learns nothing"
                                                            : "only columns with role input carry what an engine may know";
  problems.add(place, "feature " + name + " has the role " + std::string(name_of(column->role)), why,
               "leave it out, or give it the role input in " + column->place.text());
}

void check_target(const Schema& schema, const EngineConfig& engine, Problems& problems) {
  const Place& place = engine.target_place;
  const auto* column = find_column(schema, engine.target, "target", ColumnRole::label, place, problems);
  if (column == nullptr) return;
  if (column->role != ColumnRole::label)
    problems.add(place, "target " + engine.target + " has the role " + std::string(name_of(column->role)),
                 "what an engine learns must not be an input of others", "give it the role label in " + column->place.text());
  if (column->type == ColumnType::date)
    problems.add(place, "target " + engine.target + " is a date", "engines learn classes or numbers",
                 "use a category, a boolean, an integer or a real");
}

void check_split_column(const Schema& schema, const std::string& name, const std::string& use, const Place& place,
                        Problems& problems) {
  if (!name.empty()) find_column(schema, name, use, ColumnRole::input, place, problems);
}

/// Which rows are its data, and which it learns from.
std::vector<std::pair<std::string, Place>> conditions_of(const EngineConfig& engine) {
  std::vector<std::pair<std::string, Place>> conditions = {{engine.cases, engine.cases_place}};
  if (!engine.learns_also.empty()) conditions.emplace_back(engine.learns_also, engine.learns_also_place);
  return conditions;
}

void check_engine(const EngineConfig& engine, const Schema& schema, Problems& problems) {
  for (std::size_t i = 0; i < engine.features.size(); ++i) {
    const Place place = i < engine.feature_places.size() ? engine.feature_places[i] : engine.place;
    check_feature(schema, engine.features[i], place, problems);
  }
  check_series(engine, schema, problems);
  check_target(schema, engine, problems);
  for (const auto& [condition, place] : conditions_of(engine)) {
    try {
      columns_read_by(schema, condition, place);
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
}

}  // namespace

void check_columns(const RunConfig& config, const Schema& schema, Problems& problems) {
  for (const EngineConfig& engine : config.engines) check_engine(engine, schema, problems);
  const SplitConfig& split = config.data.split;
  check_split_column(schema, split.column, "split by", split.place, problems);
  check_split_column(schema, split.stratified, "stratified by", split.place, problems);
  check_split_column(schema, split.group, "grouped by", split.place, problems);
  if (!problems.empty()) return;
  try {
    check_split(schema, split);
  } catch (const InputError& error) {
    problems.add(error);
  }
}

std::vector<std::string> columns_of_conditions(const EngineConfig& engine, const Schema& schema) {
  std::vector<std::string> names;
  for (const auto& [condition, place] : conditions_of(engine))
    for (std::string& name : columns_read_by(schema, condition, place)) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> columns_of(const RunConfig& config, const EngineConfig& engine, const Schema& schema) {
  const auto features = with_points(schema, engine.features);
  std::set<std::string> names(features.begin(), features.end());
  names.insert(engine.target);
  for (std::string& name : columns_of_conditions(engine, schema)) names.insert(std::move(name));
  for (const std::string& name : {config.data.split.column, config.data.split.stratified, config.data.split.group})
    if (!name.empty()) names.insert(name);
  return {names.begin(), names.end()};
}

}  // namespace hiple
