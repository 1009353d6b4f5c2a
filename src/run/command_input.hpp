#pragma once

#include <map>
#include <string>

#include "engine/engine.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"
#include "table/table.hpp"

namespace hiple {

/// The column of a command's table that tells to which part a case belongs.
inline constexpr const char* part_column = "hiple_part";

/// What stands for each placeholder in a command's words (config/command_text.hpp), in one attempt.
std::map<std::string, std::string> command_paths(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                                                 std::uint64_t attempt);

/// Writes what the program may know (docs/command_engines.md): the table of its columns and every case, with the target where
/// the case belongs to training, early stop or calibration, and missing elsewhere; and the configuration as JSON. Throws
/// InputError where a column of the schema has the name of the one that tells the part.
void write_command_input(const PreparedRun& run, const EngineConfig& engine, const Table& table, const engine::Parts& parts,
                         const std::map<std::string, std::string>& paths);

}  // namespace hiple
