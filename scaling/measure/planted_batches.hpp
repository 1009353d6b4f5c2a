#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scaling/strategy/compute.hpp"

namespace hiple::scaling {

/// A share's rows of an objective's planted data: a table of at most 16 MiB an objective that is made here and gone through again
/// and again. Batch s of the training is batch s modulo the table's batches, however many ranks share it.
class PlantedBatches {
 public:
  PlantedBatches(std::int64_t inputs, std::int64_t classes, std::uint64_t seed, const Share& share);

  /// Row of the table with the share's first row of the batch of `step`.
  [[nodiscard]] std::size_t first_row(std::uint64_t step) const { return step % batches_ * rows_; }
  [[nodiscard]] const std::vector<float>& dense() const { return dense_; }           ///< [batches, rows, inputs]
  [[nodiscard]] const std::vector<std::int32_t>& labels() const { return labels_; }  ///< [batches, rows]
  [[nodiscard]] std::uint64_t bytes() const { return dense_.size() * sizeof(float) + labels_.size() * sizeof(std::int32_t); }

 private:
  std::uint64_t batches_, rows_;
  std::vector<float> dense_;
  std::vector<std::int32_t> labels_;
};

/// Batches of a table for this objective: as many as the training has, 16 MiB of inputs at most, and one at least.
std::uint64_t table_batches(std::uint64_t steps, std::uint64_t batch, std::uint64_t inputs);

}  // namespace hiple::scaling
