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

}  // namespace

std::string explain_case(const PreparedRun& run, const RunDirectory& directory, std::uint64_t case_id,
                         const std::string& why_not) {
  if (!std::filesystem::exists(directory.decisions()))
    throw InputError(Place{directory.root().string()}, "holds no decisions", {}, "run `hiple run` or `hiple integrate` first");
  const law::Decisions decisions = law::read_decisions(directory.decisions());
  check_law(run, decisions);
  const auto arrivals = stored_arrivals(directory, decisions);
  const Table table = read_table(run.config.data.table, run.schema, run.law.columns());
  return law::explain(run.law, table, judgments_for_law(arrivals), case_id, why_not);
}

void judge_cases(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                 const std::filesystem::path& cases, const std::filesystem::path& out) {
  const EngineConfig& config = run.engine(engine);
  const auto checkpoint = directory.checkpoint(engine);
  if (!std::filesystem::exists(checkpoint))
    throw InputError(Place{checkpoint.string()}, "no such file", "the engine is not trained", "train it with `hiple train`");
  const auto trained = engine::Engine::load(checkpoint);
  const Table table = read_table(cases, run.schema, config.features);
  Judgments judgments = trained.judge(table);
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  judgments.checkpoint_sha256 = sha256_file(checkpoint);
  judgments.config_sha256 = sha256(engine_identity(run.config, config));
  judgments.data_sha256 = slice_sha256(table, config.features, rows);
  write_judgments(out, judgments);
}

}  // namespace hiple
