#pragma once

#include <vector>

#include "engine/adam.hpp"
#include "engine/network.hpp"
#include "scaling/measure/planted_batches.hpp"
#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// Compute on the engines' own layers, kernels and optimizer, over planted data. One thread.
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
  [[nodiscard]] Held held() const override { return held_; }

 private:
  Philox generator_;
  Share share_;
  Range updated_;
  Held held_;
  PlantedBatches table_;
  engine::Network network_;
  engine::TrainingPass pass_;
  engine::Adam adam_;
  std::vector<Range> layers_;
  std::vector<std::uint32_t> rows_;  // of the batch at hand
  bool is_at_start_ = false;         // no step was taken since start()
};

}  // namespace hiple::scaling
