#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hiple::mpi {

/// A library in a process through which it could speak to others, or to a device.
struct Library {
  std::string kind;  ///< "MPI", "MPI for Fortran", "NCCL", "SHMEM", "CUDA"
  std::string path;
  bool operator==(const Library&) const = default;
};

/// The libraries of those kinds among the files that a memory map names (the format of /proc/PID/maps), ascending by path.
std::vector<Library> libraries_in(const std::string& maps);

/// Those that this process has mapped now; whatever opened them. Throws InputError where /proc cannot be read.
std::vector<Library> mapped_libraries();

}  // namespace hiple::mpi
