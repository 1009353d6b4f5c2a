#include "scaling/measure/planted_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace hiple::scaling {

PlantedData::PlantedData(std::uint64_t seed, std::string_view name, std::size_t inputs, std::size_t classes)
    : generator_(seed, std::string(name) + "/data"), classes_(classes), teacher_(inputs * classes) {
  PhiloxStream stream(Philox(seed, std::string(name) + "/teacher"), 0, 0, 0);
  for (float& weight : teacher_) weight = static_cast<float>(stream.next_normal());
}

std::int32_t PlantedData::example(std::uint64_t index, std::span<float> inputs) const {
  const float width = std::sqrt(12.0F);  // of a uniform distribution with variance 1
  for (std::size_t i = 0; i < inputs.size(); i += 4) {
    const Philox::Counter words = generator_.block(
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), static_cast<std::uint32_t>(i / 4), 0});
    for (std::size_t k = 0; k < std::min<std::size_t>(4, inputs.size() - i); ++k)
      inputs[i + k] = (static_cast<float>(words[k] >> 8) * 0x1p-24F - 0.5F) * width;
  }
  std::int32_t label = 0;
  float largest = 0;
  for (std::size_t c = 0; c < classes_; ++c) {
    float output = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) output += teacher_[c * inputs.size() + i] * inputs[i];
    if (c == 0 || output > largest) {
      largest = output;
      label = static_cast<std::int32_t>(c);
    }
  }
  return label;
}

}  // namespace hiple::scaling
