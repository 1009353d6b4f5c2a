#pragma once

#include <cstdint>
#include <string>

#include "engine/network.hpp"

namespace hiple::engine {

/// A benchmark case "32-64-64-8:64": widths from input to output, and the batch.
struct Case {
  std::string name;
  NetworkShape shape;
  std::int64_t batch = 0;

  /// Floating-point operations of the products of a step: forward, gradient by the weights, and by the inputs but the first's.
  [[nodiscard]] double operations() const;
};

/// Throws InputError: no such case.
Case parse_case(const std::string& text);

}  // namespace hiple::engine
