#include "run/open_directory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"
#include "run/build_record.hpp"
#include "run/check_folder.hpp"
#include "run/gate_state.hpp"
#include "run/lock.hpp"
#include "run/revise_history.hpp"
#include "run/writer.hpp"

namespace hiple {

namespace {

std::string name_in(const yaml::Node& item) {
  for (const yaml::Entry& entry : item.entries)
    if (entry.key == "name") return entry.value.text;
  return {};
}

void flatten(const yaml::Node& node, const std::string& path, Settings& settings) {
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const yaml::Entry& entry : node.entries) flatten(entry.value, prefix + entry.key, settings);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string name = name_in(node.items[i]);
    flatten(node.items[i], prefix + (name.empty() ? std::to_string(i + 1) : name), settings);
  }
  if (node.entries.empty() && node.items.empty()) settings[path] = node.text;
}

bool is_free(const std::string& path) {
  static constexpr std::array<std::string_view, 10> free = {"output",     "isolation", "restarts", "step_limit", "file_locks",
                                                            "time_limit", "integrate", "law",      "gates",      "evidence"};
  // Where a command runs, and for how long.
  if (path.starts_with("engines.") && (path.ends_with(".folder") || path.ends_with(".time_limit"))) return true;
  return std::any_of(free.begin(), free.end(), [&](std::string_view key) {
    return path.starts_with(key) && (path.size() == key.size() || path[key.size()] == '.');
  });
}

Settings bound_settings(const RunConfig& config) {
  Settings settings = settings_of(config);
  std::erase_if(settings, [](const auto& entry) { return is_free(entry.first); });
  return settings;
}

bool has_engine(const RunConfig& config, const std::string& path) {
  return std::any_of(config.engines.begin(), config.engines.end(),
                     [&](const EngineConfig& engine) { return path.starts_with("engines." + engine.name + "."); });
}

std::vector<std::string> foreign_entries(const RunDirectory& directory) {
  std::vector<std::string> entries;
  if (!std::filesystem::exists(directory.root())) return entries;
  for (const auto& entry : std::filesystem::directory_iterator(directory.root())) entries.push_back(entry.path().filename());
  // What a run that was ended at its very start leaves: these are the first files that it writes.
  std::erase_if(entries, [](const std::string& name) {
    return name.starts_with("LOCK") || name.starts_with("build.json") || name.starts_with("run.yaml.");
  });
  return entries;
}

void check_content(const RunDirectory& directory, const RunConfig& wanted, bool fresh) {
  const Place place{directory.root().string()};
  if (!directory.holds_run()) {
    if (foreign_entries(directory).empty()) return;
    // Tasks of an array start together: another one may have set the directory up between the two looks.
    if (!directory.holds_run())
      throw InputError(place, "holds other files, but no run", "a run needs a directory of its own",
                       "name an empty or a new one with --output");
  }
  if (fresh) return;
  refuse_own_report(directory, wanted);
  const auto changed = differences(load_run_config(directory.config()), wanted);
  if (changed.empty()) return;
  Problems problems;
  for (const std::string& line : changed)
    problems.add(place, "holds a different run: " + line, {}, "choose another --output, or start anew with --fresh");
  problems.throw_if_any();
}

/// Every rank finds this out by itself, before one of them fails and leaves the others waiting for it.
void check_writable(const std::filesystem::path& root) {
  const auto nearest = nearest_folder(root);
  if (::access(nearest.c_str(), W_OK | X_OK) != 0)
    throw InputError(Place{root.string()}, "cannot be written", nearest.string() + ": " + std::system_category().message(errno),
                     "choose another --output");
}

/// What was settled at earlier starts stays: a later one may have seen their outcome.
void write_records(const RunDirectory& directory, const PreparedRun& run, bool fresh) {
  auto settled = fresh ? std::vector<Settled>{} : read_settled(directory.build());
  const Settled now = settle(run);
  if (settled.empty() || !settled.back().same_texts(now)) settled.push_back(now);
  // In this order: a directory with anything else and without these two is taken for somebody else's.
  write_build_record(directory.build(), settled);
  write_file(directory.config(), to_yaml(run.config));
  make_folder(directory.all_judgments());
}

}  // namespace

