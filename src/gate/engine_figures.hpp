#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "judgment/judgment.hpp"

namespace hiple::gate {

/// What one engine that predicts classes is worth on rows of its own that it was not trained on. NaN where there is nothing.
struct EngineFigures {
  std::string engine, domain;
  std::vector<std::string> classes;
  std::uint64_t rows = 0, unknown = 0;  ///< rows with a known target; without
  std::uint64_t judged = 0, right = 0;
  /// Of each true class how often each class was said, and last how often none. [classes, classes + 1]
  std::vector<std::uint64_t> confusion;
  double ece =
      0;  ///< expected calibration error over bins of equal width (Guo et al., "On calibration of modern neural networks", 2017)
  double brier =
      0;  ///< mean squared distance of the probabilities from the truth, summed over classes (Brier 1950); NaN without them

  /// What was said with a confidence in [i/15, (i+1)/15), 1 in the last.
  struct Bin {
    std::uint64_t count = 0, right = 0;
    double confidence = 0;  ///< sum
  };
  static constexpr std::size_t bin_count = 15;
  std::array<Bin, bin_count> bins;
};

/// `case_id`, ascending, and `target`, an index into Judgments::classes or no_label where it is not known, of each row. An engine
/// that predicts a number has no such figures: throws Error.
EngineFigures measure_engine(const Judgments& judgments, std::span<const std::uint64_t> case_id,
                             std::span<const std::uint16_t> target);

}  // namespace hiple::gate
