#include "scaling/strategy/blocks.hpp"

#include <algorithm>

#include "scaling/strategy/buckets.hpp"

namespace hiple::scaling {

namespace {

std::vector<Block> join_small_layers(const std::vector<LayerPlace>& layers) {
  constexpr std::size_t most = first_bucket_bytes / sizeof(float);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!blocks.empty() && blocks.back().range.size + layers[i].size <= most) {
      blocks.back().end = i + 1;
      blocks.back().range.size += layers[i].size;
    } else {
      blocks.push_back({.first = i, .end = i + 1, .range = {layers[i].begin, layers[i].size}});
    }
  }
  return blocks;
}

/// Cuts a block's layers into buckets of up to `most` numbers, from its end to its begin.
void add_buckets(const std::vector<LayerPlace>& layers, const Block& block, std::size_t most, std::vector<Bucket>& buckets) {
  Bucket bucket{.range = {block.range.begin + block.range.size, 0}, .pieces = {}};
  const auto close = [&] {
    buckets.push_back(bucket);
    bucket = {.range = {buckets.back().range.begin, 0}, .pieces = {}};
  };
  for (std::size_t i = block.end; i-- > block.first;) {
    const LayerPlace& layer = layers[i];
    for (std::int64_t end = layer.outputs; end > 0;) {
      const std::size_t place = end == layer.outputs ? layer.end() : layer.row(end);
      const std::size_t tail = place - layer.row(end), room = most - std::min(most, bucket.range.size);  // tail: the bias
      const auto fit = room > tail ? static_cast<std::int64_t>((room - tail) / static_cast<std::size_t>(layer.inputs)) : 0;
      if (fit == 0 && bucket.range.size > 0) {
        close();
        continue;
      }
      const std::int64_t first = std::max<std::int64_t>(0, end - std::max<std::int64_t>(1, fit));
      bucket.pieces.push_back({i, first, end - first});
      bucket.range.begin = layer.row(first);
      bucket.range.size += place - bucket.range.begin;
      end = first;
    }
  }
  close();
}

}  // namespace

Division divide_layers(const std::vector<LayerPlace>& layers, std::size_t bucket_bytes) {
  Division division{.blocks = join_small_layers(layers), .buckets = {}};
  for (std::size_t i = division.blocks.size(); i-- > 0;) {
    Block& block = division.blocks[i];
    block.first_bucket = division.buckets.size();
    add_buckets(layers, block, bucket_bytes / sizeof(float), division.buckets);
    block.end_bucket = division.buckets.size();
  }
  return division;
}

}  // namespace hiple::scaling
