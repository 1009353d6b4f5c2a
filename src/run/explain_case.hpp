#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "run/law_setting.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// How a derivation is told.
struct Telling {
  std::string why_not;  ///< a rule or law; or empty
  bool json = false;
  std::filesystem::path graph;  ///< also drawn into this file; or empty
};

/// The derivation of one case of a run, with what could settle it where it is not decided. Throws InputError: no decisions,
/// files that have changed since, no such case.
std::string explain_case(const PreparedRun& run, const RunDirectory& directory, std::uint64_t case_id, const Telling& telling);

/// The same of a case that stands in a file of its own, as law/given_case.hpp describes it: no run is needed.
std::string explain_case_file(const LawSetting& setting, const std::filesystem::path& file, const Telling& telling);

}  // namespace hiple
