#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hiple::scaling {

/// Layers of one stage of a pipeline.
struct Stage {
  std::size_t first = 0, end = 0;
};

/// Cuts a network into stages of one layer or more, so that the one with most multiplications has as few as can be. There are as
/// many layers as stages at least.
std::vector<Stage> cut_into_stages(const std::vector<std::int64_t>& widths, std::size_t stages);

}  // namespace hiple::scaling
