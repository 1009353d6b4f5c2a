#include "run/integrate.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/file.hpp"

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

void count(const law::Decisions& decisions, RunSummary& summary) {
  std::map<std::string, std::uint64_t> reasons;
  for (const law::Decision& decision : decisions.decisions) {
    if (decision.status == law::Status::decide) {
      ++summary.decided;
      continue;
    }
    ++(decision.status == law::Status::abstain ? summary.abstained : summary.escalated);
    ++reasons[law::name_of(decision.status) + ": " + law::name_of(decision.reason)];
  }
  summary.reasons.assign(reasons.begin(), reasons.end());
}

}  // namespace

std::size_t RunSummary::available() const {
  return static_cast<std::size_t>(
      std::count_if(engines.begin(), engines.end(), [](const EngineState& engine) { return engine.available; }));
}

Table read_whole_table(const PreparedRun& run) { return read_table(run.config.data.table, run.schema); }

std::vector<law::EngineJudgments> judgments_for_law(const std::vector<Arrival>& arrivals) {
  std::vector<law::EngineJudgments> engines;
  for (const Arrival& arrival : arrivals)
    engines.push_back({arrival.engine, arrival.judgments ? &*arrival.judgments : nullptr, arrival.reason, arrival.sha256});
  return engines;
}

RunSummary integrate(const PreparedRun& run, const RunDirectory& directory, const Table& table,
                     const std::vector<Arrival>& arrivals, int threads) {
  write_index(run, directory, arrivals);
  const auto start = std::chrono::steady_clock::now();
  law::DecideOptions options;
  options.threads = threads;
  const law::Decisions decisions = law::decide(run.law, table, judgments_for_law(arrivals), options);
  RunSummary summary;
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  law::write_decisions(directory.decisions(), decisions);

  summary.name = run.config.name;
  for (const Arrival& arrival : arrivals)
    summary.engines.push_back({arrival.engine, arrival.judgments.has_value(), arrival.reason});
  summary.questions = decisions.questions;
  summary.cases = decisions.cases();
  summary.root = decisions.root;
  count(decisions, summary);
  return summary;
}

void write_status(const RunDirectory& directory, const RunSummary& summary) {
  nlohmann::ordered_json status = {{"state", summary.status() == ExitStatus::done ? "complete" : "partial"},
                                   {"name", summary.name},
                                   {"engines", summary.engines.size()},
                                   {"available", summary.available()},
                                   {"missing", nlohmann::json::array()},
                                   {"cases", summary.cases},
                                   {"questions", summary.questions.size()},
                                   {"decided", summary.decided},
                                   {"abstained", summary.abstained},
                                   {"escalated", summary.escalated},
                                   {"root", summary.root},
                                   {"software", software()},
                                   {"time", utc_now()}};
  for (const EngineState& engine : summary.engines)
    if (!engine.available) status["missing"].push_back({{"engine", engine.name}, {"reason", engine.reason}});
  write_file(directory.status(), status.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void write_failed_status(const RunDirectory& directory, const std::string& reason) {
  const nlohmann::ordered_json status = {{"state", "failed"}, {"reason", reason}, {"software", software()}, {"time", utc_now()}};
  make_folder(directory.root());
  write_file(directory.status(), status.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace hiple
