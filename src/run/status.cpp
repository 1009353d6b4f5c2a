#include "run/status.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/run_config.hpp"
#include "judgment/request.hpp"
#include "report/status_file.hpp"
#include "run/asked_cases.hpp"
#include "run/engine_record.hpp"
#include "run/lock.hpp"
#include "run/on_demand.hpp"

namespace hiple {

namespace {

std::string request_text(const RunDirectory& directory, const std::string& name) {
  if (const auto reason = read_failure(directory.failure(name))) return "FAILED to judge what the law asks for: " + *reason;
  try {
    return fmt::format("done; the law asks about {} more cases", read_request(directory.request(name), name).case_id.size());
  } catch (const Error&) {
    return "done; the law asks about more cases";  // it may be answered at this moment
  }
}

std::vector<std::string> engine_row(const RunDirectory& directory, const std::string& name) {
  if (has_request(directory, name)) return {name, request_text(directory, name)};
  if (std::filesystem::exists(directory.judgments(name))) return {name, "done"};
  if (const auto reason = read_failure(directory.failure(name))) return {name, "FAILED: " + *reason};
  if (const auto holder = read_lock(directory.engine_lock(name)))
    return {name, (holder->may_be_alive() ? "training, " : "interrupted, ") + last_progress(directory.progress(name))};
  return {name, std::filesystem::exists(directory.engine(name)) ? "interrupted" : "waiting"};
}

RunState going_on(const std::filesystem::path& root) {
  const RunConfig config = load_run_config(RunDirectory(root).config());
  const RunDirectory directory(root, config.engines.size());
  const auto holder = read_lock(directory.lock());
  RunState state;
  std::string& text = state.text;
  text = fmt::format(
      "Run {}: {}\n", config.name,
      holder ? (holder->may_be_alive() ? "goes on, by " : "was interrupted; it was ") + holder->text() : "is not integrated");
  std::size_t width = 0;
  for (const EngineConfig& engine : config.engines) width = std::max(width, engine.name.size());
  for (const EngineConfig& engine : config.engines) {
    const auto row = engine_row(directory, engine.name);
    text += fmt::format("  {:<{}}  {}\n", row[0], width, row[1]);
    if (!holder && has_request(directory, engine.name)) state.status = status_asking;
  }
  state.is_held = holder && holder->may_be_alive();
  state.goes_on = (!holder || holder->may_be_alive()) && state.status == ExitStatus::done;
  return state;
}

RunState ended(const report::StatusRecord& record) {
  RunState result;
  result.status = record.state == "complete"  ? ExitStatus::done
                  : record.state == "partial" ? ExitStatus::partial
                                              : ExitStatus::failed;
  result.text = fmt::format("Run {}: {}", record.name, record.state);
  if (result.status == ExitStatus::failed) {
    result.text += ": " + record.reason + "\n";
    return result;
  }
  result.text += fmt::format(", {} of {} engines; {} cases; of {} answers {} decided, {} abstained, {} escalated\nroot {}\n",
                             record.engines - record.missing.size(), record.engines, record.cases,
                             record.cases * record.questions, record.decided, record.abstained, record.escalated, record.root);
  for (const auto& [engine, reason] : record.missing) result.text += fmt::format("MISSING {}: {}\n", engine, reason);
  return result;
}

}  // namespace

RunState read_run_state(const RunDirectory& directory) {
  if (std::filesystem::exists(directory.status())) return ended(report::read_status(directory.status()));
  if (!directory.holds_run())
    throw InputError(Place{directory.root().string()}, "holds no run", {}, "name the directory that `hiple run` wrote");
  return going_on(directory.root());
}

}  // namespace hiple
