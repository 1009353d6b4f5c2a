#pragma once

#include "law/columnar_run.hpp"
#include "law/model.hpp"

namespace hiple::law::columnar {

/// Who is consulted about the cases of a tile: home engines, then whom links and rings add, round after round. All cases take
/// their rounds together, as bits of planes; one that is at its end stays there, whatever the others do.
class Activation {
 public:
  /// Keeps references: all must outlive it.
  Activation(const Law::Model& law, const Program& program, ProgramRun& run);

  /// Calls the home engines of the cases that `run` has read; every engine, where the law has no route.
  void start(std::size_t count);
  /// Rounds until nothing is added to any case, or `most` of them, which are counted in `rounds` [cases]. `looks_on`: also finds
  /// to which cases more would be added then.
  void follow(std::size_t most, bool looks_on, std::uint8_t* rounds);
  /// What `consulted` [cases, words], zero before, says of it.
  void write(std::uint64_t* consulted) const;

  [[nodiscard]] const Words& broadened() const { return broadened_; }  ///< cases for which a ring was called
  [[nodiscard]] const Words& capped() const { return capped_; }        ///< cases to which more would be added

 private:
  void call_home();
  Words find_additions();
  void follow_links();
  void find_rings();
  void add_ring(Ring ring, const Words& waits, Words& pending);

  const Law::Model& law_;
  const Program& program_;
  ProgramRun& run_;
  std::size_t count_ = 0;
  std::vector<Words> added_;  ///< of each engine, in this round
  Words broadened_{}, capped_{};
};

}  // namespace hiple::law::columnar
