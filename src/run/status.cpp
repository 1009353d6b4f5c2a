#include "run/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "config/run_config.hpp"
#include "run/failure.hpp"
#include "run/lock.hpp"

namespace hiple {

namespace {

/// The last whole line of progress.jsonl: "epoch 12 of 80, 31 s".
std::string progress_text(const std::filesystem::path& path) {
  std::ifstream stream(path);
  nlohmann::json last;
  for (std::string line; std::getline(stream, line);) {
    auto record = nlohmann::json::parse(line, nullptr, false);
    if (record.is_object()) last = std::move(record);
  }
  if (!last.is_object()) return "begun";
  return fmt::format("epoch {} of {}, {:.0f} s", last.value("epoch", std::int64_t{0}), last.value("epochs", std::int64_t{0}),
                     last.value("seconds", 0.0));
}

std::vector<std::string> engine_row(const RunDirectory& directory, const std::string& name) {
  if (std::filesystem::exists(directory.judgments(name))) return {name, "done"};
  if (const auto reason = read_failure(directory.failure(name))) return {name, "FAILED: " + *reason};
  if (const auto holder = read_lock(directory.engine_lock(name)))
    return {name, (holder->may_be_alive() ? "training, " : "interrupted, ") + progress_text(directory.progress(name))};
  return {name, std::filesystem::exists(directory.engine(name)) ? "interrupted" : "waiting"};
}

std::string going_on(const RunDirectory& directory) {
  const RunConfig config = load_run_config(directory.config());
  const auto holder = read_lock(directory.lock());
  std::string text = fmt::format(
      "Run {}: {}\n", config.name,
      holder ? (holder->may_be_alive() ? "goes on, by " : "was interrupted; it was ") + holder->text() : "is not integrated");
  std::size_t width = 0;
  for (const EngineConfig& engine : config.engines) width = std::max(width, engine.name.size());
  for (const EngineConfig& engine : config.engines) {
    const auto row = engine_row(directory, engine.name);
    text += fmt::format("  {:<{}}  {}\n", row[0], width, row[1]);
  }
  return text;
}

RunState ended(const nlohmann::json& status) {
  const std::string state = status.value("state", "");
  RunState result;
  result.status = state == "complete" ? ExitStatus::done : state == "partial" ? ExitStatus::partial : ExitStatus::failed;
  if (result.status == ExitStatus::failed) {
    result.text = "failed: " + status.value("reason", "no reason is given") + "\n";
    return result;
  }
  result.text = fmt::format("Run {}: {}, {} of {} engines; {} cases, {} decided, {} abstained, {} escalated\nroot {}\n",
                            status.value("name", ""), state, status.value("available", 0), status.value("engines", 0),
                            status.value("cases", 0), status.value("decided", 0), status.value("abstained", 0),
                            status.value("escalated", 0), status.value("root", ""));
  for (const auto& missing : status.value("missing", nlohmann::json::array()))
    result.text += fmt::format("MISSING {}: {}\n", missing.value("engine", ""), missing.value("reason", ""));
  return result;
}

}  // namespace

RunState read_run_state(const RunDirectory& directory) {
  if (std::filesystem::exists(directory.status())) {
    const auto status = nlohmann::json::parse(read_file(directory.status()), nullptr, false);
    if (!status.is_object()) throw InputError(Place{directory.status().string()}, "is no record of a run");
    return ended(status);
  }
  if (!std::filesystem::exists(directory.config()))
    throw InputError(Place{directory.root().string()}, "holds no run", {}, "name the directory that `hiple run` wrote");
  return {going_on(directory), ExitStatus::done};
}

}  // namespace hiple
