#pragma once

#include <cstdint>

/// Bounds of a rate that hold at every look at once, however often and whenever somebody looks: what is watched while cases come
/// in has no other honest bound.
///
/// The evidence that a rate is below q after `count` of `n` is the mean, over all rates t from 0 to q, of the likelihood ratio
/// (t/q)^count ((1-t)/(1-q))^(n-count). While the true rate is q or more, it is a supermartingale that begins at 1, whatever the
/// earlier cases were, and so exceeds 1/a at any time with probability a at most (Ville 1939; Robbins, "Statistical methods
/// related to the law of the iterated logarithm", Annals of Mathematical Statistics 1970; Howard, Ramdas, McAuliffe and Sekhon,
/// "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 2021).
namespace hiple::gate {

/// The logarithm of the evidence that the rate is below `rate`, or above it. 0 where n is 0. Throws Error: count over n, a rate
/// outside (0, 1).
double log_evidence_below(std::uint64_t count, std::uint64_t n, double rate);
double log_evidence_above(std::uint64_t count, std::uint64_t n, double rate);

/// One-sided bounds that hold at every look, each with the given confidence: the rate never leaves them. 0 and 1 where n is 0.
double lower_at_every_look(std::uint64_t count, std::uint64_t n, double confidence = 0.95);
double upper_at_every_look(std::uint64_t count, std::uint64_t n, double confidence = 0.95);

/// The probability, at most, that so much evidence is ever seen against what is true: fit for refuted() at any look.
double probability_at_any_look(double log_evidence);

}  // namespace hiple::gate
