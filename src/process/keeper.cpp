#include "process/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <fstream>
#include <system_error>

#include "base/text.hpp"
#include "process/message.hpp"

namespace hiple::process {

namespace {

constexpr int cannot_start = 127;

/// The children of this process, by the parent's number in /proc/N/stat: "4711 (name) S 17 ...".
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  const std::string self = std::to_string(::getpid());
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", problem)) {
    const auto number = parse_integer(entry.path().filename().string());
    if (!number) continue;
    std::ifstream stream(entry.path() / "stat");
    std::string text;
    std::getline(stream, text);
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) continue;
    const auto fields = split(std::string_view(text).substr(name_end + 1), ' ');  // "", state, parent
    if (fields.size() > 2 && fields[2] == self) found.push_back(static_cast<pid_t>(*number));
  }
  return found;
}

/// Ends every descendant: those of a process that is killed become children of this one. How many there were.
std::size_t end_descendants() {
  std::size_t ended = 0;
  while (true) {
    for (const pid_t child : children()) ::kill(child, SIGKILL);
    const pid_t reaped = ::waitpid(-1, nullptr, 0);
    if (reaped > 0) ++ended;
    if (reaped < 0 && errno == ECHILD) return ended;
  }
}

/// The program, between fork and exec. `report` tells the keeper why it could not be started.
[[noreturn]] void become(const ProgramStart& start, pid_t keeper, int report) {
  std::vector<std::string> words = start.words, variables = start.environment;
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  for (std::string& variable : variables) environment.push_back(variable.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setsid();
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != keeper) ::_exit(cannot_start);
  const int input = ::open("/dev/null", O_RDONLY);
  if (input >= 0 && ::dup2(input, STDIN_FILENO) == STDIN_FILENO && ::chdir(start.folder.c_str()) == 0) {
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execve(start.program.c_str(), arguments.data(), environment.data());
  }
  const int problem = errno;
  [[maybe_unused]] const auto written = ::write(report, &problem, sizeof problem);
  ::_exit(cannot_start);
}

/// Starts the program; its number, or throws std::system_error.
pid_t launch(const ProgramStart& start) {
  auto [result, report] = make_pipe();
  const pid_t self = ::getpid();
  const pid_t program = checked(::fork(), "fork");
  if (program == 0) become(start, self, report.get());
  report.reset();
  int problem = 0;
  if (::read(result.get(), &problem, sizeof problem) == static_cast<ssize_t>(sizeof problem))
    throw std::system_error(problem, std::system_category());
  return program;
}

void close_all_but(int one, int other) {
  const int low = std::min(one, other < 0 ? one : other), high = std::max(one, other);
  const auto close = [](int first, int last) {
    if (first <= last) ::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
  };
  close(STDERR_FILENO + 1, low - 1);
  close(low + 1, high - 1);
  ::close_range(static_cast<unsigned>(high) + 1, ~0U, 0);
}

void keep_program(int socket, const ProgramStart& start) {
  ::setpgid(0, 0);  // a terminal's signals are for the owner, which passes on what it means
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE}) ::signal(number, SIG_IGN);
  checked(::prctl(PR_SET_CHILD_SUBREAPER, 1), "prctl");
  sigset_t ended;
  ::sigemptyset(&ended);
  ::sigaddset(&ended, SIGCHLD);
  checked(::sigprocmask(SIG_BLOCK, &ended, nullptr), "sigprocmask");
  const Descriptor signals(checked(::signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd"));
  const pid_t program = launch(start);
  send(socket, Message::Kind::started, {std::to_string(program)});
  std::array<pollfd, 2> watched = {pollfd{socket, POLLIN, 0}, pollfd{signals.get(), POLLIN, 0}};
  while (true) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    if (watched[1].revents != 0) {
      signalfd_siginfo information{};
      while (::read(signals.get(), &information, sizeof information) > 0) {
      }
      int status = 0;
      for (pid_t one = 0; (one = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        if (one != program) continue;  // an orphan that came to its end
        const std::size_t orphans = end_descendants();
        send(socket, Message::Kind::ended, {std::to_string(status), std::to_string(orphans)});
        return;
      }
    }
    if (watched[0].revents == 0) continue;
    const auto message = receive(socket);
    if (!message) return;
    ::kill(-program, number_in(*message));
  }
}

}  // namespace

void keep(int socket, const ProgramStart& start) {
  try {
    // The owner's other descriptors are not this process's: its pulse and locks end with the owner.
    close_all_but(socket, start.held);
    keep_program(socket, start);
  } catch (const std::system_error& error) {
    send(socket, Message::Kind::refused, {error.code().message()});
  } catch (const std::exception& error) {
    send(socket, Message::Kind::refused, {error.what()});
  }
  end_descendants();
  ::_exit(0);
}

}  // namespace hiple::process
