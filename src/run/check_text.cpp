#include "run/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "audit/check.hpp"
#include "base/text.hpp"
#include "h5/h5.hpp"
#include "law/model.hpp"
#include "report/text_table.hpp"
#include "run/estimate.hpp"
#include "table/series.hpp"

namespace hiple {

namespace {

std::string amount(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1 << 10) return fmt::format("{} B", bytes);
  if (bytes < 1 << 20) return fmt::format("{:.1f} KiB", value / (1 << 10));
  return bytes < 1 << 30 ? fmt::format("{:.1f} MiB", value / (1 << 20)) : fmt::format("{:.1f} GiB", value / (1 << 30));
}

std::string table_line(const PreparedRun& run, const CheckResult& result) {
  const auto& table = run.config.data.table;
  return fmt::format("table    {} ({}, {}{} rows)\n", table.string(), amount(std::filesystem::file_size(table)),
                     h5::is_hdf5(table) ? "" : "about ", result.size.rows);
}

std::string gates_line(const PreparedRun& run) {
  if (!run.gate_state) return {};
  if (!run.gate_state->closed) return fmt::format("gates    open by the report {}\n", run.gate_state->report);
  return fmt::format(
      "gates    CLOSED: every engine is asked, and what the law abstains from goes to a person\n         by the report {}: {}\n",
      run.gate_state->report, join(run.gate_state->reasons, "; "));
}

std::string law_line(const PreparedRun& run) {
  return fmt::format("law      {}: questions {}; critical findings: {}\n", run.config.law.string(),
                     join(run.law.questions(), ", "), run.law.critical().empty() ? "none" : join(run.law.critical(), ", "));
}

std::string evidence_line(const PreparedRun& run) {
  if (!run.evidence) return {};
  const auto& [file, terms, filter, store, standings] = *run.evidence;
  std::size_t cases = 0;
  for (const auto& [about, standing] : standings.all()) cases += standing.size();
  std::string text =
      fmt::format("evidence {}: {} values stand, {} of them contradictory\n", file.string(), cases, standings.contradictions());
  if (!standings.unknown().empty())
    text += fmt::format("         {} records are about what neither schema nor law knows: `hiple evidence check`\n",
                        standings.unknown().size());
  return text;
}

/// Laws of more rules take longer than a look at a run may.
constexpr std::size_t most_rules = 200;

std::optional<audit::LawCheck> check_rules(const PreparedRun& run) {
  if (run.law.model().rules.size() > most_rules) return std::nullopt;
  return audit::check_law(run.law);
}

std::string rules_line(const PreparedRun& run) {
  const auto found = check_rules(run);
  if (!found) return "rules    many: `hiple law check` looks at them\n";
  std::string text =
      fmt::format("rules    {} errors, {} warnings: `hiple law check {}` tells them\n", found->count(audit::Severity::error),
                  found->count(audit::Severity::warning), run.config.law.string());
  for (const audit::Finding& finding : found->findings)
    if (finding.severity == audit::Severity::error) text += "         " + finding.text + "\n";
  return text;
}

/// A configuration that starts programs says so before it does.
std::string commands_lines(const PreparedRun& run) {
  std::string text;
  for (const EngineConfig& engine : run.config.engines) {
    if (!engine.is_command()) continue;
    text += fmt::format("command  {} starts {}: {} (--no-commands refuses it)\n", engine.name, engine.command.program.string(),
                        printable(join(engine.command.words, " ")));
  }
  return text;
}

/// Where the run's files go.
std::string output_lines(const PreparedRun& run, const CheckResult& result) {
  return fmt::format("output   {}: about {} of the {} that are free; writing, links, renaming{} work there\n",
                     run.config.output.string(), amount(result.size.disk), amount(result.folder.free_bytes),
                     run.config.file_locks == "required" ? " and locks" : "");
}

std::string plan_lines(const Plan& plan, const CheckResult& result) {
  if (result.ranks == 1) return "plan     one rank does everything in turn\n";
  std::string text = fmt::format("plan     ranks 0 to {} train, rank {} decides\n", result.ranks - 2, plan.integrator);
  if (result.ranks > result.processors)
    text += fmt::format("cores    {} here: {} ranks would share them, up to {} to a core\n", result.processors, result.ranks,
                        (result.ranks + result.processors - 1) / result.processors);
  return text;
}

/// Of each rank that trains, the most that one of its engines takes: they are trained one after another.
std::string memory_line(const std::vector<int>& rank, const CheckResult& result) {
  if (rank.empty()) return {};
  const auto most = std::max_element(result.size.training.begin(), result.size.training.end()) - result.size.training.begin();
  return fmt::format("memory   about {} on rank {}, which takes the most to train; about {} to decide\n",
                     amount(result.size.training[static_cast<std::size_t>(most)]), rank[static_cast<std::size_t>(most)],
                     amount(result.size.deciding));
}

/// Seconds of each rank that trains: its engines one after another.
std::vector<double> seconds_of_ranks(const std::vector<EngineTime>& times, const std::vector<int>& rank, int ranks) {
  std::vector<double> seconds(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < times.size(); ++i)
    seconds[static_cast<std::size_t>(rank[i])] += times[i].reading + (std::isnan(times[i].training) ? 0 : times[i].training);
  return seconds;
}

std::string times_text(const std::vector<int>& rank, const CheckResult& result) {
  if (result.times.empty()) return {};
  std::vector<std::vector<std::string>> rows = {{"engine", "rank", "reading", "a step", "steps", "training, at most"}};
  for (std::size_t i = 0; i < result.times.size(); ++i) {
    const EngineTime& time = result.times[i];
    const bool known = !std::isnan(time.training);
    rows.push_back({time.engine, std::to_string(rank[i]), fmt::format("{:.2f} s", time.reading),
                    known ? fmt::format("{:.1f} us", 1e6 * time.step) : "-", known ? std::to_string(time.steps) : "-",
                    known ? fmt::format("{:.1f} s", time.training) : "not known"});
  }
  const auto seconds = seconds_of_ranks(result.times, rank, result.ranks);
  const auto slowest = std::max_element(seconds.begin(), seconds.end());
  return "\n" + report::text_table(rows, {0}) +
         fmt::format(
             "wall time: at most {:.1f} s of training, on rank {}, with a core for each rank; measured here, one engine at a "
             "time; without start, judging and the law\n",
             *slowest, slowest - seconds.begin());
}

}  // namespace

