#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "engine/features.hpp"
#include "engine/network.hpp"
#include "engine/target.hpp"

namespace hiple::engine {

/// Rows of one part as a network sees them.
struct Samples {
  Inputs inputs;
  std::vector<std::int32_t> labels;  ///< of classes; all 0 in a regression
  std::vector<float> numbers;        ///< of a regression: what the output should be
  std::vector<float> weights;        ///< in the loss

  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  [[nodiscard]] Examples examples() const { return {inputs.dense, inputs.codes}; }
};

/// What an engine trains on.
struct TrainingData {
  Features features;
  Target target;
  Samples training, early_stop, calibration;
};

/// Fits features, target scale and class weights to the training rows and reads the three parts. Rows with an invalid feature,
/// a category that no training row has, or an unknown target are left out with a warning that counts them. Throws Error with the
/// counts: a part without rows, training rows of one class only, target numbers that are all equal.
TrainingData make_training_data(const Table& table, const EngineConfig& config, const Parts& parts);

/// Loss of a batch: softmax cross-entropy, or squared error. Holds the labels of a batch; allocates nothing after it is made.
class BatchLoss {
 public:
  BatchLoss(const Samples& samples, std::size_t outputs, bool regression, std::size_t largest_batch);

  struct Sum {
    double loss = 0;    ///< mean over the batch, by weight
    double weight = 0;  ///< of the batch
  };
  /// Of network outputs [rows, outputs] for these rows of the samples; writes the gradient by the outputs.
  Sum operator()(std::span<const std::uint32_t> rows, std::span<const float> outputs, std::span<float> gradient);

 private:
  const Samples* samples_;
  std::size_t outputs_;
  bool regression_;
  std::vector<std::int32_t> labels_;
  std::vector<float> numbers_, weights_;
};

}  // namespace hiple::engine
