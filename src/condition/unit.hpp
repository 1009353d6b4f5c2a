#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hiple::condition {

/// A unit of measure, from a subset of UCUM (The Unified Code for Units of Measure): m g s K mol A L U Hz rpm min h d wk mo a
/// N J W Pa bar V degC % and others, with metric prefixes, combined by "." and "/", with exponents: "mU/L", "N.m", "kg/m2".
/// A value in base units is value * scale + offset. rpm is UCUM's circ/min (2 pi / 60 s), so torque times speed is a power;
/// Hz counts cycles and does not convert to it. U and IU are amounts of their own and do not convert to mol.
struct Unit {
  static constexpr std::size_t dimensions = 9;  ///< length, mass, time, temperature, amount, current, U, IU, cycles
  std::string text;                             ///< as written
  std::array<std::int8_t, dimensions> dimension{};
  double scale = 1;
  double offset = 0;  ///< not 0 for degC and degF only, which stand alone

  [[nodiscard]] bool same_dimension(const Unit& other) const { return dimension == other.dimension; }
  [[nodiscard]] bool same_scale(const Unit& other) const { return scale == other.scale && offset == other.offset; }
};

/// Nothing where it is no unit of the subset.
std::optional<Unit> parse_unit(std::string_view text);

/// A linear map between units of one dimension: to = from * scale + offset.
struct Conversion {
  double scale = 1;
  double offset = 0;
  [[nodiscard]] bool identity() const { return scale == 1 && offset == 0; }
};
Conversion conversion(const Unit& from, const Unit& to);

/// Of a product or a quotient; nothing for degC and degF, whose zero is arbitrary, and where an exponent leaves its range.
std::optional<Unit> product(const Unit& a, const Unit& b);
std::optional<Unit> quotient(const Unit& a, const Unit& b);

}  // namespace hiple::condition
