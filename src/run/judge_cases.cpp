#include "run/judge_cases.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "engine/engine.hpp"
#include "judgment/judgment.hpp"
#include "table/series.hpp"
#include "table/slice.hpp"

namespace hiple {

namespace {

/// New cases have features and an id; whatever else the schema names, labels above all, may be there or not.
Schema schema_for(const std::vector<std::string>& features, Schema schema) {
  for (ColumnSchema& column : schema.columns) {
    const bool is_feature = std::find(features.begin(), features.end(), column.name) != features.end();
    if (!is_feature && column.role != ColumnRole::id) column.role = ColumnRole::ignore;
  }
  return schema;
}

/// Judgments may be written anew; any other file that is there is somebody's, the table of the cases above all.
void refuse_to_replace(const std::filesystem::path& out) {
  const Place place{out.string()};
  if (out.empty()) throw InputError(Place{"--out"}, "the path is empty", {}, "name the judgments file to write");
  const std::filesystem::path folder = out.has_parent_path() ? out.parent_path() : std::filesystem::path(".");
  std::error_code problem;
  if (!std::filesystem::is_directory(folder, problem))
    throw InputError(place, "cannot be written", folder.string() + " is no folder", "make it, or choose another --out");
  if (!std::filesystem::exists(out, problem)) return;
  try {
    read_judgments(out);
  } catch (const InputError&) {
    throw InputError(place, "is there already and holds no judgments", "it would be lost", "choose another --out, or remove it");
  }
}

/// Judgments carry the hash of the configuration: it must be the one that the engine was trained with.
void refuse_other_settings(const PreparedRun& run, const EngineConfig& config, const engine::Engine& trained) {
  if (engine_identity(run.config, trained.config()) == engine_identity(run.config, config)) return;
  throw InputError(config.place, "engine " + config.name + " was trained with other settings than it has here",
                   "its judgments would not be those of this configuration",
                   "name the run's directory in place of run.yaml, or train it again");
}

}  // namespace

void judge_cases(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                 const std::filesystem::path& cases, const std::filesystem::path& out) {
  const EngineConfig& config = run.engine(engine);
  if (config.is_command())
    throw InputError(config.place, "engine " + engine + " is a command", "its program judges the cases of its run's table only",
                     "put the cases into the table");
  refuse_to_replace(out);
  const auto checkpoint = directory.checkpoint(engine);
  if (!std::filesystem::exists(checkpoint))
    throw InputError(Place{checkpoint.string()}, "no such file", "the engine is not trained", "train it with `hiple train`");
  const auto kind = std::filesystem::status(cases).type();
  if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character)
    throw InputError(Place{cases.string()}, "is no regular file", "a table is read more than once",
                     "write it into a file, and name that");
  const auto trained = engine::Engine::load(checkpoint);
  refuse_other_settings(run, config, trained);
  const auto features = with_points(run.schema, config.features);
  const Table table = read_table(cases, schema_for(features, run.schema), features);
  Judgments judgments = trained.judge(table);
  judgments.checkpoint_sha256 = sha256_file(checkpoint);
  judgments.config_sha256 = sha256(engine_identity(run.config, config));
  judgments.data_sha256 = slice_sha256(table, features);
  write_judgments(out, judgments);
}

}  // namespace hiple
