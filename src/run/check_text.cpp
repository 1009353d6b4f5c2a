#include "run/check_text.hpp"

#include <fmt/format.h>

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

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / (1 << 20)); }

std::string table_line(const PreparedRun& run) {
  const auto& table = run.config.data.table;
  if (!h5::is_hdf5(table)) return fmt::format("table    {} ({})\n", table.string(), mebibytes(std::filesystem::file_size(table)));
  const auto rows = h5::Reader(table, "hiple table", 1, h5::Verify::parts).shape("/case_id").at(0);
  return fmt::format("table    {} ({} rows)\n", table.string(), rows);
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

}  // namespace

std::string check_text(const PreparedRun& run, int ranks) {
  const RunConfig& config = run.config;
  const Plan plan = make_plan(engine_costs(config, run.schema), ranks);
  const auto rank = ranks_of(plan, config.engines.size());
  std::string text = fmt::format("run      {}: everything that can be known without reading all data is right\n", config.name);
  text += table_line(run) + law_line(run) + rules_line(run) + evidence_line(run) + gates_line(run);
  text += commands_lines(run) + fmt::format("output   {}\n", config.output.string());
  text += ranks == 1 ? "plan     one rank does everything in turn\n\n"
                     : fmt::format("plan     ranks 0 to {} train, rank {} decides\n\n", ranks - 2, plan.integrator);
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
                    ours ? mebibytes(estimated.memory) : "-", std::to_string(rank[i])});
  }
  return text + report::text_table(rows, {0, 1}) + "memory: weights, gradients and two moments of Adam, 16 bytes a parameter\n";
}

std::string check_json(const PreparedRun& run, int ranks, const std::optional<DataCheck>& data) {
  const RunConfig& config = run.config;
  const auto rank = ranks_of(make_plan(engine_costs(config, run.schema), ranks), config.engines.size());
  nlohmann::ordered_json record = {{"name", config.name},
                                   {"output", config.output.string()},
                                   {"table", config.data.table.string()},
                                   {"engines", config.engines.size()},
                                   {"ranks", ranks},
                                   {"plan", nlohmann::json::array()}};
  if (const auto found = check_rules(run))
    record["law_check"] = {{"errors", found->count(audit::Severity::error)},
                           {"warnings", found->count(audit::Severity::warning)}};
  for (std::size_t i = 0; i < config.engines.size(); ++i) {
    const EngineEstimate estimated = estimate(config.engines[i], run.schema);
    record["plan"].push_back({{"engine", config.engines[i].name},
                              {"rank", rank[i]},
                              {"parameters", estimated.parameters},
                              {"memory", estimated.memory}});
    if (config.engines[i].is_command()) record["plan"].back()["command"] = config.engines[i].command.words;
  }
  if (data) record["data"] = to_record(*data);
  return record.dump(2) + "\n";
}

}  // namespace hiple
