#pragma once

#include <string>

#include "judgment/judgment.hpp"

namespace hiple {

inline constexpr const char* judgments_format = "hiple judgments";
inline constexpr std::uint32_t judgments_version = 2;

/// What is wrong with judgments, for the writer and the reader alike: the first fault, or nothing.
std::string fault_of(const Judgments& judgments);

}  // namespace hiple
