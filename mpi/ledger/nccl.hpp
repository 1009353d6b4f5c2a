#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// What the generated wrappers of NCCL are made of (mpi/ledger/generate_nccl.py). NCCL's header is not needed: its pointers and
/// enumerations are those of its documentation ("NCCL API", 2.x), which keeps them between versions.
///
/// A wrapper stands in front of the library wherever the dynamic linker finds its name first: in a program of ours, and in one
/// under the library to preload. A program that asks libnccl itself for a function (dlsym with its handle) goes past it; the
/// certificate then sees NCCL mapped and no communicator made. What a kernel on the device starts by itself is no call of the
/// host and is not seen.
namespace hiple::mpi::nccl {

/// ncclUniqueId, which is passed by value.
struct UniqueId {
  std::array<char, 128> bytes;
};

constexpr int internal_error = 3;  ///< ncclInternalError

/// The library's own function of a name: the next one in the linker's order behind the wrapper, or, where a program opened the
/// library for itself alone, that of the library. Null where there is none, which is said on standard error.
void* behind(const char* name);

/// Bytes of `count` elements of an ncclDataType_t; 0 for a type that is younger than this list.
std::uint64_t bytes(std::size_t count, int type);

/// The ledger's number of a communicator ("nccl 1", "nccl 2", ...). The library is asked for its size once.
std::size_t communicator(void* comm);
/// Ranks of a communicator, and whether this process's rank in it is `root`.
std::size_t peers(void* comm);
bool is_root(int root, void* comm);
/// A communicator that is about to be destroyed: another may be made at the same address.
void forget(void* comm);

}  // namespace hiple::mpi::nccl
