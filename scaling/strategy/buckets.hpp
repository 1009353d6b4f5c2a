#pragma once

#include <cstddef>
#include <vector>

#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// Sizes of PyTorch's DistributedDataParallel (Li et al., "PyTorch Distributed", VLDB 2020): a small first bucket, so that
/// communication begins early.
inline constexpr std::size_t default_bucket_bytes = std::size_t{25} << 20;
inline constexpr std::size_t first_bucket_bytes = std::size_t{1} << 20;

/// Cuts a flat buffer of `numbers` floats into buckets of `bytes`, from its end to its begin: in the order in which backward
/// completes the gradients, last layer first. The first bucket has first_bucket_bytes, if that is less. Layers are cut through:
/// a bucket is complete when its first number is.
std::vector<Range> make_buckets(std::size_t numbers, std::size_t bytes);

}  // namespace hiple::scaling
