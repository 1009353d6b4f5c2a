#pragma once

#include <filesystem>
#include <string>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// Lets a trained engine of a run judge the cases of another table, and writes its judgments file. The table needs the engine's
/// features and, where the schema has one, the id. Throws InputError: no such engine, not trained, a table that does not fit.
void judge_cases(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                 const std::filesystem::path& cases, const std::filesystem::path& out);

}  // namespace hiple
