#pragma once

#include <vector>

#include "scaling/micro/samples.hpp"

namespace hiple::scaling {

/// Memory bandwidth of `threads`, at each of `sizes` (numbers of single precision in one array): the triad a = b + s c of
/// STREAM (McCalpin 1995), the plain loop that reads four arrays and writes three in place, which is Adam's traffic, and the
/// engine's own Adam. Bytes are counted as STREAM does: what the loop names, without the reads that a store may add.
std::vector<Series> memory_series(const std::vector<std::int64_t>& sizes, const Effort& effort, int threads = 1);

}  // namespace hiple::scaling
