#pragma once

#include <array>

#include "law/columnar_activation.hpp"
#include "law/decision.hpp"

namespace hiple::law::columnar {

/// Reads decisions off the planes of a program that has run: of each case a byte for what was decided and the number of the first
/// record that is cited, each of which stands for some of the decision's bits. One for each thread.
class Readout {
 public:
  /// Keeps references: both must outlive it.
  Readout(const Law::Model& law, const Program& program);

  /// Of the first `count` cases, to [cases, questions].
  void write(const ProgramRun& run, const Activation& activation, std::size_t count, Decision* to);

 private:
  void write_question(std::size_t question, std::size_t count, Decision* to);

  const Law::Model& law_;
  const Program& program_;
  std::array<std::uint64_t, 256> codes_;             ///< what a code stands for
  std::vector<std::vector<std::uint64_t>> records_;  ///< of each question: the parts that each of its records stands for
  /// Of each case of a question: its code, and eight bits each of the number of its record.
  std::array<std::uint8_t, tile_cases> code_{}, low_{}, middle_{}, high_{};
};

}  // namespace hiple::law::columnar
