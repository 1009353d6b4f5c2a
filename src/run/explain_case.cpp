#include "run/explain_case.hpp"

#include "base/hash.hpp"
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

void check_inputs(const PreparedRun& run, const Table& table, const law::Decisions& decisions) {
  if (slice_sha256(table, run.law.columns(), all_rows(table)) == decisions.inputs_sha256) return;
  throw InputError(Place{run.config.data.table.string()}, "is not the table that the decisions were made from", {},
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
  check_inputs(run, table, decisions);
  return law::explain(run.law, table, judgments_for_law(arrivals), case_id, why_not);
}

}  // namespace hiple
