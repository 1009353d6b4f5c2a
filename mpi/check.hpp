#pragma once

namespace hiple::mpi {

/// Throws Error with MPI's own words where `code` is none of success; `doing` names the call.
void check(int code, const char* doing);

}  // namespace hiple::mpi
