#include <gtest/gtest.h>

#include "mpi/ledger/libraries.hpp"

namespace hiple::mpi {
namespace {

TEST(Libraries, AreNamedOnceWithTheirKind) {
  const std::string maps =
      "7f00-7f01 r--p 00000000 08:01 1 /usr/lib/libmpi.so.40.30.4\n"
      "7f01-7f02 r-xp 00001000 08:01 1 /usr/lib/libmpi.so.40.30.4\n"
      "7f02-7f03 r-xp 00000000 08:01 2 /usr/lib/libmpi_mpifh.so.40\n"
      "7f03-7f04 r-xp 00000000 08:01 3 /opt/a b/libnccl.so.2\n"
      "7f04-7f05 r-xp 00000000 08:01 4 /usr/lib/libcudart.so.13\n"
      "7f05-7f06 r-xp 00000000 08:01 5 /usr/lib/libm.so.6\n"
      "7f06-7f07 r-xp 00000000 08:01 6 /home/libmpi/program\n"
      "7f07-7f08 rw-p 00000000 00:00 0 [heap]\n"
      "7f08-7f09 rw-p 00000000 00:00 0\n";
  const std::vector<Library> expected = {{"NCCL", "/opt/a b/libnccl.so.2"},
                                         {"CUDA", "/usr/lib/libcudart.so.13"},
                                         {"MPI", "/usr/lib/libmpi.so.40.30.4"},
                                         {"MPI for Fortran", "/usr/lib/libmpi_mpifh.so.40"}};
  EXPECT_EQ(libraries_in(maps), expected);
}

TEST(Libraries, ThisProcessHasNoMpi) { EXPECT_TRUE(mapped_libraries().empty()); }

}  // namespace
}  // namespace hiple::mpi
