#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace hiple::simulation {

/// Seconds that pieces of a training step take, as `hiple-scaling pieces` measured them on a real core.
struct Pieces {
  /// Of one linear layer for so many rows.
  struct Layer {
    double multiply = 0, activate = 0, through_activation = 0;
    double weight_row = 0;  ///< the gradient by one row of the weight
    double input = 0;       ///< the gradient by the inputs
  };
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Layer> layers;  ///< by inputs, outputs, rows
  std::map<std::int64_t, double> adam;                                           ///< a number, by how many there are
  double copy = 0;                                                               ///< a number, read and written
  double loss = 0;                                                               ///< a number of the outputs

  /// Throws Error where it was not measured.
  [[nodiscard]] const Layer& layer(std::int64_t inputs, std::int64_t outputs, std::int64_t rows) const;
  /// A step of Adam on so many numbers, by the nearest size that was measured.
  [[nodiscard]] double adam_step(std::int64_t numbers) const;
};

/// Reads the file's "pieces". Throws Error with the path where it is none.
Pieces read_pieces(const std::string& path);

}  // namespace hiple::simulation
