#pragma once

#include <cstdint>
#include <vector>

#include "config/run_config.hpp"
#include "table/split.hpp"

namespace hiple {

/// Rows outside the training part that an engine learns from all the same: those of its data (`cases`) for which its condition
/// `learns_also` is TRUE and whose target is known. Ascending; none where it has no such condition. `division`: the part of each
/// row, as the split has it. Throws InputError: what Condition refuses.
std::vector<std::uint32_t> learned_besides(const Table& table, const std::vector<Part>& division, const EngineConfig& engine,
                                           const RunConfig& config);

/// The part of each row to one engine: what it learns from besides is in the training part. Throws InputError at its
/// `learns_also` where that calls for no row that the engine would not learn from anyway, leaves no row to test it by, or tears
/// a group that the split keeps in one part.
std::vector<Part> division_for(const Table& table, std::vector<Part> division, const EngineConfig& engine,
                               const RunConfig& config);

/// The part of each row to the run as a whole: test rows that any engine learns from are in neither part, so that no figure of
/// the gates rests on what was learned.
void withhold_learned(const Table& table, const RunConfig& config, std::vector<Part>& division);

}  // namespace hiple
