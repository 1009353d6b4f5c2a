#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <thread>

#include "base/error.hpp"
#include "process/pulse.hpp"
#include "process/spawner.hpp"

namespace hiple::process {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/// A child that is a script of the shell or of Python, and what it said.
class Child {
 public:
  explicit Child(const std::vector<std::string>& words) : spawner_(HIPLE_SPAWNER) {
    auto [out, in] = make_pipe();
    out_ = std::move(out);
    process_ = spawner_.start(words, pulse_.descriptor(), in.get());
  }
  /// Waits for its end.
  std::optional<int> status() {
    for (int i = 0; i < 600 && !spawner_.lost(); ++i) {
      if (const auto status = spawner_.ended(100ms)) return status;
    }
    return std::nullopt;
  }
  /// All that it has said, once it has ended.
  std::string said() {
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t size = 0; (size = ::read(out_.get(), part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(size));
    return text;
  }
  Spawner& spawner() { return spawner_; }
  [[nodiscard]] pid_t process() const { return process_.value_or(-1); }

 private:
  Spawner spawner_;
  Pulse pulse_;
  Descriptor out_;
  std::optional<pid_t> process_;
};

bool alive(pid_t process) {
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", problem);
  return !problem && !program.empty();
}

/// Whether a process is gone soon: one that another process was to reap may stay as a zombie, without a program.
bool goes(pid_t process) {
  for (int i = 0; i < 500; ++i) {
    if (!alive(process)) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

TEST(Spawner, AChildEndsAsItSays) {
  Child child(shell("echo out; echo err >&2; exit 7"));
  const auto status = child.status();
  ASSERT_TRUE(status);
  EXPECT_EQ(end_text(*status), "exit status 7");
  EXPECT_EQ(child.said(), "out\nerr\n");
}

TEST(Spawner, ASignalIsToldAsSuch) {
  Child child(shell("kill -SEGV $$"));
  const auto status = child.status();
  ASSERT_TRUE(status);
  EXPECT_EQ(end_text(*status), "signal 11 (Segmentation fault)");
}

TEST(Spawner, AProgramThatIsNotThereEndsTheChildAlone) {
  Child child({"/nowhere/hiple"});
  const auto status = child.status();
  ASSERT_TRUE(status);
  EXPECT_EQ(end_text(*status), "exit status 127");
  EXPECT_THAT(child.said(), HasSubstr("/nowhere/hiple: No such file"));
}

TEST(Spawner, OneAfterAnotherButNotTwoAtOnce) {
  Child child(shell("exec sleep 60"));
  const Pulse pulse;
  EXPECT_THROW(child.spawner().start(shell("true"), pulse.descriptor(), 2), Error);
  child.spawner().signal(SIGKILL);
  EXPECT_EQ(end_text(child.status().value_or(0)), "signal 9 (Killed)");
  EXPECT_TRUE(child.spawner().start(shell("exit 3"), pulse.descriptor(), 2));
  EXPECT_EQ(end_text(child.status().value_or(0)), "exit status 3");
}

/// The planted sockets: refused by the kernel, whatever the program; those of the host itself are not.
TEST(Spawner, InternetSocketsAreRefused) {
  Child child({"/usr/bin/python3", "-c", R"(
import socket, errno
for family in (socket.AF_INET, socket.AF_INET6):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            socket.socket(family, kind)
            raise SystemExit("an internet socket was opened")
        except OSError as error:
            assert error.errno == errno.EACCES, error
a, b = socket.socketpair(socket.AF_UNIX)
a.send(b"x")
assert b.recv(1) == b"x"
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
)"});
  EXPECT_EQ(child.status().value_or(-1), 0) << child.said();
}

TEST(Spawner, NothingIsInherited) {
  ::setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  ::setenv("PMIX_NAMESPACE", "x", 1);
  ::setenv("PMI_RANK", "3", 1);
  ::setenv("KEPT", "yes", 1);
  const Descriptor open(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC
  Child child(shell("env; ls /proc/$$/fd; cat /proc/$$/oom_score_adj"));
  EXPECT_EQ(child.status().value_or(-1), 0);
  const std::string text = child.said();
  EXPECT_THAT(text, HasSubstr("KEPT=yes"));
  for (const char* start : {"OMPI_", "PMIX_", "PMI_"}) EXPECT_THAT(text, Not(HasSubstr(start)));
  EXPECT_THAT(text, HasSubstr("\n0\n1\n2\n3\n500"));
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE", "PMI_RANK", "KEPT"}) ::unsetenv(name);
}

/// A signal that this process takes while it waits for the answer (here one every millisecond) does not make the spawner lost.
TEST(Spawner, ASignalWhileItStartsIsNoLoss) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 1000}, {0, 1000}}, never{};
  Spawner spawner(HIPLE_SPAWNER);
  const Pulse pulse;
  ::kill(spawner.process(), SIGSTOP);
  std::thread later([&] {
    std::this_thread::sleep_for(300ms);
    ::kill(spawner.process(), SIGCONT);
  });
  ::setitimer(ITIMER_REAL, &often, nullptr);
  const auto process = spawner.start(shell("exit 5"), pulse.descriptor(), 2);
  ::setitimer(ITIMER_REAL, &never, nullptr);
  later.join();
  EXPECT_TRUE(process);
  EXPECT_FALSE(spawner.lost());
  ::signal(SIGALRM, SIG_DFL);
}

TEST(Spawner, TheChildDiesWithTheSpawner) {
  Child child(shell("trap '' TERM HUP; exec sleep 60"));
  ASSERT_TRUE(alive(child.process()));
  ::kill(child.spawner().process(), SIGKILL);
  EXPECT_TRUE(goes(child.process()));
  EXPECT_FALSE(child.status());
  EXPECT_TRUE(child.spawner().lost());
  child.spawner().revive();
  const Pulse pulse;
  EXPECT_TRUE(child.spawner().start(shell("exit 4"), pulse.descriptor(), 2));
  EXPECT_EQ(end_text(child.status().value_or(0)), "exit status 4");
}

TEST(Spawner, BothDieWithTheirOwner) {
  auto [out, in] = make_pipe();
  const pid_t owner = ::fork();
  if (owner == 0) {
    Spawner spawner(HIPLE_SPAWNER);
    const Pulse pulse;
    const std::array<pid_t, 2> processes = {spawner.process(),
                                            spawner.start(shell("exec sleep 60"), pulse.descriptor(), 2).value_or(-1)};
    [[maybe_unused]] const auto written = ::write(in.get(), processes.data(), sizeof processes);
    ::pause();
  }
  std::array<pid_t, 2> processes{};
  ASSERT_EQ(::read(out.get(), processes.data(), sizeof processes), static_cast<ssize_t>(sizeof processes));
  ASSERT_TRUE(alive(processes[1]));
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  EXPECT_TRUE(goes(processes[0]));
  EXPECT_TRUE(goes(processes[1]));
}

TEST(Spawner, ItsSignalsAreTheChilds) {
  Child child(shell("trap 'echo saved; exit 0' TERM; while :; do sleep 0.05; done"));
  std::this_thread::sleep_for(200ms);
  ::kill(child.spawner().process(), SIGTERM);
  child.spawner().signal(SIGTERM);
  EXPECT_EQ(child.status().value_or(-1), 0);
  EXPECT_EQ(child.said(), "saved\n");
}

}  // namespace
}  // namespace hiple::process
