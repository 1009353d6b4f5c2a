#include "process/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"
#include "process/keeper.hpp"
#include "process/message.hpp"
#include "process/spawner.hpp"

namespace hiple::process {

Program::Program(const ProgramStart& start) {
  std::array<int, 2> ends{};
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  socket_ = Descriptor(ends[0]);
  Descriptor other(ends[1]);
  keeper_ = checked(::fork(), "fork");
  if (keeper_ == 0) keep(other.get(), start);
  other.reset();
  const auto answer = receive(socket_.get());
  if (answer && answer->kind == Message::Kind::started) {
    process_ = number_in(*answer);
    return;
  }
  const std::string why = answer && !answer->fields.empty() ? answer->fields.front() : "its keeper ended";
  end();
  throw Error(start.program.string() + ": cannot be started: " + why);
}

Program::~Program() { end(); }

std::optional<ProgramEnd> Program::ended(std::chrono::milliseconds longest) {
  pollfd watched{socket_.get(), POLLIN, 0};
  if (::poll(&watched, 1, static_cast<int>(longest.count())) <= 0) return std::nullopt;
  const auto message = receive(socket_.get());
  const bool whole = message && message->fields.size() == 2;
  const auto status = whole ? parse_integer(message->fields[0]) : std::nullopt;
  const auto orphans = whole ? parse_unsigned(message->fields[1]) : std::nullopt;
  if (!status || !orphans) {
    end();
    throw Error("the process that kept the program was ended, and the program with it");
  }
  return ProgramEnd{static_cast<int>(*status), *orphans};
}

void Program::signal(int number) const { send(socket_.get(), Message::Kind::signal, {std::to_string(number)}); }

void Program::end() {
  socket_.reset();  // which the keeper takes as its order
  if (keeper_ <= 0) return;
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  keeper_ = -1;
}

std::filesystem::path find_program(const std::string& name, const std::filesystem::path& folder) {
  const auto may_run = [](const std::filesystem::path& path) {
    return std::filesystem::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) {
    const auto path = (folder / name).lexically_normal();
    return may_run(path) ? path : std::filesystem::path();
  }
  const char* path = std::getenv("PATH");
  for (const std::string& part : split(path != nullptr ? path : "/usr/bin:/bin", ':'))
    if (!part.empty() && may_run(std::filesystem::path(part) / name)) return std::filesystem::path(part) / name;
  return {};
}

}  // namespace hiple::process
