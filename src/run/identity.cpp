#include "run/identity.hpp"

#include <algorithm>
#include <map>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "run/check_columns.hpp"
#include "table/select.hpp"

namespace hiple {

namespace {

/// "config", "data" and each "column NAME", with their hashes.
using Hashes = std::map<std::string, std::string>;

Hashes hashes_of(const PreparedRun& run, const EngineConfig& engine, const Table& table) {
  const Identity identity = identity_of(run, engine, table);
  Hashes hashes = {{"config", identity.config_sha256}, {"data", identity.data_sha256}};
  for (const std::string& column : columns_of(run.config, engine, run.schema))
    hashes["column " + column] = slice_sha256(table, std::vector<std::string>{column}, all_rows(table));
  return hashes;
}

Hashes read(const std::string& text) {
  Hashes hashes;
  for (const std::string& line : split(text, '\n')) {
    const auto blank = line.find(' ');
    if (blank != std::string::npos) hashes[line.substr(blank + 1)] = line.substr(0, blank);
  }
  return hashes;
}

}  // namespace

Identity identity_of(const PreparedRun& run, const EngineConfig& engine, const Table& table) {
  return {sha256(engine_identity(run.config, engine)),
          slice_sha256(table, columns_of(run.config, engine, run.schema), all_rows(table))};
}

void write_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine, const Table& table) {
  std::string text;
  for (const auto& [name, hash] : hashes_of(run, engine, table)) text += hash + " " + name + "\n";
  write_file(directory.identity(engine.name), text);
}

bool holds_engines(const RunDirectory& directory, const PreparedRun& run) {
  return std::any_of(run.config.engines.begin(), run.config.engines.end(),
                     [&](const EngineConfig& engine) { return std::filesystem::exists(directory.identity(engine.name)); });
}

void check_data(const RunDirectory& directory, const PreparedRun& run, const Table& table) {
  Problems problems;
  for (const EngineConfig& engine : run.config.engines) {
    try {
      refuse_other_identity(directory, run, engine, table);
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  problems.throw_if_any();
}

void refuse_other_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine,
                           const Table& table) {
  const auto path = directory.identity(engine.name);
  if (!std::filesystem::exists(path)) return;
  const Hashes held = read(read_file(path)), wanted = hashes_of(run, engine, table);
  if (held == wanted) return;
  std::vector<std::string> changed;
  for (const auto& [name, hash] : wanted) {
    const auto before = held.find(name);
    if (name != "data" && (before == held.end() || before->second != hash)) changed.push_back(name);
  }
  // Every column's hash holds the case ids.
  if (changed.size() + 2 == wanted.size() || changed.empty()) changed = {"the rows"};
  throw InputError(Place{run.config.data.table.string()},
                   "engine " + engine.name + " was begun with other data or another configuration",
                   "since then changed: " + join(changed, ", "), "choose another --output, or start anew with --fresh");
}

}  // namespace hiple
