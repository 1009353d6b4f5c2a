#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "scaling/strategy/parts.hpp"

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

  /// Every rank's part on all ranks, one after the other as `parts` says.
  void gather_all(std::span<const float> own, std::span<float> all, const Parts& parts);

  /// Seconds inside barrier(), broadcast(), sum(), gather_all(), Pending and ScatteredSum since the last call of this.
  double take_seconds();

 private:
  friend class Pending;
  friend class ScatteredSum;
  class Timer {
   public:
    explicit Timer(Communicator& communicator) : seconds_(communicator.seconds_) {}
    ~Timer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  double seconds_ = 0;
};

}  // namespace hiple::scaling
