#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "scaling/strategy/communicator.hpp"
#include "scaling/strategy/held.hpp"
#include "scaling/strategy/parts.hpp"

namespace hiple::scaling {

/// Communication that is under way. Open MPI has no thread of its own that moves it on: it does so inside MPI calls only, so
/// whoever computes meanwhile calls progress() now and then. All ranks start the same collectives in the same order; what is
/// sent is not written, what is received not touched, before wait().
class Pending {
 public:
  /// `communicator` outlives this. Allocates all that `capacity` operations at a time need.
  Pending(Communicator& communicator, std::size_t capacity);
  /// Where an error left operations behind, MPI keeps their buffers: they are not waited for.
  ~Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&&) = delete;

  /// The sum over all ranks, in place.
  void sum(std::span<float> values);
  /// Every rank's part on all ranks. `own` may be this rank's part of `all` itself. `parts` stay where they are until wait().
  void gather(std::span<const float> own, std::span<float> all, const Parts& parts);
  /// To every rank its counts of `values`; `received` is divided by another rank's. Both stay where they are until wait().
  void exchange(std::span<const float> values, const Parts& parts, std::span<float> received, const Parts& received_parts);
  void send(std::span<const float> values, int to, int tag);
  void receive(std::span<float> values, int from, int tag);

  /// Looks at what is under way (MPI_Testall), a few times while it is; nothing where there is none.
  void progress();
  /// Blocks until all is done.
  void wait();
  [[nodiscard]] bool empty() const { return count_ == 0; }

 private:
  friend class ScatteredSum;  // a simulation starts a reduce-scatter of its own
  MPI_Request* next();

  Communicator* communicator_;
  std::vector<MPI_Request> requests_;
  std::size_t count_ = 0;
};

/// The sum over all ranks of a range of which every rank wants its part alone (reduce-scatter): each sends every other rank that
/// rank's part, (N-1)/N of the range, and adds what it receives to its own, in the order of the ranks. Open MPI 4.1 has a
/// reduce-scatter that runs beside the computing, but by a tree to the first rank, which sends on the whole range.
class ScatteredSum {
 public:
  /// For one range of up to `largest` numbers at a time.
  ScatteredSum(Communicator& communicator, std::size_t largest);

  void start(std::span<const float> values, const Parts& parts);
  void progress() { pending_.progress(); }
  /// Waits, and adds the other ranks' parts to `own`, which holds this rank's.
  void finish(std::span<float> own);
  [[nodiscard]] std::size_t bytes() const { return received_.size() * sizeof(float); }

 private:
  Communicator* communicator_;
  Pending pending_;
  Numbers received_;
  Parts sent_, from_;  // of the range under way, nothing to itself
};

}  // namespace hiple::scaling
