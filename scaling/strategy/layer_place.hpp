#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hiple::scaling {

/// Where one linear layer lies in a flat buffer: weight [outputs, inputs], then bias [outputs], each at a multiple of 64 bytes,
/// as the engines lay out their networks.
struct LayerPlace {
  std::string name;
  std::size_t begin = 0, size = 0;  ///< with the zeros that fill it up
  std::size_t weight = 0, bias = 0;
  std::int64_t inputs = 0, outputs = 0;

  [[nodiscard]] std::size_t end() const { return begin + size; }
  /// First number of row `row` of the weight; of one past the last row, the number behind the weight.
  [[nodiscard]] std::size_t row(std::int64_t row) const { return weight + static_cast<std::size_t>(row * inputs); }
  /// Numbers that are trained.
  [[nodiscard]] std::uint64_t parameters() const { return static_cast<std::uint64_t>((inputs + 1) * outputs); }
};

/// The layers of a chain by its widths, from the first one's inputs to the last one's outputs: one after the other, without gaps.
/// Names are PREFIXlayerI.
std::vector<LayerPlace> lay_out(const std::vector<std::int64_t>& widths, const std::string& prefix = {});

/// Numbers in a flat buffer of these layers.
std::size_t numbers_of(const std::vector<LayerPlace>& layers);

}  // namespace hiple::scaling
