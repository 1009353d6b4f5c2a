#include "run/command_input.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "run/check_columns.hpp"
#include "table/series.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;

enum PartCode : std::int32_t { training, early_stop, calibration, test, none };

std::vector<std::int32_t> part_codes(const Table& table, const engine::Parts& parts) {
  std::vector<std::int32_t> codes(table.rows(), none);
  const auto mark = [&](const std::vector<std::uint32_t>& rows, PartCode code) {
    for (const std::uint32_t row : rows) codes[row] = code;
  };
  mark(parts.training, training);
  mark(parts.early_stop, early_stop);
  mark(parts.calibration, calibration);
  mark(parts.test, test);
  return codes;
}

/// The engine's own columns, and no answer that it has to give itself.
Table table_for(const PreparedRun& run, const EngineConfig& engine, const Table& table, const engine::Parts& parts) {
  const std::vector<std::int32_t> codes = part_codes(table, parts);
  Table result;
  result.schema.file = table.schema.file;
  result.case_id = table.case_id;
  for (const std::string& name : columns_of(run.config, engine, run.schema)) {
    result.schema.columns.push_back(table.schema.columns.at(*table.schema.find(name)));
    Column column = table.column(name);
    if (result.schema.columns.back().role == ColumnRole::label) {
      for (std::size_t row = 0; row < table.rows(); ++row)
        if (codes[row] >= test) column.cells[row] = Cell::missing;
      // A missing cell's value means nothing, but it is there.
      std::visit(
          [&](auto& values) {
            for (std::size_t row = 0; row < values.size(); ++row)
              if (column.cells[row] != Cell::known) values[row] = {};
          },
          column.values);
    }
    result.columns.push_back(std::move(column));
  }
  ColumnSchema part;
  part.name = part_column;
  part.type = ColumnType::category;
  part.values = {"training", "early_stop", "calibration", "test", "none"};
  result.schema.columns.push_back(part);
  result.columns.push_back({codes, std::vector<Cell>(table.rows(), Cell::known)});
  return result;
}

Json column_json(const ColumnSchema& column) {
  Json json = {{"name", column.name}, {"type", name_of(column.type)}, {"unit", column.unit}};
  if (column.type == ColumnType::category) json["values"] = column.values;
  return json;
}

Json ids_of(const Table& table, const std::vector<std::uint32_t>& rows) {
  Json ids = Json::array();
  for (const std::uint32_t row : rows) ids.push_back(table.case_id[row]);
  return ids;
}

Json split_json(const SplitConfig& split) {
  Json json = {{"early_stop", split.early_stop}, {"calibration", split.calibration}, {"group", split.group}};
  if (split.column.empty()) {
    json["test"] = split.test_fraction;
    json["stratified"] = split.stratified;
  } else {
    json["column"] = split.column;
    json["train"] = split.train;
    json["test"] = split.test;
  }
  return json;
}

Json config_json(const PreparedRun& run, const EngineConfig& engine, const Table& table, const engine::Parts& parts,
                 const std::map<std::string, std::string>& paths) {
  const ColumnSchema& target = run.schema.columns.at(*run.schema.find(engine.target));
  Json features = Json::array();
  for (const std::string& name : with_points(run.schema, engine.features))
    features.push_back(column_json(run.schema.columns.at(*run.schema.find(name))));
  Json target_json = column_json(target);
  target_json["classes"] = classes_of(target);
  Json json = {{"format", "hiple command"},
               {"version", 1},
               {"engine", engine.name},
               {"domain", engine.domain},
               {"seed", run.config.seed},
               {"target", target_json},
               {"features", features},
               {"cases", engine.cases},
               {"abstain_below", engine.abstain_below},
               {"probabilities", engine.probabilities},
               {"split", split_json(run.config.data.split)},
               {"parts",
                {{"training", ids_of(table, parts.training)},
                 {"early_stop", ids_of(table, parts.early_stop)},
                 {"calibration", ids_of(table, parts.calibration)},
                 {"test", ids_of(table, parts.test)}}}};
  json["paths"] = paths;
  return json;
}

}  // namespace

std::map<std::string, std::string> command_paths(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                                                 std::uint64_t attempt) {
  const auto absolute = [](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  return {{"judgments", absolute(directory.command_output(engine, attempt))},
          {"table", absolute(directory.command_table(engine))},
          {"schema", absolute(run.config.data.schema)},
          {"config", absolute(directory.command_config(engine))},
          {"work", absolute(directory.command_work(engine))},
          {"progress", absolute(directory.command_progress(engine))}};
}

void write_command_input(const PreparedRun& run, const EngineConfig& engine, const Table& table, const engine::Parts& parts,
                         const std::map<std::string, std::string>& paths) {
  if (const auto clash = run.schema.find(part_column))
    throw InputError(run.schema.columns[*clash].place, std::string("the column ") + part_column + " of the schema",
                     "a command is told by a column of this name to which part a case belongs", "rename it");
  write_table(paths.at("table"), table_for(run, engine, table, parts));
  write_file(paths.at("config"), config_json(run, engine, table, parts, paths).dump(1) + "\n");
}

}  // namespace hiple
