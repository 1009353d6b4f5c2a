#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "law/columnar_kernels.hpp"

namespace hiple::law::columnar {

/// The same comparison with a constant of another type: for every value of T, value `op` constant. Nothing where the constant
/// lies beyond T, and all values compare alike: then `all` says how.
template <class T>
struct Narrowed {
  bool fixed = false, all = false;
  Comparison op = Comparison::equal;
  T constant{};
};

/// Between two neighbours of T a constant is moved to the one that keeps the comparison.
template <class T>
Narrowed<T> narrow(Comparison op, double constant) {
  Narrowed<T> result{false, false, op, {}};
  if (std::isnan(constant)) return {true, false, op, {}};
  if constexpr (std::is_same_v<T, double>) {
    result.constant = constant;
    return result;
  }
  double low = constant, high = constant;  // the neighbours, as doubles
  if constexpr (std::is_integral_v<T>) {
    low = std::floor(constant);
    high = std::ceil(constant);
    // Both are powers of two or exact: the largest int64 is not, the number after it is.
    constexpr double least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double beyond = 2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
    const bool is_less = op == Comparison::less || op == Comparison::less_equal;
    const bool is_greater = op == Comparison::greater || op == Comparison::greater_equal;
    if (low >= beyond || (op == Comparison::greater_equal && high >= beyond)) return {true, is_less, op, {}};
    if (high < least) return {true, is_greater, op, {}};
    if (op == Comparison::less && high >= beyond) return {true, true, op, {}};
    if (low < least) return {true, is_greater, op, {}};
  } else {
    auto nearest = static_cast<float>(constant);
    if (static_cast<double>(nearest) > constant) nearest = std::nextafter(nearest, -std::numeric_limits<float>::infinity());
    low = nearest;
    if (low != constant) high = std::nextafter(nearest, std::numeric_limits<float>::infinity());
  }
  if (op == Comparison::equal && low != constant) return {true, false, op, {}};
  const bool upper = op == Comparison::less || op == Comparison::greater_equal;
  result.constant = static_cast<T>(upper ? high : low);
  return result;
}

}  // namespace hiple::law::columnar
