#include "run/integrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/file.hpp"
#include "law/take_rows.hpp"
#include "report/status_file.hpp"
#include "run/engine_record.hpp"
#include "run/settled.hpp"
#include "run/trust.hpp"
#include "table/split.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

std::vector<std::string> classes_in(const PreparedRun& run, const std::string& engine) {
  for (const auto& description : run.engines)
    if (description.name == engine) return description.classes;
  return {};
}

void write_index(const PreparedRun& run, const RunDirectory& directory, const std::vector<Arrival>& arrivals) {
  std::vector<IndexEntry> entries;
  for (const Arrival& arrival : arrivals) {
    IndexEntry& entry = entries.emplace_back();
    entry.engine = arrival.engine;
    entry.classes = classes_in(run, arrival.engine);
    entry.status = arrival.judgments ? "complete" : "failed";
    if (!arrival.judgments) continue;
    entry.file = directory.judgments(arrival.engine).lexically_relative(directory.root());
    entry.sha256 = arrival.sha256;
  }
  write_judgment_index(directory.judgment_index(), entries);
}

report::EngineLine engine_line(const RunDirectory& directory, const Arrival& arrival) {
  report::EngineLine line;
  line.name = arrival.engine;
  line.available = arrival.judgments.has_value();
  line.reason = arrival.reason;
  // An engine that was judged elsewhere has no result here; its figures stay "n/a".
  if (!line.available || !std::filesystem::exists(directory.result(arrival.engine))) return line;
  const EngineResult result = read_result(directory.result(arrival.engine));
  line.parameters = result.parameters;
  line.test_rows = result.test_rows;
  line.abstained = result.abstained;
  line.accuracy = result.accuracy;
  line.balanced_accuracy = result.balanced_accuracy;
  line.rmse = result.rmse;
  line.epochs = result.epochs;
  line.seconds = result.seconds;
  return line;
}

void measure(const PreparedRun& run, const Table& table, const law::Decisions& decisions,
             const std::vector<law::EngineJudgments>& engines, report::Summary& summary) {
  const auto rows = test_rows(run, table);
  summary.test_cases = rows.size();
  for (const law::Decision& decision : decisions.decisions) summary.all.add(decision);
  for (const std::uint32_t row : rows)
    for (std::size_t q = 0; q < decisions.questions.size(); ++q) summary.test.add(decisions.at(row, q));
  if (!run.gates) return;
  Trust trust = measure_trust(run, run.law, take_rows(table, rows), law::take_rows(decisions, rows), engines);
  summary.gates = std::move(trust.judged);
  summary.figures = std::move(trust.figures);
}

}  // namespace

Table read_whole_table(const PreparedRun& run) { return read_table(run.config.data.table, run.schema); }

std::vector<law::EngineJudgments> judgments_for_law(const std::vector<Arrival>& arrivals) {
  std::vector<law::EngineJudgments> engines;
  engines.reserve(arrivals.size());
  for (const Arrival& arrival : arrivals)
    engines.push_back({arrival.engine, arrival.judgments ? &*arrival.judgments : nullptr, arrival.reason, arrival.sha256});
  return engines;
}

report::Summary integrate(const PreparedRun& run, const RunDirectory& directory, const Table& table,
                          const std::vector<Arrival>& arrivals, const std::vector<int>& ranks) {
  write_index(run, directory, arrivals);
  const auto engines = judgments_for_law(arrivals);
  const auto start = std::chrono::steady_clock::now();
  const law::Decisions decisions = law::decide(run.law, table, engines);
  report::Summary summary;
  summary.law_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  law::write_decisions(directory.decisions(), decisions);

  summary.name = run.config.name;
  for (const Arrival& arrival : arrivals) {
    summary.engines.push_back(engine_line(directory, arrival));
    if (!ranks.empty()) summary.engines.back().rank = ranks.at(summary.engines.size() - 1);
  }
  const bool complete = std::all_of(summary.engines.begin(), summary.engines.end(), [](const auto& e) { return e.available; });
  summary.state = complete ? "complete" : "partial";
  summary.cases = decisions.cases();
  summary.questions = decisions.questions.size();
  summary.root = decisions.root;
  summary.settled = settled_lines(read_settled(directory.build()), settle(run));
  if (run.gate_state && run.gate_state->closed) summary.closed = run.gate_state->reasons;
  measure(run, table, decisions, engines, summary);
  summary.files = {{"decisions", directory.decisions().string()},
                   {"judgments", directory.judgment_index().string()},
                   {"engines", directory.engines().string()},
                   {"this summary", directory.summary().string()}};
  return summary;
}

ExitStatus finish(const RunDirectory& directory, const report::Summary& summary) {
  const std::string text = report::summary_text(summary);
  write_file(directory.summary(), text);
  report::StatusRecord record;
  record.state = summary.state;
  record.name = summary.name;
  record.engines = summary.engines.size();
  for (const report::EngineLine& engine : summary.engines)
    if (!engine.available) record.missing.emplace_back(engine.name, engine.reason);
  record.cases = summary.cases;
  record.questions = summary.questions;
  record.decided = summary.all.decided;
  record.abstained = summary.all.abstained;
  record.escalated = summary.all.escalated;
  record.root = summary.root;
  record.rank_seconds = summary.rank_seconds;
  report::write_status(directory.status(), record);
  // After STATUS: who reads this may have gone, and a closed pipe ends the process.
  fmt::print("{}", text);
  std::fflush(stdout);
  return record.missing.empty() ? ExitStatus::done : ExitStatus::partial;
}

void finish_failed(const PreparedRun& run, const RunDirectory& directory, const std::string& reason) {
  report::StatusRecord record;
  record.state = "failed";
  record.name = run.config.name;
  record.reason = reason;
  record.engines = run.config.engines.size();
  report::write_status(directory.status(), record);
}

}  // namespace hiple
