#include "run/stored.hpp"

#include <algorithm>
#include <numeric>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "engine/engine.hpp"
#include "law/law.hpp"
#include "run/integrate.hpp"

namespace hiple {

namespace {

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// The judgments that the decisions were made from; an engine that was missing then is missing now.
std::vector<Arrival> stored_arrivals(const RunDirectory& directory, const law::Decisions& decisions) {
  std::vector<Arrival> arrivals;
  for (const law::EngineRecord& record : decisions.engines) {
    Arrival& arrival = arrivals.emplace_back();
    arrival.engine = record.name;
    arrival.reason = record.reason;
    if (!record.available) continue;
    const auto file = directory.judgments(record.name);
    arrival.judgments = read_judgments(file);
    arrival.sha256 = sha256_file(file);
    if (arrival.sha256 != record.judgments_sha256)
      throw InputError(Place{file.string()}, "is not what the decisions were made from", "its sha256 differs",
                       "decide again with `hiple integrate`");
  }
  return arrivals;
}

void check_law(const PreparedRun& run, const law::Decisions& decisions) {
  if (run.law.canonical() == decisions.law_text) return;
  throw InputError(Place{run.config.law.string()}, "is not the law that the decisions were made with", {},
                   "decide again with `hiple integrate`");
}

void check_inputs(const PreparedRun& run, const Table& table, const law::Decisions& decisions) {
  if (slice_sha256(table, run.law.columns(), all_rows(table)) == decisions.inputs_sha256) return;
  throw InputError(Place{run.config.data.table.string()}, "is not the table that the decisions were made from", {},
                   "decide again with `hiple integrate`");
}

/// New cases have features and an id; whatever else the schema names, labels above all, may be there or not.
Schema schema_for(const EngineConfig& engine, Schema schema) {
  for (ColumnSchema& column : schema.columns) {
    const bool is_feature = std::find(engine.features.begin(), engine.features.end(), column.name) != engine.features.end();
    if (!is_feature && column.role != ColumnRole::id) column.role = ColumnRole::ignore;
  }
  return schema;
}

}  // namespace

std::string explain_case(const PreparedRun& run, const RunDirectory& directory, std::uint64_t case_id,
                         const std::string& why_not) {
  if (!std::filesystem::exists(directory.decisions()))
    throw InputError(Place{directory.root().string()}, "holds no decisions", {}, "run `hiple run` or `hiple integrate` first");
  const law::Decisions decisions = law::read_decisions(directory.decisions());
  check_law(run, decisions);
  const auto arrivals = stored_arrivals(directory, decisions);
  const Table table = read_table(run.config.data.table, run.schema, run.law.columns());
  check_inputs(run, table, decisions);
  return law::explain(run.law, table, judgments_for_law(arrivals), case_id, why_not);
}

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
