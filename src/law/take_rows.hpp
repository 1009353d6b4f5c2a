#pragma once

#include <span>

#include "law/decision.hpp"

namespace hiple::law {

/// The decisions of these rows alone, which ascend, with the names of all. Their root is empty: it is that of all rows or none.
Decisions take_rows(const Decisions& decisions, std::span<const std::uint32_t> rows);

}  // namespace hiple::law
