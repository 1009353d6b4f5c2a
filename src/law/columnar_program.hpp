#pragma once

#include <span>
#include <vector>

#include "law/columnar_compiler.hpp"
#include "law/columnar_kernels.hpp"

namespace hiple::law::columnar {

/// The gates that matter in the order in which they run, with a place for each plane. Places are used again once a plane is no
/// longer needed, so that a tile's planes stay in the cache.
struct Program {
  explicit Program(Compiled made);

  /// Places: nowhere, everywhere, then leaves, then engines, then the rest.
  [[nodiscard]] std::uint32_t place_of_leaf(std::size_t leaf) const { return static_cast<std::uint32_t>(2 + leaf); }
  [[nodiscard]] std::uint32_t place_of_engine(std::size_t engine) const {
    return static_cast<std::uint32_t>(2 + compiled.circuit.leaves().size() + engine);
  }

  Compiled compiled;
  std::vector<Instruction> route, rounds, answers;  ///< run once, in every round, and once at the end
  std::vector<bool> leaf_is_used;
  std::vector<std::uint32_t> place;  ///< of each gate that is read off at the end of a part
  std::size_t places = 0;

 private:
  struct Builder;
};

}  // namespace hiple::law::columnar
