#include "run/judge_cases.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "engine/engine.hpp"
#include "judgment/judgment.hpp"

namespace hiple {

namespace {

/// New cases have features and an id; whatever else the schema names, labels above all, may be there or not.
Schema schema_for(const EngineConfig& engine, Schema schema) {
  for (ColumnSchema& column : schema.columns) {
    const bool is_feature = std::find(engine.features.begin(), engine.features.end(), column.name) != engine.features.end();
    if (!is_feature && column.role != ColumnRole::id) column.role = ColumnRole::ignore;
  }
  return schema;
}

}  // namespace

void judge_cases(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                 const std::filesystem::path& cases, const std::filesystem::path& out) {
  const EngineConfig& config = run.engine(engine);
  const auto checkpoint = directory.checkpoint(engine);
  if (!std::filesystem::exists(checkpoint))
    throw InputError(Place{checkpoint.string()}, "no such file", "the engine is not trained", "train it with `hiple train`");
  const auto trained = engine::Engine::load(checkpoint);
  const Table table = read_table(cases, schema_for(config, run.schema), config.features);
  Judgments judgments = trained.judge(table);
  judgments.checkpoint_sha256 = sha256_file(checkpoint);
  judgments.config_sha256 = sha256(engine_identity(run.config, config));
  judgments.data_sha256 = slice_sha256(table, config.features, all_rows(table));
  write_judgments(out, judgments);
}

}  // namespace hiple
