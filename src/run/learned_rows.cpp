#include "run/learned_rows.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "table/select.hpp"

namespace hiple {

namespace {

/// Where the split divides whole groups, rows of one that are learned from leave none to test by. `division`: to the engine.
void refuse_torn_group(const Table& table, const std::vector<Part>& division, const std::vector<std::uint32_t>& learned,
                       const EngineConfig& engine, const SplitConfig& split) {
  if (split.group.empty() || !split.column.empty()) return;
  const Column& group = table.column(split.group);
  std::set<double> groups;
  for (const std::uint32_t row : learned)
    if (group.cells[row] == Cell::known) groups.insert(group.number(row));
  for (std::size_t row = 0; row < division.size(); ++row)
    if (division[row] == Part::test && group.cells[row] == Cell::known && groups.contains(group.number(row)))
      throw InputError(engine.learns_also_place,
                       "engine " + engine.name + " would be tested by case " + std::to_string(table.case_id[row]) +
                           " and learn from others of its " + split.group,
                       "the split keeps them in one part",
                       "write a condition that calls for all of a " + split.group + " or for none");
}

}  // namespace

std::vector<std::uint32_t> learned_besides(const Table& table, const std::vector<Part>& division, const EngineConfig& engine,
                                           const RunConfig& config) {
  std::vector<std::uint32_t> rows;
  if (engine.learns_also.empty()) return rows;
  const auto own = select_rows(table, engine.cases, engine.cases_place, config.as_of);
  const auto called_for = select_rows(table, engine.learns_also, engine.learns_also_place, config.as_of);
  std::ranges::set_intersection(own, called_for, std::back_inserter(rows));
  const Column& target = table.column(engine.target);
  std::erase_if(rows, [&](std::uint32_t row) { return division[row] == Part::train || target.cells[row] != Cell::known; });
  return rows;
}

std::vector<Part> division_for(const Table& table, std::vector<Part> division, const EngineConfig& engine,
                               const RunConfig& config) {
  if (engine.learns_also.empty()) return division;
  const auto rows = learned_besides(table, division, engine, config);
  if (rows.empty())
    throw InputError(engine.learns_also_place, "engine " + engine.name + " would learn from no further row",
                     "learns_also is TRUE for none of its rows outside the training part with a known " + engine.target,
                     "write a condition that holds for such rows, or remove it");
  for (const std::uint32_t row : rows) division[row] = Part::train;
  if (std::ranges::find(division, Part::test) == division.end())
    throw InputError(engine.learns_also_place, "engine " + engine.name + " would learn from every row of the test part",
                     "nothing would be left to measure the run by", "leave out some, the latest ones, say");
  refuse_torn_group(table, division, rows, engine, config.data.split);
  return division;
}

void withhold_learned(const Table& table, const RunConfig& config, std::vector<Part>& division) {
  const std::vector<Part> by_split = division;
  for (const EngineConfig& engine : config.engines)
    for (const std::uint32_t row : learned_besides(table, by_split, engine, config)) division[row] = Part::neither;
}

}  // namespace hiple
