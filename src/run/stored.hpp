#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

/// Work on a run that has ended, from its files.
namespace hiple {

/// The derivation of one decision, from the judgments and inputs that it was made from. Throws InputError: no such case or rule;
/// a file that changed since.
std::string explain_case(const PreparedRun& run, const RunDirectory& directory, std::uint64_t case_id,
                         const std::string& why_not);

/// Lets a trained engine judge the cases of another table, and writes its judgments file. The table needs the engine's features
/// and, where the schema has one, the id.
void judge_cases(const PreparedRun& run, const RunDirectory& directory, const std::string& engine,
                 const std::filesystem::path& cases, const std::filesystem::path& out);

}  // namespace hiple
