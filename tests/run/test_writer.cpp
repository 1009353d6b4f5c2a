#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/error.hpp"
#include "base/error_kinds.hpp"
#include "base/file.hpp"
#include "run/writer.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct WriterTest : testing::TestWithParam<const char*> {
  WriterTest() {
    config.file_locks = GetParam();
    config.engines.resize(2);
    config.engines[0].name = "a";
    config.engines[1].name = "b";
    impatient.longest = 100ms;
  }

  /// A process that writes engine a until it is killed.
  pid_t writer_of_a() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const Writer writer(config, directory, "a", {});
      [[maybe_unused]] const auto written = ::write(ends[1], "y", 1);
      while (true) ::pause();
    }
    char answer = '?';
    EXPECT_EQ(::read(ends[0], &answer, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
    return child;
  }

  TemporaryFolder folder;
  RunConfig config;
  RunDirectory directory{folder.path()};
  WaitForWriter impatient;
};

INSTANTIATE_TEST_SUITE_P(, WriterTest, testing::Values("required", "none"));

TEST_P(WriterTest, ASecondOneWaitsAndIsRefusedByNameAsLongAsTheFirstLives) {
  const pid_t first = writer_of_a();
  ::kill(first, SIGSTOP);
  int waited = 0;
  std::string who;
  impatient.meanwhile = [&] { ++waited; };
  impatient.told = [&](const std::string& text) { who = text; };
  try {
    const Writer second(config, directory, "a", impatient);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("engine a is being written by process " + std::to_string(first)));
  }
  EXPECT_GT(waited, 0);
  EXPECT_THAT(who, HasSubstr("process " + std::to_string(first)));
  EXPECT_NO_THROW(Writer(config, directory, "b", impatient));
  ::kill(first, SIGKILL);
  ::waitpid(first, nullptr, 0);
  EXPECT_NO_THROW(Writer(config, directory, "a", impatient));
}

TEST_P(WriterTest, WhoWaitsMayEndTheWait) {
  const pid_t first = writer_of_a();
  WaitForWriter patient;
  patient.meanwhile = [] { throw Interrupted("enough"); };
  EXPECT_THROW(Writer(config, directory, "a", patient), Interrupted);
  ::kill(first, SIGKILL);
  ::waitpid(first, nullptr, 0);
}

TEST_P(WriterTest, EnginesThatAreWrittenAreNotRemoved) {
  const pid_t first = writer_of_a();
  write_file(directory.checkpoint("a"), "precious");
  {
    const Writer other(config, directory, "b", impatient);
    write_file(directory.checkpoint("b"), "old");
  }
  EXPECT_THROW(remove_engines(config, directory, impatient), InputError);
  EXPECT_EQ(read_file(directory.checkpoint("a")), "precious");
  ::kill(first, SIGKILL);
  ::waitpid(first, nullptr, 0);
  remove_engines(config, directory, impatient);
  EXPECT_FALSE(std::filesystem::exists(directory.engines()));
}

using LockedWriterTest = WriterTest;
INSTANTIATE_TEST_SUITE_P(, LockedWriterTest, testing::Values("required"));

TEST_P(LockedWriterTest, OneWhoseFileWasTakenAwayCannotPublish) {
  const Writer first(config, directory, "a", impatient);
  write_file(directory.checkpoint("a"), "the first's");
  std::filesystem::remove(directory.writer("a"));
  EXPECT_THROW(write_file(directory.checkpoint("a"), "nobody's"), RepeatableError);
  const pid_t second = writer_of_a();  // in another process: one process has one guard
  EXPECT_THROW(write_file(directory.checkpoint("a"), "the first's again"), RepeatableError);
  EXPECT_EQ(read_file(directory.checkpoint("a")), "the first's");
  ::kill(second, SIGKILL);
  ::waitpid(second, nullptr, 0);
}

}  // namespace
}  // namespace hiple
