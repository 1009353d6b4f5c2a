#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/philox.hpp"

namespace hiple::scaling {

/// Synthetic examples with a structure that can be learned: inputs uniform with mean 0 and variance 1, the label that of the
/// largest output of a random linear teacher. Each example is a pure function of (seed, name, index), so that any division of the
/// same indices among ranks trains on the same data.
class PlantedData {
 public:
  PlantedData(std::uint64_t seed, std::string_view name, std::size_t inputs, std::size_t classes);

  /// Writes the inputs of example `index` and returns its label. Shape: inputs [inputs].
  std::int32_t example(std::uint64_t index, std::span<float> inputs) const;

 private:
  Philox generator_;
  std::size_t classes_;
  std::vector<float> teacher_;  // [classes, inputs]
};

}  // namespace hiple::scaling
