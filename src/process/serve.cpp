#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>

#include "process/message.hpp"
#include "process/sandbox.hpp"
#include "process/spawner.hpp"

namespace hiple::process {

namespace {

/// The terminal and launchers signal whole groups: the child makes its checkpoint then, and the spawner stays until it is done.
constexpr std::array<int, 7> left_to_child = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE};

constexpr int cannot_start = 127;

/// Ends this process with its parent, also where that is gone already. False where it is.
bool die_with(pid_t parent) { return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent; }

/// Among the kernel's choices when memory runs out, an engine comes before its rank and the spawner.
void offer_for_oom_kill() {
  const Descriptor file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file.open()) [[maybe_unused]]
    const auto written = ::write(file.get(), "500", 3);
}

void place_descriptors(int pulse, int output) {
  const int none = checked(::open("/dev/null", O_RDONLY), "/dev/null");
  checked(::dup2(none, STDIN_FILENO), "dup2");
  checked(::dup2(output, STDOUT_FILENO), "dup2");
  checked(::dup2(output, STDERR_FILENO), "dup2");
  if (pulse == pulse_descriptor) {
    checked(::fcntl(pulse, F_SETFD, 0), "fcntl");
  } else {
    checked(::dup2(pulse, pulse_descriptor), "dup2");
  }
  checked(::close_range(pulse_descriptor + 1, ~0U, 0), "close_range");
}

/// The child between fork and exec.
[[noreturn]] void become(std::vector<std::string> words, int pulse, int output, pid_t parent) {
  try {
    if (!die_with(parent)) ::_exit(cannot_start);
    for (const int number : left_to_child) ::signal(number, SIG_DFL);
    ::signal(SIGUSR1, SIG_IGN);  // "save", before there is anything to save; the program itself takes it when there is
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    place_descriptors(pulse, output);
    offer_for_oom_kill();
    refuse_internet();
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(words.at(0).c_str(), pointers.data());
    std::perror(words.at(0).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hiple-spawner: %s\n", error.what());
  }
  ::_exit(cannot_start);
}

/// One spawner's service.
class Service {
 public:
  explicit Service(int socket) : socket_(socket) {
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    checked(::sigprocmask(SIG_BLOCK, &children, nullptr), "sigprocmask");
    signals_ = Descriptor(checked(::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd"));
  }

  void run() {
    std::array<pollfd, 2> watched = {pollfd{socket_, POLLIN, 0}, pollfd{signals_.get(), POLLIN, 0}};
    while (true) {
      if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) break;
      if (watched[1].revents != 0) collect();
      if (watched[0].revents != 0 && !answer()) break;
    }
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  void collect() {
    signalfd_siginfo information{};
    while (::read(signals_.get(), &information, sizeof information) > 0) {
    }
    int status = 0;
    if (child_ <= 0 || ::waitpid(child_, &status, WNOHANG) != child_) return;
    child_ = -1;
    send(socket_, Message::Kind::ended, {std::to_string(status)});
  }

  bool answer() {
    const auto message = receive(socket_);
    if (!message) return false;
    if (message->kind == Message::Kind::signal) {
      if (child_ > 0) ::kill(child_, number_in(*message));
      return true;
    }
    if (child_ > 0 || message->descriptors.size() != 2) {
      send(socket_, Message::Kind::refused, {std::to_string(child_ > 0 ? EBUSY : EINVAL)});
      return true;
    }
    const pid_t self = ::getpid();
    child_ = ::fork();
    if (child_ == 0) become(message->fields, message->descriptors[0].get(), message->descriptors[1].get(), self);
    const int problem = errno;
    if (child_ > 0) {
      send(socket_, Message::Kind::started, {std::to_string(child_)});
    } else {
      send(socket_, Message::Kind::refused, {std::to_string(problem)});
    }
    return true;
  }

  int socket_;
  Descriptor signals_;
  pid_t child_ = -1;
};

}  // namespace

int serve(int socket, pid_t parent) {
  if (!die_with(parent)) return 1;
  for (const int number : left_to_child) ::signal(number, SIG_IGN);
  Service(socket).run();
  return 0;
}

}  // namespace hiple::process
