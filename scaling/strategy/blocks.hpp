#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scaling/strategy/compute.hpp"
#include "scaling/strategy/layer_place.hpp"

namespace hiple::scaling {

/// Rows of a layer's weight; the piece with the last row has the bias too.
struct Piece {
  std::size_t layer = 0;
  std::int64_t first = 0, rows = 0;
};

/// What is summed by one message: pieces that lie one after the other, in the order in which backward completes them, last first.
struct Bucket {
  Range range;  ///< of the flat buffers
  std::vector<Piece> pieces;
};

/// Layers whose parameters are fetched together.
struct Block {
  std::size_t first = 0, end = 0;  ///< layers
  Range range;
  std::size_t first_bucket = 0, end_bucket = 0;
};

/// Layers in blocks, first layer first, and all of them in buckets, last one first. A block is one layer, or several of 1 MiB
/// together, so that small layers do not cost a message each; a bucket is part of one block, and has up to `bucket_bytes`, or one
/// row. A block's buckets follow one another: first_bucket is its last piece of the flat buffer.
struct Division {
  std::vector<Block> blocks;
  std::vector<Bucket> buckets;
};
Division divide_layers(const std::vector<LayerPlace>& layers, std::size_t bucket_bytes);

}  // namespace hiple::scaling
