#include "mpi/check.hpp"

#include <mpi.h>

#include <array>
#include <string>

#include "base/error.hpp"

namespace hiple::mpi {

void check(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(std::string(doing) + ": " + std::string(text.data(), static_cast<std::size_t>(length)));
}

}  // namespace hiple::mpi
