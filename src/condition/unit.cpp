#include "condition/unit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "condition/unit_remedy.hpp"

namespace hiple::condition {

namespace {

enum Dimension : std::size_t { length, mass, time, temperature, amount, current, enzyme, international, cycle };

struct Definition {
  std::array<std::int8_t, Unit::dimensions> dimension{};
  double scale = 1;  ///< to m, kg, s, K, mol, A
  double offset = 0;
  bool prefixed = false;  ///< takes a metric prefix
};

std::array<std::int8_t, Unit::dimensions> dimension_of(std::initializer_list<std::pair<Dimension, int>> exponents) {
  std::array<std::int8_t, Unit::dimensions> dimension{};
  for (const auto& [which, exponent] : exponents) dimension[which] = static_cast<std::int8_t>(exponent);
  return dimension;
}

/// Scales are ratios of whole numbers wherever the definition is exact, so that converting keeps equal values equal.
const std::map<std::string, Definition, std::less<>>& definitions() {
  static const std::map<std::string, Definition, std::less<>> table = [] {
    const auto one = dimension_of({});
    const auto of_time = dimension_of({{time, 1}});
    const auto of_energy = dimension_of({{mass, 1}, {length, 2}, {time, -2}});
    const auto of_pressure = dimension_of({{mass, 1}, {length, -1}, {time, -2}});
    const auto of_temperature = dimension_of({{temperature, 1}});
    std::map<std::string, Definition, std::less<>> units;
    units["1"] = {one, 1, 0, false};
    units["%"] = {one, 0.01, 0, false};
    units["rad"] = {one, 1, 0, true};
    units["deg"] = {one, std::numbers::pi / 180, 0, false};
    units["m"] = {dimension_of({{length, 1}}), 1, 0, true};
    units["g"] = {dimension_of({{mass, 1}}), 1e-3, 0, true};
    units["t"] = {dimension_of({{mass, 1}}), 1000, 0, true};
    units["s"] = {of_time, 1, 0, true};
    units["min"] = {of_time, 60, 0, false};
    units["h"] = {of_time, 3600, 0, false};
    units["d"] = {of_time, 86400, 0, false};
    units["wk"] = {of_time, 604800, 0, false};
    units["mo"] = {of_time, 2629800, 0, false};  // UCUM: a twelfth of the Julian year
    units["a"] = {of_time, 31557600, 0, false};
    units["K"] = {of_temperature, 1, 0, true};
    units["degC"] = units["Cel"] = {of_temperature, 1, 273.15, false};
    units["degF"] = {of_temperature, 5.0 / 9.0, 459.67 * 5.0 / 9.0, false};
    units["mol"] = {dimension_of({{amount, 1}}), 1, 0, true};
    units["A"] = {dimension_of({{current, 1}}), 1, 0, true};
    units["V"] = {dimension_of({{mass, 1}, {length, 2}, {time, -3}, {current, -1}}), 1, 0, true};
    units["Ohm"] = {dimension_of({{mass, 1}, {length, 2}, {time, -3}, {current, -2}}), 1, 0, true};
    units["L"] = units["l"] = {dimension_of({{length, 3}}), 1e-3, 0, true};
    units["N"] = {dimension_of({{mass, 1}, {length, 1}, {time, -2}}), 1, 0, true};
    units["J"] = {of_energy, 1, 0, true};
    units["W"] = {dimension_of({{mass, 1}, {length, 2}, {time, -3}}), 1, 0, true};
    units["Pa"] = {of_pressure, 1, 0, true};
    units["bar"] = {of_pressure, 1e5, 0, true};
    units["mmHg"] = {of_pressure, 133.322387415, 0, false};
    units["Hz"] = {dimension_of({{cycle, 1}, {time, -1}}), 1, 0, true};
    units["rpm"] = {dimension_of({{time, -1}}), 2 * std::numbers::pi / 60, 0, false};
    units["U"] = {dimension_of({{enzyme, 1}}), 1, 0, true};
    units["IU"] = {dimension_of({{international, 1}}), 1, 0, true};
    return units;
  }();
  return table;
}

std::optional<double> prefix_scale(std::string_view prefix) {
  static const std::map<std::string_view, double> table = {
      {"T", 1e12}, {"G", 1e9},  {"M", 1e6},       {"k", 1e3},       {"h", 1e2},  {"da", 1e1},  {"d", 1e-1}, {"c", 1e-2},
      {"m", 1e-3}, {"u", 1e-6}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}};
  const auto found = table.find(prefix);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Definition> atom(std::string_view name) {
  if (const auto found = definitions().find(name); found != definitions().end()) return found->second;
  for (std::size_t size = 1; size <= 2 && size < name.size(); ++size) {
    const auto scale = prefix_scale(name.substr(0, size));
    const auto found = definitions().find(name.substr(size));
    if (!scale || found == definitions().end() || !found->second.prefixed) continue;
    Definition result = found->second;
    result.scale *= *scale;
    return result;
  }
  return std::nullopt;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// The unit whose name is the same but for capitals, or has a typo less; the name itself where there is none.
std::string near_atom(std::string_view name) {
  constexpr std::size_t least_for_typos = 3;  // among shorter ones everything is near to everything
  std::vector<std::string> names;
  for (const auto& [unit, definition] : definitions()) {
    names.push_back(unit);
    for (const char* prefix : {"M", "k", "m", "u", "n", "p"})
      if (definition.prefixed) names.push_back(prefix + unit);
  }
  std::optional<std::string> same;  // with the fewest other capitals
  const auto others = [&](const std::string& candidate) {
    return std::inner_product(name.begin(), name.end(), candidate.begin(), 0, std::plus<>(), std::not_equal_to<>());
  };
  for (const std::string& candidate : names)
    if (lower(candidate) == lower(name) && (!same || others(candidate) < others(*same))) same = candidate;
  if (same) return *same;
  const auto near = name.size() < least_for_typos ? std::nullopt : nearest_name(name, names);
  return near.value_or(std::string(name));
}

/// dimension += exponent * other; false where an exponent leaves -99..99.
bool add_dimension(Unit& unit, const std::array<std::int8_t, Unit::dimensions>& other, int exponent) {
  for (std::size_t i = 0; i < Unit::dimensions; ++i) {
    const int sum = unit.dimension[i] + exponent * other[i];
    if (sum < -99 || sum > 99) return false;
    unit.dimension[i] = static_cast<std::int8_t>(sum);
  }
  return true;
}

/// One factor: a unit and perhaps an exponent, "m2", "s-1".
bool multiply(Unit& unit, std::string_view factor, bool divided) {
  const std::size_t digits = factor.find_first_of("+-0123456789");
  std::string_view name = factor.substr(0, digits);
  int exponent = 1;
  if (factor == "1") {
    name = factor;
  } else if (digits != std::string_view::npos) {
    std::string_view text = factor.substr(digits);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto value = parse_integer(text);
    if (!value || *value == 0 || *value < -9 || *value > 9) return false;
    exponent = static_cast<int>(*value);
  }
  const auto definition = atom(name);
  if (!definition) return false;
  unit.offset += definition->offset;
  if (divided) exponent = -exponent;
  unit.scale *= std::pow(definition->scale, exponent);
  return add_dimension(unit, definition->dimension, exponent);
}

std::optional<Unit> combine(const Unit& a, const Unit& b, int exponent) {
  if (a.offset != 0 || b.offset != 0) return std::nullopt;
  Unit result = a;
  result.text = exponent < 0 ? a.text + "/(" + b.text + ")" : a.text + "." + b.text;
  result.scale = exponent < 0 ? a.scale / b.scale : a.scale * b.scale;
  if (!add_dimension(result, b.dimension, exponent)) return std::nullopt;
  return result;
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  Unit unit;
  unit.text = text;
  std::size_t factors = 0;
  bool divided = text.starts_with('/');
  if (divided) text.remove_prefix(1);
  while (true) {
    const std::size_t end = text.find_first_of("./");
    if (!multiply(unit, text.substr(0, end), divided)) return std::nullopt;
    ++factors;
    if (end == std::string_view::npos) break;
    divided = text[end] == '/';
    text.remove_prefix(end + 1);
  }
  const bool alone = factors == 1 && !divided && unit.text.find_first_of("0123456789") == std::string::npos;
  if (unit.offset != 0 && !alone) return std::nullopt;  // degC/min has no meaning that could be converted
  return unit;
}

std::string unit_remedy(std::string_view text) {
  std::string mended;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("./", begin), text.size());
    const std::string_view factor = text.substr(begin, end - begin);
    const std::string_view name = factor.substr(0, factor.find_first_of("+-0123456789"));
    mended += name.empty() || atom(name) ? std::string(name) : near_atom(name);
    mended += text.substr(begin + name.size(), end + 1 - begin - name.size());
    begin = end + 1;
  }
  if (mended != text && parse_unit(mended)) return "did you mean \"" + mended + "\"?";
  return "UCUM units such as mU/L, nmol/L, g/L, K, degC, bar, N.m, W, rpm, L/min, min, %";
}

Conversion conversion(const Unit& from, const Unit& to) {
  if (from.same_scale(to)) return {};
  return {from.scale / to.scale, (from.offset - to.offset) / to.scale};
}

std::optional<Unit> product(const Unit& a, const Unit& b) { return combine(a, b, 1); }
std::optional<Unit> quotient(const Unit& a, const Unit& b) { return combine(a, b, -1); }

}  // namespace hiple::condition
