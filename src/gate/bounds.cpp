#include "gate/bounds.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace hiple::gate {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void check_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw Error("a confidence of " + std::to_string(confidence) + " is not between 0 and 1");
}

void check_counts(std::uint64_t count, std::uint64_t n) {
  if (count > n) throw Error(std::to_string(count) + " of " + std::to_string(n) + " is no share");
}

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

std::uint64_t needed_cases(double rate, double confidence) {
  check_confidence(confidence);
  if (!(rate > 0 && rate < 1)) throw Error("a rate of " + std::to_string(rate) + " is not between 0 and 1");
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
