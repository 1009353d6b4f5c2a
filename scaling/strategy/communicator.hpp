#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hiple::scaling {

/// A duplicate of a communicator, freed with the object, on which errors are returned and thrown. What it knows of MPI is
/// in every implementation, so that a strategy can be compiled against a simulator's mpi.h too.
///
/// The time that a rank spends in its calls is added up: in a training step that is all the time that is not computing.
class Communicator {
 public:
  /// A duplicate of MPI_COMM_WORLD. MPI is initialised.
  Communicator();
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  void barrier();
  /// Rank 0's values on all ranks.
  void broadcast(std::span<float> values);
  /// The sum over all ranks, in place on every rank.
  void sum(std::span<float> values);
  /// Every rank's bytes on rank 0, in the order of the ranks; nothing on the others. Throws Error above 2 GiB a rank.
  std::vector<std::string> gather(const std::string& bytes);

  /// Seconds inside barrier(), broadcast(), sum() and PendingSums since the last call of this.
  double take_seconds();

 private:
  friend class PendingSums;
  class Timer;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  double seconds_ = 0;
};

/// Sums over all ranks that are under way. Open MPI has no thread of its own that moves them on: it does so inside MPI calls
/// only, so whoever computes meanwhile calls progress() now and then.
class PendingSums {
 public:
  /// `communicator` outlives this. Allocates all that `capacity` sums at a time need.
  PendingSums(Communicator& communicator, std::size_t capacity);
  /// Where an error left sums behind, MPI keeps their buffers: they are not waited for.
  ~PendingSums() = default;
  PendingSums(const PendingSums&) = delete;
  PendingSums& operator=(const PendingSums&) = delete;

  /// Starts a sum in place. All ranks start the same sums in the same order; nobody touches the values before wait().
  void start(std::span<float> values);
  /// Looks at the sums under way (MPI_Testall), a few times while they are; nothing where there are none.
  void progress();
  /// Blocks until all are done.
  void wait();

 private:
  Communicator& communicator_;
  std::vector<MPI_Request> requests_;
  std::size_t count_ = 0;
};

}  // namespace hiple::scaling
