#include "gate/bounds.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "gate/number_checks.hpp"

namespace hiple::gate {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double lower_bound(std::uint64_t count, std::uint64_t n, double confidence) {
  check_confidence(confidence);
  check_counts(count, n);
  if (n == 0) return nan;
  if (count == 0) return 0;
  return boost::math::ibeta_inv(static_cast<double>(count), static_cast<double>(n - count + 1), 1 - confidence);
}

double upper_bound(std::uint64_t count, std::uint64_t n, double confidence) {
  check_confidence(confidence);
  check_counts(count, n);
  if (n == 0) return nan;
  if (count == n) return 1;
  return boost::math::ibeta_inv(static_cast<double>(count + 1), static_cast<double>(n - count), confidence);
}

double at_most_probability(std::uint64_t count, std::uint64_t n, double rate) {
  check_counts(count, n);
  if (!(rate >= 0 && rate <= 1)) throw Error("a rate of " + std::to_string(rate) + " is not from 0 to 1");
  if (n == 0) return nan;
  if (count == n) return 1;
  return boost::math::ibetac(static_cast<double>(count + 1), static_cast<double>(n - count), rate);
}

std::vector<bool> refuted(const std::vector<double>& probabilities, double confidence) {
  check_confidence(confidence);
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto of = [&](std::size_t i) { return std::isnan(probabilities[i]) ? 1.0 : probabilities[i]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return of(a) < of(b); });
  std::vector<bool> result(probabilities.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!(of(order[i]) <= (1 - confidence) / static_cast<double>(order.size() - i))) break;
    result[order[i]] = true;
  }
  return result;
}

std::pair<double, double> wilson(std::uint64_t count, std::uint64_t n) {
  check_counts(count, n);
  if (n == 0) return {nan, nan};
  constexpr double z = 1.6448536269514722;  // of 95 %, one-sided
  const auto cases = static_cast<double>(n);
  const double rate = static_cast<double>(count) / cases, center = rate + z * z / (2 * cases);
  const double spread = z * std::sqrt(rate * (1 - rate) / cases + z * z / (4 * cases * cases)), whole = 1 + z * z / cases;
  return {std::max(0.0, (center - spread) / whole), std::min(1.0, (center + spread) / whole)};
}

std::uint64_t needed_cases(double rate, double confidence) {
  check_confidence(confidence);
  check_rate(rate);
  const auto proves = [&](double n) { return -std::expm1(std::log1p(-confidence) / n) <= rate; };
  double n = std::max(1.0, std::floor(std::log1p(-confidence) / std::log1p(-rate)));
  while (!proves(n)) ++n;
  return static_cast<std::uint64_t>(n);
}

double mean_margin(std::uint64_t n, double confidence) {
  check_confidence(confidence);
  return n == 0 ? nan : std::sqrt(-std::log1p(-confidence) / (2 * static_cast<double>(n)));
}

}  // namespace hiple::gate
