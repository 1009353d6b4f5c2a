#pragma once

#include <cstdint>
#include <span>

namespace hiple::gate {

/// Some cases in a row, and in how many of them something happened.
struct Watched {
  std::uint64_t count = 0, n = 0;
};

/// What a share that is watched shows of its having risen.
struct Drift {
  double log_evidence = 0;  ///< the largest that there was after any window; 0 where there was never any
  std::size_t seen = 0;     ///< after which window that was
  std::size_t since = 0;    ///< from which window on it rose, as far as that can be said
};

/// The evidence that a share is above `rate`, or came to be at some time, from windows in their order. It begins anew with every
/// window, so that a change after a long good time is not thinned out by it: the mean of the evidence from window j on, with the
/// weights 1 / ((j + 1) (j + 2)), which sum to 1 however many windows may yet come. Each is the mean of likelihood ratios of
/// sequence.hpp, and 1 before it begins; so their mean, too, exceeds 1/a at any time with probability a at most while the share
/// is `rate` or less (Ville; Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change detection",
/// New England Journal of Statistics in Data Science 2024, for such beginnings). Throws Error: a count over n, a rate outside
/// (0, 1).
Drift rise_above(std::span<const Watched> windows, double rate);

}  // namespace hiple::gate
