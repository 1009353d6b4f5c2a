#pragma once

#include <optional>
#include <vector>

#include "gate/curves.hpp"
#include "gate/engine_figures.hpp"
#include "gate/figures.hpp"
#include "gate/verdict.hpp"
#include "run/prepare.hpp"

namespace hiple {

/// Figures of decisions and what gates.yaml makes of them.
struct Trust {
  gate::Figures figures;
  gate::Judged judged;
  std::vector<gate::CostPoint> cost;  ///< with `curves` only
  gate::RiskCurve risk;
  std::vector<gate::EngineFigures> engines;
};

struct TrustSettings {
  bool curves = false;  ///< cost, risk and engines too
};

/// The same cases decided otherwise, to compare with.
struct OtherDecisions {
  std::optional<law::Decisions> flat;  ///< by every engine under the same law; not where some judged on demand
  law::Decisions home, links;          ///< by the home engines alone, and by these and links
};

/// Decides the test cases by all engines, by the home engines alone, and by these and links. A law that a gate has closed is
/// read as it was before.
OtherDecisions decide_otherwise(const PreparedRun& run, const law::Law& law, const Table& test,
                                const std::vector<law::EngineJudgments>& engines);

/// The rows of the table's test part, ascending.
std::vector<std::uint32_t> test_rows(const PreparedRun& run, const Table& table);

/// Measures the decisions of test cases. `test` holds these cases alone, in the same order, with the columns that the law and
/// gates.yaml read, and with `curves` those of trust_columns(). The law decides them again by all engines, by the home engines
/// alone, and by these and links, to compare. The run must have gates.
Trust measure_trust(const PreparedRun& run, const law::Law& law, const Table& test, const law::Decisions& decisions,
                    const std::vector<law::EngineJudgments>& engines, const TrustSettings& settings = {});

/// Every column that the gates, the engines' figures and the split read, ascending.
std::vector<std::string> trust_columns(const PreparedRun& run);

}  // namespace hiple
