#include "gate/sequence.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

#include "gate/number_checks.hpp"

namespace hiple::gate {

namespace {

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

}  // namespace

/// The integral of t^count (1-t)^(n-count) from 0 to the rate is a regularised incomplete beta function times a beta function.
double log_evidence_below(std::uint64_t count, std::uint64_t n, double rate) {
  check_counts(count, n);
  check_rate(rate);
  if (n == 0) return 0;
  const auto a = static_cast<double>(count) + 1, b = static_cast<double>(n - count) + 1;
  const double share = boost::math::ibeta(a, b, rate);
  if (share <= 0) return -std::numeric_limits<double>::infinity();
  return std::log(share) + log_beta(a, b) - a * std::log(rate) - (b - 1) * std::log1p(-rate);
}

double log_evidence_above(std::uint64_t count, std::uint64_t n, double rate) {
  check_counts(count, n);
  return log_evidence_below(n - count, n, 1 - rate);
}

double upper_at_every_look(std::uint64_t count, std::uint64_t n, double confidence) {
  check_confidence(confidence);
  check_counts(count, n);
  if (count == n) return 1;  // also of no case
  const double limit = -std::log1p(-confidence);
  // Below the share that was seen there is no evidence of that kind; above it grows with the rate.
  double low = static_cast<double>(count) / static_cast<double>(n), high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle >= 1 || (middle > 0 && log_evidence_below(count, n, middle) >= limit))
      high = middle;
    else
      low = middle;
  }
  return high;
}

double lower_at_every_look(std::uint64_t count, std::uint64_t n, double confidence) {
  check_counts(count, n);
  return 1 - upper_at_every_look(n - count, n, confidence);
}

double probability_at_any_look(double log_evidence) { return std::min(1.0, std::exp(-log_evidence)); }

}  // namespace hiple::gate
