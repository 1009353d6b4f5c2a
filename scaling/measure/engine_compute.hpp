#pragma once

#include <vector>

#include "engine/adam.hpp"
#include "engine/network.hpp"
#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// Compute on the engines' own layers, kernels and optimizer, over planted data. One thread.
///
/// The data are a table of at most 16 MiB an objective that is made here and gone through again and again: batch s of the
/// training is batch s modulo the table's batches, however many ranks share it.
class EngineCompute : public Compute {
 public:
  EngineCompute(const engine::NetworkShape& shape, std::uint64_t seed, const Share& share);

  [[nodiscard]] std::span<const Range> layers() const override { return layers_; }
  std::span<float> parameters() override { return network_.parameters(); }
  std::span<float> gradients() override { return network_.gradients(); }
  void start() override;
  double forward(std::uint64_t step) override;
  void backward(const CompleteHook& complete_from) override;
  void update() override;

 private:
  Philox generator_;
  Share share_;
  Range updated_;
  engine::Network network_;
  engine::TrainingPass pass_;
  engine::Adam adam_;
  std::vector<Range> layers_;
  std::uint64_t batches_;
  std::vector<float> dense_;          // [batches, rows, inputs]
  std::vector<std::int32_t> labels_;  // [batches, rows]
  std::vector<std::uint32_t> rows_;   // of the batch at hand
  bool is_at_start_ = false;          // no step was taken since start()
};

/// Batches of a table for this objective: as many as the training has, 16 MiB of inputs at most, and one at least.
std::uint64_t table_batches(std::uint64_t steps, std::uint64_t batch, std::uint64_t inputs);

}  // namespace hiple::scaling
