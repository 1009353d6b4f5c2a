#include "run/integrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/file.hpp"
#include "law/decision_stream.hpp"
#include "report/status_file.hpp"
#include "run/engine_record.hpp"
#include "run/revise_history.hpp"
#include "run/settled.hpp"
#include "run/test_part.hpp"
#include "run/trust.hpp"

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

/// Judgments that were made of these cases.
std::uint64_t count_judged(const std::vector<law::EngineJudgments>& engines) {
  std::uint64_t count = 0;
  for (const law::EngineJudgments& engine : engines) {
    if (engine.judgments == nullptr) continue;
    const auto& statuses = engine.judgments->status;
    count += static_cast<std::uint64_t>(std::count_if(statuses.begin(), statuses.end(), [](JudgmentStatus status) {
      return status != JudgmentStatus::not_asked && status != JudgmentStatus::absent;
    }));
  }
  return count;
}

/// What is counted over all cases, and the cases that gates look at, a portion after the other.
class Measuring {
 public:
  Measuring(const PreparedRun& run, report::Summary& summary) : run_(run), summary_(summary) {}

  void add(const Table& table, const std::vector<Part>& parts, const law::Decisions& decisions,
           const std::vector<law::EngineJudgments>& engines) {
    summary_.cases += decisions.cases();
    summary_.questions = decisions.questions.size();
    summary_.judged += count_judged(engines);
    for (const law::Decision& decision : decisions.decisions) summary_.all.add(decision);
    for (std::size_t row = 0; row < decisions.cases() && !decisions.questions.empty(); ++row) {
      const std::uint8_t flags = decisions.at(row, 0).flags;  // the same in every question
      if ((flags & law::flag::broadened) != 0) ++summary_.broadened;
      if ((flags & law::flag::capped) != 0) ++summary_.capped;
    }
    for (std::size_t row = 0; row < parts.size(); ++row) {
      if (parts[row] != Part::test) continue;
      ++summary_.test_cases;
      for (std::size_t q = 0; q < decisions.questions.size(); ++q) summary_.test.add(decisions.at(row, q));
    }
    if (run_.gates) test_.add(table, parts, decisions, engines);
  }

  /// The gates look at the test part as a whole.
  void finish() {
    if (!run_.gates || test_.cases() == 0) return;
    Trust trust = measure_trust(run_, run_.law, test_.table(), test_.decisions(), test_.engines());
    summary_.gates = std::move(trust.judged);
    summary_.figures = std::move(trust.figures);
  }

 private:
  const PreparedRun& run_;
  report::Summary& summary_;
  TestPart test_;
};

/// The judgments of a portion's cases.
class PortionJudgments {
 public:
  PortionJudgments(const std::vector<Arrival>& arrivals, const Table& portion) : judgments_(arrivals.size()) {
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      engines_.push_back({arrivals[i].engine, nullptr, arrivals[i].reason, arrivals[i].sha256});
      if (!arrivals[i].judgments) continue;
      judgments_[i] = arrivals[i].rows->up_to(portion.case_id.back(), portion.rows());
      engines_.back().judgments = &judgments_[i];
    }
  }
  [[nodiscard]] const std::vector<law::EngineJudgments>& engines() const { return engines_; }

 private:
  std::vector<Judgments> judgments_;
  std::vector<law::EngineJudgments> engines_;
};

/// Every case, a portion after the other. The root.
std::string decide_all(const PreparedRun& run, const RunDirectory& directory, RunTable& table,
                       const std::vector<Arrival>& arrivals, int threads, report::Summary& summary) {
  using Clock = std::chrono::steady_clock;
  const auto whole = judgments_for_law(arrivals);
  law::DecisionStream stream(run.law, decisions_file(directory), whole, {.threads = threads});
  Measuring measuring(run, summary);
  summary.law_seconds = 0;  // a sum over the portions; before, it is not available
  for (const Arrival& arrival : arrivals)
    if (arrival.rows) arrival.rows->restart();
  table.restart();
  const auto decide = [&](const Table& portion, const std::vector<law::EngineJudgments>& engines) {
    const auto start = Clock::now();
    const law::Decisions& decisions = stream.append(portion, engines);
    summary.law_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    measuring.add(portion, table.parts(), decisions, engines);
  };
  while (const Table* portion = table.next()) {
    if (table.in_memory())
      decide(*portion, whole);
    else
      decide(*portion, PortionJudgments(arrivals, *portion).engines());
  }
  measuring.finish();
  // Engines were trained, and their judgments compared, with what the table was at the first look.
  if (stream.inputs_sha256() != table.slice(run.law.columns()))
    throw InputError(Place{run.config.data.table.string()}, "changed while the run went on",
                     "its cases were decided from two tables", "leave it alone, and integrate again");
  return stream.finish();
}

}  // namespace

std::vector<law::EngineJudgments> judgments_for_law(const std::vector<Arrival>& arrivals) {
  std::vector<law::EngineJudgments> engines;
  engines.reserve(arrivals.size());
  for (const Arrival& arrival : arrivals)
    engines.push_back({arrival.engine, arrival.judgments ? &*arrival.judgments : nullptr, arrival.reason, arrival.sha256});
  return engines;
}

report::Summary integrate(const PreparedRun& run, const RunDirectory& directory, RunTable& table,
                          const std::vector<Arrival>& arrivals, const std::vector<int>& ranks, int threads) {
  write_index(run, directory, arrivals);
  report::Summary summary;
  summary.root = decide_all(run, directory, table, arrivals, threads, summary);

  summary.name = run.config.name;
  for (const Arrival& arrival : arrivals) {
    summary.engines.push_back(engine_line(directory, arrival));
    if (!ranks.empty()) summary.engines.back().rank = ranks.at(summary.engines.size() - 1);
  }
  const bool complete = std::all_of(summary.engines.begin(), summary.engines.end(), [](const auto& e) { return e.available; });
  summary.state = complete ? "complete" : "partial";
  summary.on_demand = run.config.integrate.on_demand();
  summary.settled = settled_lines(read_settled(directory.build()), settle(run));
  if (run.evidence)
    summary.settled.emplace_back("evidence", run.evidence->store.head() + ", as it was when the run was prepared");
  if (run.gate_state && run.gate_state->closed) summary.closed = run.gate_state->reasons;
  summary.files = {{"decisions", directory.decisions().string()},
                   {"judgments", directory.judgment_index().string()},
                   {"engines", directory.engines().string()},
                   {"this summary", directory.summary().string()}};
  return summary;
}

ExitStatus finish(const RunDirectory& directory, const report::Summary& summary, bool prints) {
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
  record.judged = summary.judged;
  record.root = summary.root;
  record.rank_seconds = summary.rank_seconds;
  report::write_status(directory.status(), record);
  // After STATUS: who reads this may have gone, and a closed pipe ends the process.
  if (prints) fmt::print("{}", text);
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
