#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

/// What a process may no longer do, by seccomp filters (libseccomp). A filter stays with the process and all that it starts, over
/// exec too, and cannot be taken back.
namespace hiple::process {

/// No internet sockets: socket(AF_INET or AF_INET6) fails with EACCES, and so does setting up io_uring, which could open one past
/// the filter. Sockets of the host itself (AF_UNIX) work. Throws Error where the kernel has no filters.
void refuse_internet();

/// Every write to a file from now on fails with ENOSPC, as on a full disk; standard output and error go on. For fault injection.
void refuse_writes();

/// What came of trying to open an internet socket: "refused (Permission denied)", or "opened".
std::string try_internet();

/// Beginnings of the file names of libraries by which processes speak to others: MPI, NCCL, SHMEM and what they stand on.
const std::vector<std::string>& speaking_libraries();

/// Of the libraries whose file names begin with one of `names`, those that a process has mapped, ascending; 0 is this one. None
/// where the process is gone.
std::vector<std::string> mapped_libraries(const std::vector<std::string>& names, pid_t process = 0);

}  // namespace hiple::process
