#include "process/spawner.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/error.hpp"
#include "process/message.hpp"

namespace hiple::process {

namespace {

using namespace std::chrono_literals;

constexpr auto answer_within = 30s;
constexpr auto end_within = 2s;

/// posix_spawn's list of what to do with descriptors.
class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_)); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int target, const char* path, int flags) {
    check(::posix_spawn_file_actions_addopen(&actions_, target, path, flags, 0));
  }
  void move(int from, int to) { check(::posix_spawn_file_actions_adddup2(&actions_, from, to)); }
  void close_from(int first) { check(::posix_spawn_file_actions_addclosefrom_np(&actions_, first)); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int result) {
    if (result != 0) throw Error("posix_spawn: " + std::system_category().message(result));
  }
  posix_spawn_file_actions_t actions_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits until one of the descriptors can be read; which of them can.
std::pair<bool, bool> wait_for(int first, int second, std::chrono::milliseconds longest) {
  std::array<pollfd, 2> watched = {pollfd{first, POLLIN, 0}, pollfd{second, POLLIN, 0}};
  const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(longest.count()));
  if (ready <= 0) return {false, false};
  return {watched[0].revents != 0, watched[1].revents != 0};
}

/// A message; nothing where none came in that time, or the other side is gone. A signal that this process takes meanwhile is no
/// reason to give up.
std::optional<Message> receive_within(int socket, std::chrono::milliseconds longest) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + longest;
  for (auto left = longest; left.count() > 0;
       left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now())) {
    if (wait_for(socket, -1, left).first) return receive(socket);
  }
  return std::nullopt;
}

}  // namespace

Spawner::Spawner(std::filesystem::path program) : program_(std::move(program)) { launch(); }

Spawner::~Spawner() { reap(); }

void Spawner::launch() {
  std::array<int, 2> ends{};
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  socket_ = Descriptor(ends[0]);
  const Descriptor other(ends[1]);
  constexpr int socket_of_spawner = 3;
  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  actions.move(other.get(), socket_of_spawner);
  actions.close_from(socket_of_spawner + 1);
  std::vector<std::string> words = {program_.string(), std::to_string(socket_of_spawner), std::to_string(::getpid())};
  std::vector<std::string> environment = clean_environment();
  const int result = ::posix_spawn(&process_, program_.c_str(), actions.get(), nullptr, pointers_to(words).data(),
                                   pointers_to(environment).data());
  if (result != 0) {
    process_ = -1;
    throw Error(program_.string() + ": cannot be started: " + std::system_category().message(result) +
                " (it belongs beside `hiple`; install both)");
  }
  lost_ = false;
}

void Spawner::reap() {
  socket_.reset();
  if (process_ <= 0) return;
  const auto deadline = std::chrono::steady_clock::now() + end_within;
  while (::waitpid(process_, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= deadline) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
      break;
    }
    std::this_thread::sleep_for(1ms);
  }
  process_ = -1;
}

void Spawner::revive() {
  reap();
  launch();
}

std::optional<pid_t> Spawner::start(const std::vector<std::string>& words, int pulse, int output) {
  if (!send(socket_.get(), Message::Kind::start, words, {pulse, output})) {
    lost_ = true;
    return std::nullopt;
  }
  const auto answer = receive_within(socket_.get(), answer_within);
  if (!answer) {
    lost_ = true;
    return std::nullopt;
  }
  if (answer->kind == Message::Kind::refused)
    throw Error(words.at(0) + ": cannot be started: " + std::system_category().message(number_in(*answer)));
  return number_in(*answer);
}

void Spawner::signal(int number) const { send(socket_.get(), Message::Kind::signal, {std::to_string(number)}); }

std::optional<int> Spawner::ended(std::chrono::milliseconds longest, int also) {
  if (!wait_for(socket_.get(), also, longest).first) return std::nullopt;
  const auto message = receive(socket_.get());
  if (message) return number_in(*message);
  lost_ = true;
  return std::nullopt;
}

void Spawner::abandon() { lost_ = true; }

std::vector<std::string> clean_environment() {
  constexpr std::array<std::string_view, 7> launchers = {"OMPI_", "OPAL_", "ORTE_", "PRTE_", "PMIX_", "PMI_", "MPI_"};
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    bool of_launcher = false;
    for (const std::string_view start : launchers) of_launcher = of_launcher || text.starts_with(start);
    if (!of_launcher) variables.emplace_back(text);
  }
  return variables;
}

std::string end_text(int status) {
  if (WIFEXITED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return "signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
}

}  // namespace hiple::process
