#pragma once

#include <hwy/aligned_allocator.h>

#include <array>
#include <vector>

#include "law/columnar_program.hpp"
#include "law/columnar_tile.hpp"

namespace hiple::law::columnar {

/// A plane that is worked on outside the circuit.
using Words = std::array<std::uint64_t, tile_words>;

/// A program that runs over a tile of cases after the other. One for each thread.
class ProgramRun {
 public:
  /// Keeps references: both must outlive it.
  ProgramRun(const Program& program, const Inputs& inputs);

  /// Cases [begin, begin + count), of which there are at most tile_cases, get their leaves.
  void read(std::size_t begin, std::size_t count) { reader_.read(begin, count, planes_.get()); }
  /// One of the program's parts.
  void run(const std::vector<Instruction>& part);

  /// What a gate gave that is read off at the end of a part.
  [[nodiscard]] const std::uint64_t* plane(Plane gate) const { return planes_.get() + tile_words * program_.place[gate]; }
  /// Where an engine is consulted: for the caller to fill.
  [[nodiscard]] std::uint64_t* active(std::size_t engine) { return at(program_.place_of_engine(engine)); }

 private:
  [[nodiscard]] std::uint64_t* at(std::uint32_t place) { return planes_.get() + tile_words * place; }

  const Program& program_;
  TileReader reader_;
  hwy::AlignedFreeUniquePtr<std::uint64_t[]> planes_;
};

}  // namespace hiple::law::columnar
