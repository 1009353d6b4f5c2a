#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/prepare.hpp"

namespace hiple {

/// Test cases of a run and what decided them.
struct TestCases {
  const PreparedRun& run;  ///< has gates
  const law::Law& law;     ///< that made the decisions
  const Table& test;       ///< these cases alone, with the columns that law and gates.yaml read
  const law::Decisions& decisions;
  const std::vector<law::EngineJudgments>& engines;
  std::vector<std::uint64_t> training;  ///< ids of the training part
  std::string root;                     ///< of all decisions of the run
};

/// Writes what somebody needs who measures other ways to decide these cases by the same truth (format "hiple test cases",
/// version 1; docs/architecture.md lists the data sets): gold findings, which cases cross a boundary, what covers a critical
/// finding, and the answers of the law, as it decided and by all engines.
void write_cases(const std::filesystem::path& path, const TestCases& cases);

}  // namespace hiple
