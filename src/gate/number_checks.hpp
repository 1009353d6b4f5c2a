#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"

/// What bounds refuse to be asked about. Each throws Error.
namespace hiple::gate {

inline void check_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw Error("a confidence of " + std::to_string(confidence) + " is not between 0 and 1");
}

inline void check_counts(std::uint64_t count, std::uint64_t n) {
  if (count > n) throw Error(std::to_string(count) + " of " + std::to_string(n) + " is no share");
}

/// A rate that neither never nor always comes true.
inline void check_rate(double rate) {
  if (!(rate > 0 && rate < 1)) throw Error("a rate of " + std::to_string(rate) + " is not between 0 and 1");
}

}  // namespace hiple::gate