std::string check_text(const PreparedRun& run, const CheckResult& result) {
  const RunConfig& config = run.config;
  const Plan plan = make_plan(engine_costs(config, run.schema), result.ranks);
  const auto rank = ranks_of(plan, config.engines.size());
  std::string text = fmt::format("run      {}: everything that can be known without reading all data is right\n", config.name);
  text += table_line(run, result) + law_line(run) + rules_line(run) + evidence_line(run) + gates_line(run) + commands_lines(run);
  text += output_lines(run, result) + memory_line(rank, result) + plan_lines(plan, result) + "\n";
  std::vector<std::vector<std::string>> rows = {
      {"engine", "target", "classes", "features", "epochs", "parameters", "memory", "rank"}};
  for (std::size_t i = 0; i < config.engines.size(); ++i) {
    const EngineConfig& engine = config.engines[i];
    const EngineEstimate estimated = estimate(engine, run.schema);
    const std::size_t classes = run.engines[i].classes.size();
    const bool ours = !engine.is_command();
    rows.push_back({engine.name, engine.target, classes == 0 ? "number" : std::to_string(classes),
                    std::to_string(with_points(run.schema, engine.features).size()),
                    ours ? std::to_string(engine.train.epochs) : "-", ours ? std::to_string(estimated.parameters) : "-",
                    ours ? amount(estimated.memory) : "-", std::to_string(rank[i])});
  }
  return text + report::text_table(rows, {0, 1}) + "memory: weights, gradients and two moments of Adam, 16 bytes a parameter\n" +
         times_text(rank, result) + (result.data ? to_text(*result.data) : "");
}

std::string check_json(const PreparedRun& run, const CheckResult& result) {
  const RunConfig& config = run.config;
  const auto rank = ranks_of(make_plan(engine_costs(config, run.schema), result.ranks), config.engines.size());
  nlohmann::ordered_json record = {
      {"name", config.name},
      {"output", config.output.string()},
      {"table", config.data.table.string()},
      {"engines", config.engines.size()},
      {"ranks", result.ranks},
      {"processors", result.processors},
      {"about", {{"rows", result.size.rows}, {"disk", result.size.disk}, {"deciding_memory", result.size.deciding}}},
      {"free", result.folder.free_bytes},
      {"plan", nlohmann::json::array()}};
  if (const auto found = check_rules(run))
    record["law_check"] = {{"errors", found->count(audit::Severity::error)},
                           {"warnings", found->count(audit::Severity::warning)}};
  for (std::size_t i = 0; i < config.engines.size(); ++i) {
    const EngineEstimate estimated = estimate(config.engines[i], run.schema);
    record["plan"].push_back({{"engine", config.engines[i].name},
                              {"rank", rank[i]},
                              {"parameters", estimated.parameters},
                              {"memory", estimated.memory},
                              {"process_memory", result.size.training[i]}});
    if (config.engines[i].is_command()) record["plan"].back()["command"] = config.engines[i].command.words;
  }
  for (const EngineTime& time : result.times) {
    const auto number = [](double value) { return std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value); };
    record["seconds"].push_back({{"engine", time.engine},
                                 {"reading", time.reading},
                                 {"step", number(time.step)},
                                 {"steps", time.steps},
                                 {"training_at_most", number(time.training)}});
  }
  if (result.data) record["data"] = to_record(*result.data);
  return record.dump(2) + "\n";
}

}  // namespace hiple
