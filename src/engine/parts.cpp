#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/philox.hpp"
#include "engine/engine.hpp"
#include "engine/random_use.hpp"
#include "engine/target.hpp"

namespace hiple::engine {

namespace {

/// Rows that stay together: one row, or all rows of a group.
using Unit = std::vector<std::uint32_t>;

std::vector<Unit> make_units(const Table& table, std::span<const std::uint32_t> rows, const std::string& group) {
  std::vector<Unit> units;
  if (group.empty()) {
    for (const std::uint32_t row : rows) units.push_back({row});
    return units;
  }
  const Column& column = table.column(group);
  std::map<double, std::size_t> unit_of;
  for (const std::uint32_t row : rows) {
    if (column.cells[row] != Cell::known) {
      units.push_back({row});
      continue;
    }
    const auto [entry, is_new] = unit_of.try_emplace(column.number(row), units.size());
    if (is_new) units.emplace_back();
    units[entry->second].push_back(row);
  }
  return units;
}

void shuffle(std::vector<Unit>& units, PhiloxStream random) {
  for (std::size_t left = units.size(); left > 1; --left) {
    std::swap(units[left - 1], units[random.next_below(static_cast<std::uint32_t>(left))]);
  }
}

/// Deals the units out, class by class, each to the part that is furthest behind its share; the first of every class goes to
/// training. So each class, and the whole, is divided as the fractions say, to within a unit or so.
std::array<std::vector<std::uint32_t>, 3> deal(const std::map<std::uint32_t, std::vector<Unit>>& classes,
                                               std::array<double, 3> fractions) {
  std::array<std::vector<std::uint32_t>, 3> parts;
  double rows = 0;
  for (const auto& [ignored, units] : classes) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      rows += static_cast<double>(units[i].size());
      std::size_t chosen = 0;
      const auto behind = [&](std::size_t part) { return fractions[part] * rows - static_cast<double>(parts[part].size()); };
      for (std::size_t part = 1; part < parts.size() && i > 0; ++part) {
        if (behind(part) > behind(chosen)) chosen = part;
      }
      parts[chosen].insert(parts[chosen].end(), units[i].begin(), units[i].end());
    }
  }
  return parts;
}

/// The class by which a unit is dealt out: that of its first row; one for all in a regression.
std::map<std::uint32_t, std::vector<Unit>> by_class(const Table& table, const Target& target, std::vector<Unit> units) {
  std::vector<std::uint32_t> first_rows;
  first_rows.reserve(units.size());
  for (const Unit& unit : units) first_rows.push_back(unit.front());
  std::vector<std::uint32_t> values(units.size(), 0);
  if (!target.is_regression()) values = target_classes(table, target, first_rows);
  std::map<std::uint32_t, std::vector<Unit>> classes;
  for (std::size_t i = 0; i < units.size(); ++i) classes[values[i]].push_back(std::move(units[i]));
  return classes;
}

void refuse_empty(const EngineConfig& engine, const Parts& parts, const SplitConfig& split, std::size_t rows) {
  if (!parts.training.empty() && !parts.early_stop.empty() && !parts.calibration.empty()) return;
  throw InputError(engine.place,
                   fmt::format("engine {}: {} rows in the training part give {} training, {} early-stop and {} calibration rows",
                               engine.name, rows, parts.training.size(), parts.early_stop.size(), parts.calibration.size()),
                   "each of the three needs one row at least",
                   fmt::format("give the engine more rows (`cases`, `split`), or raise early_stop ({}) and calibration ({})",
                               split.early_stop, split.calibration));
}

}  // namespace

Parts make_parts(const Table& table, const EngineConfig& engine, std::span<const std::uint32_t> rows,
                 std::span<const Part> division, const SplitConfig& split, std::uint64_t seed) {
  Parts parts;
  std::vector<std::uint32_t> own;
  for (const std::uint32_t row : rows) {
    if (division[row] == Part::test) parts.test.push_back(row);
    if (division[row] == Part::train) own.push_back(row);
  }
  const Target target = make_target(table, engine.target);
  const std::vector<std::uint32_t> known = rows_with_target(table, engine.target, own);
  if (known.size() < own.size()) {
    spdlog::warn("engine {}: {} of {} training rows have no known {} and are left out", engine.name, own.size() - known.size(),
                 own.size(), engine.target);
  }
  std::vector<Unit> units = make_units(table, known, split.group);
  shuffle(units, PhiloxStream(Philox(seed, engine.name), 0, 0, random_use(RandomUse::parts)));
  auto dealt = deal(by_class(table, target, std::move(units)),
                    {1 - split.early_stop - split.calibration, split.early_stop, split.calibration});
  for (auto& part : dealt) std::ranges::sort(part);
  parts.training = std::move(dealt[0]);
  parts.early_stop = std::move(dealt[1]);
  parts.calibration = std::move(dealt[2]);
  refuse_empty(engine, parts, split, known.size());
  return parts;
}

}  // namespace hiple::engine
