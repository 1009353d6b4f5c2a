#pragma once

#include <string>

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
/// `table` must hold the engine's columns; others do not matter.
Identity identity_of(const PreparedRun& run, const EngineConfig& engine, const Table& table);

/// engines/E/identity: the identity, and the sha256 of each column that the engine reads.
void write_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine, const Table& table);

/// Whether the directory holds anything of one of the run's engines.
bool holds_engines(const RunDirectory& directory, const PreparedRun& run);

/// refuse_other_identity for every engine, before a run starts: all problems in one error.
void check_data(const RunDirectory& directory, const PreparedRun& run, const Table& table);

/// Throws InputError where what the directory holds of the engine was made from something else: it names the columns that
/// changed. Nothing where the directory holds nothing of it.
void refuse_other_identity(const RunDirectory& directory, const PreparedRun& run, const EngineConfig& engine, const Table& table);

}  // namespace hiple
