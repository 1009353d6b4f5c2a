#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hiple::scaling {

/// A linear layer and the rows that go through it.
struct PieceShape {
  std::int64_t inputs = 0, outputs = 0, rows = 0;
};

/// "2976x2976x128": inputs, outputs, rows. Throws InputError.
PieceShape parse_piece(const std::string& text);

/// Seconds that the pieces of a training step take on one core, for a simulation to take in their place: of each layer the
/// product, the activation and the ways back; of Adam a number, at sizes up to `largest`; of copying a number and of the loss.
/// Medians of `repetitions`, whose values stand beside them. Of this thread's processor time, so that a machine that others use
/// measures the same, as far as they leave its caches alone.
nlohmann::ordered_json measure_pieces(const std::vector<PieceShape>& shapes, std::int64_t largest, int repetitions);

}  // namespace hiple::scaling
