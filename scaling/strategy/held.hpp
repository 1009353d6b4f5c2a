#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels_buffer.hpp"

namespace hiple::scaling {

/// Bytes that a rank allocated, by what they are for.
struct Held {
  std::uint64_t parameters = 0, gradients = 0, optimizer = 0;  ///< of these the published formulas speak
  std::uint64_t activations = 0;                               ///< with the gradients by them, and the kernels' scratch memory
  std::uint64_t exchange = 0;                                  ///< what is sent from and received into, parts under way included
  std::uint64_t data = 0;                                      ///< the table of examples

  [[nodiscard]] std::uint64_t total() const { return parameters + gradients + optimizer + activations + exchange + data; }
  Held& operator+=(const Held& other) {
    parameters += other.parameters;
    gradients += other.gradients;
    optimizer += other.optimizer;
    activations += other.activations;
    exchange += other.exchange;
    data += other.data;
    return *this;
  }
};

using Numbers = engine::Buffer<float>;

/// Zeros, and their bytes added to `account`: so that no buffer is made that is not counted.
inline Numbers allocate(std::uint64_t& account, std::size_t numbers) {
  account += numbers * sizeof(float);
  return Numbers(numbers);
}

}  // namespace hiple::scaling
