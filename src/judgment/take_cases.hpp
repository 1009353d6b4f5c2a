#pragma once

#include <cstdint>
#include <span>

#include "judgment/judgment.hpp"

namespace hiple {

/// The judgments of these cases alone, whose ids ascend; a case that they do not hold is left out. `guess`: where in the file
/// each of them probably stands, for the time it takes, not for what is found; may be empty.
Judgments take_cases(const Judgments& judgments, std::span<const std::uint64_t> case_ids,
                     std::span<const std::uint32_t> guess = {});

}  // namespace hiple
