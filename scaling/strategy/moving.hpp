#pragma once

#include <cstdint>
#include <span>

#include "scaling/strategy/parts.hpp"

namespace hiple::scaling {

/// A matrix, one case a row, `stride` numbers from row to row.
struct Rows {
  float* values = nullptr;
  std::int64_t stride = 0;
};

/// What strategies do with numbers beside the arithmetic of layers. A simulation has functions of its own in their place, which
/// take the time and move nothing.

/// Copies between rows and numbers without gaps, as messages have them.
void pack(Rows rows, std::int64_t count, std::int64_t width, float* target);
void unpack(const float* source, std::int64_t count, std::int64_t width, Rows rows);
/// All zero.
void clear(std::span<float> values);
/// Adds parts of the same length as `own`, one after the other.
void add_parts(std::span<float> own, std::span<const float> received, const Parts& parts);

}  // namespace hiple::scaling
