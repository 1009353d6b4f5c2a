#include "run/identity.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "run/check_columns.hpp"
#include "table/select.hpp"
#include "table/slice.hpp"

namespace hiple {

namespace {

/// By which definition data are hashed.
const std::string form = "2";

std::string config_hash(const PreparedRun& run, const EngineConfig& engine) {
  return sha256(engine_identity(run.config, engine));
}

/// "config", "data", "form" and each "column NAME", with their hashes.
using Hashes = std::map<std::string, std::string>;

Hashes hashes_of(const PreparedRun& run, const EngineConfig& engine, const SliceOf& slice) {
  const std::vector<std::string> columns = columns_of(run.config, engine, run.schema);
  Hashes hashes = {{"config", config_hash(run, engine)}, {"data", slice(columns)}, {"form", form}};
  for (const std::string& column : columns) hashes["column " + column] = slice({column});
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

SliceOf slices_for(const PreparedRun& run, const EngineConfig& engine, const Table& table) {
  const auto hasher = std::make_shared<SliceHasher>(table.schema, columns_of(run.config, engine, run.schema));
  hasher->append(table);
  return [hasher](const std::vector<std::string>& columns) { return hasher->slice(columns); };
}

Identity identity_of(const PreparedRun& run, const EngineConfig& engine, const SliceOf& slice) {
  return {config_hash(run, engine), slice(columns_of(run.config, engine, run.schema))};
}

void write_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine, const SliceOf& slice) {
  std::string text;
  for (const auto& [name, hash] : hashes_of(run, engine, slice)) text += hash + " " + name + "\n";
  write_file(directory.identity(engine.name), text);
}

std::vector<std::string> changed_columns(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine,
                                         const SliceOf& slice) {
  const Hashes held = read(read_file(directory.identity(engine.name)));
  std::vector<std::string> changed;
  for (const std::string& column : columns_of(run.config, engine, run.schema)) {
    const auto before = held.find("column " + column);
    if (before != held.end() && before->second != slice({column})) changed.push_back(column);
  }
  return changed;
}

bool holds_engines(const RunDirectory& directory, const PreparedRun& run) {
  return std::any_of(run.config.engines.begin(), run.config.engines.end(),
                     [&](const EngineConfig& engine) { return std::filesystem::exists(directory.identity(engine.name)); });
}

void check_data(const RunDirectory& directory, const PreparedRun& run, const SliceOf& slice) {
  Problems problems;
  for (const EngineConfig& engine : run.config.engines) {
    try {
      refuse_other_identity(directory, run, engine, slice);
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  problems.throw_if_any();
}

void refuse_other_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine,
                           const SliceOf& slice) {
  const auto path = directory.identity(engine.name);
  if (!std::filesystem::exists(path)) return;
  const Hashes held = read(read_file(path)), wanted = hashes_of(run, engine, slice);
  if (held == wanted) return;
  if (const auto held_form = held.find("form"); held_form == held.end() || held_form->second != form)
    throw InputError(Place{path.string()}, "engine " + engine.name + " was begun by another version of hiple",
                     "it hashed the data otherwise, so that nobody can tell whether they are the same",
                     "choose another --output, or start anew with --fresh");
  std::vector<std::string> changed;
  for (const auto& [name, hash] : wanted) {
    const auto before = held.find(name);
    if (name != "data" && (before == held.end() || before->second != hash)) changed.push_back(name);
  }
  // Every column's hash holds the case ids.
  if (changed.size() + 3 == wanted.size() || changed.empty()) changed = {"the rows"};
  throw InputError(Place{run.config.data.table.string()},
                   "engine " + engine.name + " was begun with other data or another configuration",
                   "since then changed: " + join(changed, ", "), "choose another --output, or start anew with --fresh");
}

}  // namespace hiple
