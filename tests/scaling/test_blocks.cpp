#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/network_layout.hpp"
#include "scaling/strategy/blocks.hpp"
#include "scaling/strategy/parts.hpp"

namespace hiple::scaling {
namespace {

TEST(LayerPlace, LayersLieAsTheEnginesLayThemOut) {
  const engine::Layout layout({.inputs = 7, .embeddings = {}, .hidden = {33, 16}, .outputs = 3});
  const std::vector<LayerPlace> layers = lay_out({7, 33, 16, 3});
  ASSERT_EQ(layers.size(), layout.layers.size());
  std::uint64_t parameters = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    EXPECT_EQ(layers[i].name, layout.layers[i].name);
    EXPECT_EQ(layers[i].begin, layout.layers[i].begin);
    EXPECT_EQ(layers[i].size, layout.layers[i].size);
    EXPECT_EQ(layers[i].weight, layout.layers[i].weight);
    EXPECT_EQ(layers[i].bias, layout.layers[i].bias);
    EXPECT_EQ(layers[i].inputs, layout.layers[i].columns);
    EXPECT_EQ(layers[i].outputs, layout.layers[i].rows);
    parameters += layers[i].parameters();
  }
  EXPECT_EQ(parameters, layout.parameters);
  EXPECT_EQ(numbers_of(layers), layout.size);
}

/// Every row of every layer once, last ones first, and every bucket where its pieces are.
void check_all_is_there(const std::vector<LayerPlace>& layers, const Division& division) {
  std::size_t end = numbers_of(layers), layer = layers.size() - 1, bucket = 0;
  std::int64_t row = layers.back().outputs;
  for (std::size_t i = division.blocks.size(); i-- > 0;) {
    const Block& block = division.blocks[i];
    EXPECT_EQ(block.range.begin, layers[block.first].begin);
    EXPECT_EQ(block.range.begin + block.range.size, layers[block.end - 1].end());
    ASSERT_EQ(block.first_bucket, bucket);
    for (; bucket < block.end_bucket; ++bucket) {
      const Bucket& one = division.buckets[bucket];
      EXPECT_EQ(one.range.begin + one.range.size, end);
      end = one.range.begin;
      for (const Piece& piece : one.pieces) {
        if (row == 0) row = layers[--layer].outputs;
        EXPECT_EQ(piece.layer, layer);
        EXPECT_EQ(piece.first + piece.rows, row);
        row = piece.first;
      }
      EXPECT_EQ(one.range.begin, layers[layer].row(row));
    }
    EXPECT_EQ(end, block.range.begin);
  }
  EXPECT_EQ(bucket, division.buckets.size());
  EXPECT_EQ(end, 0U);
  EXPECT_EQ(row, 0);
  EXPECT_EQ(layer, 0U);
}

TEST(Blocks, EveryRowIsInOneBucketAtAnySize) {
  for (const std::size_t bytes : {1024U, 4096U, 65536U, 1U << 20U, 25U << 20U}) {
    for (const auto& widths : {std::vector<std::int64_t>{32, 96, 64, 8}, {5, 3}, {64, 1024, 640, 640, 8}, {512, 512, 512, 512}}) {
      const std::vector<LayerPlace> layers = lay_out(widths);
      check_all_is_there(layers, divide_layers(layers, bytes));
    }
  }
}

TEST(Blocks, SmallLayersShareABlockAndLargeOnesDoNot) {
  const Division small = divide_layers(lay_out({32, 96, 64, 8}), 25U << 20U);
  ASSERT_EQ(small.blocks.size(), 1U);
  EXPECT_EQ(small.buckets.size(), 1U);
  EXPECT_EQ(small.buckets[0].pieces.size(), 3U);
  const Division large = divide_layers(lay_out({64, 1024, 1024, 1024, 16}), 25U << 20U);
  EXPECT_EQ(large.blocks.size(), 4U);
}

TEST(Blocks, ABucketHasOneRowAtLeastAndItsBytesAtMost) {
  const std::vector<LayerPlace> layers = lay_out({1000, 700, 16});
  const std::size_t bytes = 100000;
  const Division division = divide_layers(layers, bytes);
  for (const Bucket& bucket : division.buckets) EXPECT_LE(bucket.range.size * sizeof(float), bytes);
  for (const Bucket& bucket : divide_layers(layers, 1024).buckets) EXPECT_EQ(bucket.pieces.size(), 1U);
}

TEST(Parts, DifferByOneAndFollowOneAnother) {
  for (const std::size_t numbers : {0U, 1U, 7U, 1024U}) {
    const Parts parts = divide(numbers, 3);
    std::size_t end = 0;
    for (int rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(parts.of(rank).begin, end);
      EXPECT_LE(parts.of(rank).size, numbers / 3 + 1);
      EXPECT_GE(parts.of(rank).size, numbers / 3);
      end += parts.of(rank).size;
    }
    EXPECT_EQ(end, numbers);
  }
  EXPECT_EQ(parts_of({3, 0, 2}).places, (std::vector<int>{0, 3, 3}));
  EXPECT_THROW(message_count(std::size_t{1} << 31U), Error);
}

}  // namespace
}  // namespace hiple::scaling
