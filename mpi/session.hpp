#pragma once

#include <mpi.h>

#include "mpi/check.hpp"

namespace hiple::mpi {

/// MPI from MPI_Init to MPI_Finalize. Errors on the communicators are returned, not fatal.
class Session {
 public:
  /// Ends the process with a message where MPI_Init does not return within five minutes.
  Session();
  /// Finalizes. Where the others are lost it may hang: then the process ends itself with `exit_status` after a while, since
  /// all that it had to do is done.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  void set_exit_status(int status) { exit_status_ = status; }

 private:
  int rank_ = 0;
  int size_ = 1;
  int exit_status_ = 0;
};

}  // namespace hiple::mpi
