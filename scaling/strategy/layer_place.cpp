#include "scaling/strategy/layer_place.hpp"

namespace hiple::scaling {

namespace {

std::size_t whole_lines(std::size_t numbers) {
  constexpr std::size_t line = 16;  // numbers in 64 bytes
  return (numbers + line - 1) / line * line;
}

}  // namespace

std::vector<LayerPlace> lay_out(const std::vector<std::int64_t>& widths, const std::string& prefix) {
  std::vector<LayerPlace> layers;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const auto inputs = static_cast<std::size_t>(widths[i]), outputs = static_cast<std::size_t>(widths[i + 1]);
    const std::size_t weight = whole_lines(inputs * outputs), size = weight + whole_lines(outputs);
    layers.push_back({.name = prefix + "layer" + std::to_string(i),
                      .begin = begin,
                      .size = size,
                      .weight = begin,
                      .bias = begin + weight,
                      .inputs = widths[i],
                      .outputs = widths[i + 1]});
    begin += size;
  }
  return layers;
}

std::size_t numbers_of(const std::vector<LayerPlace>& layers) { return layers.empty() ? 0 : layers.back().end(); }

}  // namespace hiple::scaling
