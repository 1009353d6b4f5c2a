#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <unordered_map>

namespace hiple::mpi {

/// What stands behind a handle of MPI (a request, window, file or message): the communicator that it was made on, and for a
/// persistent request the bytes that each start of it moves.
struct Origin {
  std::size_t communicator = 0;  ///< the ledger's number; 0 is none
  std::uint64_t sent = 0, received = 0;
};

/// Handles of this process. MPI uses a handle again when what it stood for is gone, so that a later entry replaces an earlier
/// one, and there are never more of them than were in use at once.
class Handles {
 public:
  static Handles& of_this_process();

  /// The ledger's number of a communicator; it is asked for its name and size once. 0 for MPI_COMM_NULL. The one that a thread
  /// asked for last is found without a lock.
  std::size_t communicator(MPI_Comm comm);
  /// A communicator that is about to be freed, or has a new name.
  void forget(MPI_Comm comm);

  template <class Handle>
  void keep(Handle handle, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    origins_.insert_or_assign(number(handle), origin);
  }
  /// Nothing known: no communicator, no bytes.
  template <class Handle>
  [[nodiscard]] Origin origin(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = origins_.find(number(handle));
    return found == origins_.end() ? Origin{} : found->second;
  }
  /// Of several requests: the communicator that they have in common, and the bytes of all.
  [[nodiscard]] Origin common_origin(int count, const MPI_Request* requests) const;

 private:
  Handles() = default;
  /// Handles are pointers in Open MPI and integers, of which each type has its own, in MPICH.
  template <class Handle>
  static std::uint64_t number(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
      return reinterpret_cast<std::uintptr_t>(handle);
    } else {
      return static_cast<std::uint64_t>(handle);
    }
  }

  std::size_t look_up(MPI_Comm comm);

  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> generation_ = 1;  ///< changes when a communicator is forgotten
  std::unordered_map<std::uint64_t, std::size_t> communicators_;
  std::unordered_map<std::uint64_t, Origin> origins_;
  int unnamed_ = 0;
};

}  // namespace hiple::mpi
