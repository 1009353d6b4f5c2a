#include "base/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "base/publish_guard.hpp"

namespace hiple {

namespace {

constexpr const char* temporary_mark = ".tmp.";

/// What tells this process's temporary files from those of others. A process's number comes again: on another host, in another
/// container, after a while.
std::string& own_name() {
  static std::string name = std::to_string(::getpid()) + "." + std::to_string(std::random_device{}());
  return name;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& doing) {
  throw Error(path.string() + ": " + doing + ": " + std::system_category().message(errno));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, unsigned mode = 0)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (value_ < 0) fail(path, "cannot be opened");
  }
  ~Descriptor() { ::close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

void synchronise(const std::filesystem::path& path, int flags) {
  const Descriptor descriptor(path, flags);
  // Some file systems cannot synchronise a folder and say EINVAL; the rename stands all the same.
  if (::fsync(descriptor.get()) != 0 && !((flags & O_DIRECTORY) != 0 && errno == EINVAL)) fail(path, "cannot be made durable");
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) throw InputError(Place{path.string()}, "no such file", {}, "check the path");
  if (std::filesystem::is_directory(status))
    throw InputError(Place{path.string()}, "is a folder, not a file", {}, "check the path");
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  if (stream.peek() != std::ifstream::traits_type::eof()) content << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    throw InputError(Place{path.string()}, "cannot be read", std::system_category().message(errno), "check its permissions");
  }
  return content.str();
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count = 0;
  auto result = path;
  result += temporary_mark + own_name() + "." + std::to_string(count++);
  return result;
}

void name_temporaries(const std::string& tag) { own_name() = tag + own_name(); }

void remove_temporaries(const std::filesystem::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const std::string start = path.filename().string() + temporary_mark;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(folder, gone))
    if (entry.path().filename().string().starts_with(start)) std::filesystem::remove(entry.path(), gone);
}

void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  try {
    synchronise(temporary, O_RDONLY);
    check_may_publish();  // last of all: nothing that takes time lies between the question and the name
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be renamed into place");
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  synchronise(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."), O_RDONLY | O_DIRECTORY);
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  const auto temporary = temporary_name(path);
  try {
    const Descriptor descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor.get(), content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(path, "cannot be written");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  publish_file(temporary, path);
}

void make_folder(const std::filesystem::path& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (problem) throw Error(path.string() + ": cannot create the folder: " + problem.message());
}

}  // namespace hiple
