#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"
#include "process/sandbox.hpp"

namespace hiple::process {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::StartsWith;

/// Runs a check in a process of its own, since a filter cannot be taken back.
template <class Check>
bool holds(Check check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

TEST(Sandbox, TheProbeTellsTheTwoApart) {
  EXPECT_EQ(try_internet(), "opened");
  EXPECT_TRUE(holds([] {
    refuse_internet();
    return try_internet() == "refused (Permission denied)";
  }));
}

TEST(Sandbox, ADiskThatIsFull) {
  const int file = ::open("/dev/null", O_WRONLY);
  EXPECT_TRUE(holds([file] {
    if (::write(file, "x", 1) != 1) return false;
    refuse_writes();
    return ::write(file, "x", 1) == -1 && errno == ENOSPC && ::pwrite(file, "x", 1, 0) == -1 && errno == ENOSPC &&
           ::write(STDERR_FILENO, "", 0) == 0;
  }));
  ::close(file);
}

TEST(Sandbox, MappedLibrariesAreNamed) {
  EXPECT_THAT(mapped_libraries({"libc.so", "libmpi"}), Contains(StartsWith("libc.so")));
  EXPECT_THAT(mapped_libraries({"libmpi.so", "libnccl.so"}), IsEmpty());
}

}  // namespace
}  // namespace hiple::process
