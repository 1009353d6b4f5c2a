#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "law/law.hpp"

/// Which decisions a change of a law can reach.
namespace hiple::law {

/// The rules that differ between two versions of a law, as far as decisions depend on them.
struct RuleChanges {
  std::vector<std::string> ids;            ///< ascending
  std::vector<std::size_t> before, after;  ///< those in force, indices into Model::rules of each version
  bool elsewhere = false;                  ///< something else differs too: every decision can change
};

RuleChanges changes_between(const Law& before, const Law& after);

/// The cone of a change: rows in which a rule that differs is not known to be FALSE, in either version and reading, by what the
/// home engines say. In every other row it is as good as absent from the first round to the last, since what is known to be FALSE
/// stays so whoever else is asked: no decision there rests on it, or can be changed by it. All rows where something else than
/// rules differs, or one of them reads what a panel found. What evidence says must be the same under both laws, or be looked at
/// by the caller. Ascending; the same for every number of threads.
std::vector<std::uint32_t> cone_of(const Law& before, const Law& after, const Table& table,
                                   const std::vector<EngineJudgments>& engines, int threads = 1);

}  // namespace hiple::law
