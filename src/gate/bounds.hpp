#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hiple::gate {

/// One-sided exact bounds of a rate from `count` of `n` (Clopper and Pearson, "The use of confidence or fiducial limits
/// illustrated in the case of the binomial", Biometrika 1934): the rate is over the lower bound, and under the upper bound, each
/// with the given confidence. NaN where n is 0. Throws Error where count is over n, or the confidence outside (0, 1).
double lower_bound(std::uint64_t count, std::uint64_t n, double confidence = 0.95);
double upper_bound(std::uint64_t count, std::uint64_t n, double confidence = 0.95);

/// The probability of at most `count` of `n` where the rate is `rate`: small where a rate of at least that is refuted. NaN where
/// n is 0.
double at_most_probability(std::uint64_t count, std::uint64_t n, double rate);

/// Which of several hypotheses are refuted while all of it is right with the given confidence (Holm, "A simple sequentially
/// rejective multiple test procedure", Scandinavian Journal of Statistics 1979). A probability that is NaN refutes nothing.
std::vector<bool> refuted(const std::vector<double>& probabilities, double confidence = 0.95);

/// The interval of a rate for pictures, never for a verdict (Wilson, "Probable inference, the law of succession, and statistical
/// inference", JASA 1927): its ends are one-sided bounds at about 95 %. NaN where n is 0.
std::pair<double, double> wilson(std::uint64_t count, std::uint64_t n);

/// The smallest n of which 0 would prove a rate of at most `rate`: 59 for 0.05, 299 for 0.01. `rate` in (0, 1).
std::uint64_t needed_cases(double rate, double confidence = 0.95);

/// Bounds of the mean of `n` independent values from 0 to 1 (Hoeffding, "Probability inequalities for sums of bounded random
/// variables", JASA 1963): no further than this from the mean found, on either side, each with the given confidence.
double mean_margin(std::uint64_t n, double confidence = 0.95);

}  // namespace hiple::gate
