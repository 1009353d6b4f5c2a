#include "scaling/nccl/nccl_communicator.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace hiple::scaling {

void check_nccl(ncclResult_t problem, const char* what) {
  if (problem != ncclSuccess)
    throw Error(fmt::format("NCCL: {}: {}: {}", what, ncclGetErrorString(problem), ncclGetLastError(nullptr)));
}

ncclUniqueId make_nccl_id() {
  ncclUniqueId id{};
  check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
  return id;
}

NcclCommunicator::NcclCommunicator(const ncclUniqueId& id, int rank, int size, cudaStream_t stream)
    : rank_(rank), size_(size), stream_(stream) {
  ncclComm_t made = nullptr;
  check_nccl(ncclCommInitRank(&made, size, id, rank), "ncclCommInitRank");
  communicator_.reset(made);
}

void NcclCommunicator::sum(const float* from, float* to, std::size_t count) {
  check_nccl(ncclAllReduce(from, to, count, ncclFloat, ncclSum, communicator_.get(), stream_), "ncclAllReduce");
}

void NcclCommunicator::sum_part(const float* from, float* to, std::size_t each) {
  check_nccl(ncclReduceScatter(from, to, each, ncclFloat, ncclSum, communicator_.get(), stream_), "ncclReduceScatter");
}

void NcclCommunicator::gather(const float* from, float* to, std::size_t each) {
  check_nccl(ncclAllGather(from, to, each, ncclFloat, communicator_.get(), stream_), "ncclAllGather");
}

void NcclCommunicator::wait() {
  if (const cudaError_t problem = cudaStreamSynchronize(stream_); problem != cudaSuccess)
    throw Error(fmt::format("CUDA: cudaStreamSynchronize: {}", cudaGetErrorString(problem)));
  ncclResult_t state = ncclSuccess;
  check_nccl(ncclCommGetAsyncError(communicator_.get(), &state), "ncclCommGetAsyncError");
  check_nccl(state, "a collective");
}

}  // namespace hiple::scaling
