#pragma once

#include <nccl.h>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace hiple::scaling {

/// Throws Error with the call and NCCL's own words.
void check_nccl(ncclResult_t problem, const char* what);

/// What the ranks of a communicator have in common: one makes it, and the others are told by somebody else (MPI_Bcast).
ncclUniqueId make_nccl_id();

/// NCCL's communicator, for the baselines of the scaling study that share an objective, and for nothing else: no engine links
/// NCCL. Each rank has a device of its own (two ranks on one are refused by NCCL). All arrays are in its memory; a call returns
/// when it is queued on the stream, and wait() when that is done. `from` and `to` may be the same where NCCL's in-place rules say
/// so.
class NcclCommunicator {
 public:
  /// Collective. The calling thread's current device is the rank's.
  NcclCommunicator(const ncclUniqueId& id, int rank, int size, cudaStream_t stream);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// All-reduce: to [count] = the sum over ranks of from [count].
  void sum(const float* from, float* to, std::size_t count);
  /// Reduce-scatter: to [each] = this rank's part of the sum over ranks of from [size * each].
  void sum_part(const float* from, float* to, std::size_t each);
  /// All-gather: to [size * each] = every rank's from [each], in the order of ranks.
  void gather(const float* from, float* to, std::size_t each);
  /// Until the stream is empty. Throws Error where a collective failed meanwhile.
  void wait();

 private:
  struct Release {
    void operator()(ncclComm_t communicator) const noexcept { ncclCommDestroy(communicator); }
  };
  std::unique_ptr<std::remove_pointer_t<ncclComm_t>, Release> communicator_;
  int rank_, size_;
  cudaStream_t stream_;
};

}  // namespace hiple::scaling