Settings settings_of(const RunConfig& config) {
  Settings settings;
  flatten(yaml::parse(to_yaml(config), "run.yaml"), "", settings);
  return settings;
}

std::vector<std::string> differences(const RunConfig& held, const RunConfig& wanted) {
  const Settings before = bound_settings(held);
  const Settings after = bound_settings(wanted);
  std::vector<std::string> lines;
  for (const auto& [path, value] : before) {
    const auto now = after.find(path);
    if (now == after.end()) {
      lines.push_back(path + ": was " + value + ", is gone");
    } else if (now->second != value) {
      lines.push_back(path + ": was " + value + ", is " + now->second);
    }
  }
  for (const auto& [path, value] : after) {
    if (before.contains(path)) continue;
    const bool joins = path.starts_with("engines.") && !has_engine(held, path);
    if (!joins) lines.push_back(path + ": is new, with " + value);
  }
  if (RunDirectory::spreads(held.engines.size()) != RunDirectory::spreads(wanted.engines.size()))
    lines.push_back("engines: were " + std::to_string(held.engines.size()) + ", are " + std::to_string(wanted.engines.size()) +
                    ": with more than 1000 their files lie in other folders");
  return lines;
}

void check_directory(const RunDirectory& directory, const RunConfig& wanted, bool fresh, const std::string& job) {
  std::error_code problem;
  const auto kind = std::filesystem::status(directory.root(), problem).type();
  if (kind == std::filesystem::file_type::none)
    throw InputError(Place{directory.root().string()}, "cannot be the run's directory", problem.message(),
                     "choose another --output");
  if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::directory)
    throw InputError(Place{directory.root().string()}, "is no folder", {}, "choose another --output");
  check_writable(directory.root());
  check_lock(directory.lock(), "the run", job);
  try {
    check_content(directory, wanted, fresh);
  } catch (const InputError&) {
    // A rank that comes late sees the directory while the last rank, which checked it before it took the lock, sets it up.
    const auto holder = read_lock(directory.lock());
    if (job.empty() || !holder || holder->job != job) throw;
  }
}

void check_engines_free(const RunDirectory& directory, const PreparedRun& run, const std::string& job) {
  for (const EngineConfig& engine : run.config.engines)
    check_lock(directory.engine_lock(engine.name), "engine " + engine.name, job);
}

void forget_decisions(const RunDirectory& directory) {
  // STATUS first: without it nobody takes what is left for a finished run.
  for (const auto& path : {directory.status(), decisions_file(directory), directory.judgment_index(), directory.summary(),
                           directory.ledger(), directory.certificate(), directory.trace()}) {
    std::filesystem::remove(path);
    remove_temporaries(path);
  }
  std::filesystem::remove_all(directory.rank_ledgers());
  std::error_code still_written;  // by a rank of an earlier start that is about to end
  std::filesystem::remove_all(directory.heartbeats(), still_written);
}

void start_directory(const RunDirectory& directory, const PreparedRun& run, bool fresh) {
  make_folder(directory.root());
  forget_decisions(directory);
  std::filesystem::remove_all(directory.all_requests());  // of an integrator that is gone
  if (fresh) {
    std::filesystem::remove(directory.decisions());  // of a revised law: the link that makes the revision stand
    std::filesystem::remove_all(directory.all_revisions());
    WaitForWriter wait;
    wait.longest = std::chrono::seconds(10);  // a process that was killed just now is gone by then
    remove_engines(run.config, directory, wait);
  }
  for (const EngineConfig& engine : run.config.engines) {
    std::filesystem::remove(directory.failure(engine.name));
    remove_stale_lock(directory.engine_lock(engine.name));
  }
  write_records(directory, run, fresh);
}

void join_directory(const RunDirectory& directory, const PreparedRun& run) {
  if (std::filesystem::exists(directory.config())) return;
  make_folder(directory.root());
  write_records(directory, run, false);
}

}  // namespace hiple
