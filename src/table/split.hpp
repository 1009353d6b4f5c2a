#pragma once

#include <cstdint>
#include <vector>

#include "config/run_config.hpp"
#include "table/table.hpp"

namespace hiple {

enum class Part : std::uint8_t { neither, train, test };

/// That the columns which the split names can divide rows and can hold the values that it lists. Throws InputError.
void check_split(const Schema& schema, const SplitConfig& split);

/// The part of every row of the table. The same for every engine, and a function of seed, split, case ids and the columns that
/// the split names alone: a test case of one engine is never a training case of another. Throws InputError at the split's
/// place in run.yaml: unknown column, a listed value that no row has, a part that stays empty.
std::vector<Part> divide(const Table& table, const SplitConfig& split, std::uint64_t seed);

}  // namespace hiple
