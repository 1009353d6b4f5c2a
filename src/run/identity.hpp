#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "table/table.hpp"

namespace hiple {

/// What a judgments file of this run must have been made from.
struct Identity {
  std::string config_sha256;
  std::string data_sha256;
  bool operator==(const Identity&) const = default;
};
/// The slice of some columns of the run's table: slice_sha256().
using SliceOf = std::function<std::string(const std::vector<std::string>& columns)>;
/// Of a table that holds the columns that the engine reads; others do not matter. They are hashed here, once.
SliceOf slices_for(const PreparedRun& run, const EngineConfig& engine, const Table& table);

Identity identity_of(const PreparedRun& run, const EngineConfig& engine, const SliceOf& slice);

/// engines/E/identity: the identity, and the sha256 of each column that the engine reads.
void write_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine, const SliceOf& slice);

/// The columns that an engine of the directory was begun with and still reads, and that hold something else in this table.
std::vector<std::string> changed_columns(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine,
                                         const SliceOf& slice);

/// Whether the directory holds anything of one of the run's engines.
bool holds_engines(const RunDirectory& directory, const PreparedRun& run);

/// refuse_other_identity for every engine, before a run starts: all problems in one error.
void check_data(const RunDirectory& directory, const PreparedRun& run, const SliceOf& slice);

/// Throws InputError where what the directory holds of the engine was made from something else: it names the columns that
/// changed. Nothing where the directory holds nothing of it.
void refuse_other_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine,
                           const SliceOf& slice);

}  // namespace hiple
