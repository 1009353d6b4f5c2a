#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "law/decision.hpp"

namespace hiple::gate {

/// A count of cases among n. Never a ratio without its counts. Where gates.yaml names clusters, the bounds are those of whole
/// clusters: one miss makes its cluster a miss.
struct Share {
  std::uint64_t count = 0, n = 0;
  std::uint64_t cluster_count = 0, clusters = 0;  ///< 0 of 0 where cases are not clustered

  void add(bool counts) {
    ++n;
    if (counts) ++count;
  }
  [[nodiscard]] double ratio() const;  ///< of cases; NaN without any
  [[nodiscard]] double lower() const;  ///< one-sided exact bounds at 95 %; NaN without cases
  [[nodiscard]] double upper() const;
  [[nodiscard]] std::uint64_t bound_count() const { return clusters > 0 ? cluster_count : count; }
  [[nodiscard]] std::uint64_t bound_n() const { return clusters > 0 ? clusters : n; }  ///< what the bounds are taken of
};

/// A mean of n values from 0 to 1.
struct Mean {
  double sum = 0;
  std::uint64_t n = 0;

  [[nodiscard]] double value() const;  ///< NaN without cases
  [[nodiscard]] double lower() const;  ///< one-sided bounds at 95 % (Hoeffding), cut to [0, 1]
  [[nodiscard]] double upper() const;
};

/// Two ways of deciding on the same cases: where the one is right and the other wrong.
struct Paired {
  Share worse, better;  ///< of all cases: the reference alone is right; the reference alone is wrong

  /// Of the difference worse - better: two bounds of 97.5 % each, so that both hold with 95 %.
  [[nodiscard]] double value() const;
  [[nodiscard]] double lower() const;
  [[nodiscard]] double upper() const;
};

/// An interval of 90 % by resampling whole cases: its ends are one-sided bounds at 95 %. NaN where nothing or everything counts,
/// since resampling shows no variation there.
struct Resampled {
  double lower = std::numeric_limits<double>::quiet_NaN(), upper = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t resamples = 0;
};

inline constexpr std::size_t reason_count = 8;  ///< of law::Reason

/// How many answers were decided, abstained from, escalated.
struct Outcomes {
  std::uint64_t decided = 0, abstained = 0, escalated = 0;
  std::array<std::uint64_t, reason_count> abstained_for{}, escalated_for{};  ///< by law::Reason

  void add(const law::Decision& decision);
  void add(const Outcomes& other);
  [[nodiscard]] std::uint64_t total() const { return decided + abstained + escalated; }
};

}  // namespace hiple::gate
