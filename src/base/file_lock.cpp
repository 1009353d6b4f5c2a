#include "base/file_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace hiple {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& doing) {
  throw Error(path.string() + ": " + doing + ": " + std::system_category().message(errno));
}

/// Of the errors of fcntl(2), those that say that there is no such lock here.
bool says_no_locks(int error) {
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL || error == ENOTTY;
}

/// False where another one has it.
bool lock(int descriptor, const std::filesystem::path& path) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int result = 0;
  do {
    result = ::fcntl(descriptor, F_OFD_SETLK, &whole);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  if (says_no_locks(errno))
    throw NoFileLocks(path.string() + ": its file system has no locks: " + std::system_category().message(errno));
  fail(path, "cannot be locked");
}

}  // namespace

std::optional<FileLock> FileLock::attempt(const std::filesystem::path& path) { return attempt(path, O_CREAT); }

std::optional<FileLock> FileLock::attempt_existing(const std::filesystem::path& path) { return attempt(path, 0); }

std::optional<FileLock> FileLock::attempt(const std::filesystem::path& path, int flags) {
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0666);
    if (descriptor < 0 && errno == ENOENT && flags == 0) return std::nullopt;
    if (descriptor < 0) fail(path, "cannot be opened");
    FileLock mine(path, descriptor);
    if (!lock(descriptor, path)) return std::nullopt;
    // Between the two calls the file may have been removed with its folder: then this is a lock on what nobody else will open.
    if (mine.is_named()) return mine;
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::is_named() const {
  struct stat locked {
  }, named{};
  return ::fstat(descriptor_, &locked) == 0 && ::stat(path_.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
         locked.st_ino == named.st_ino;
}

void FileLock::write(std::string_view content) const {
  if (::ftruncate(descriptor_, 0) != 0) fail(path_, "cannot be written");
  const ssize_t written = ::pwrite(descriptor_, content.data(), content.size(), 0);
  if (written != static_cast<ssize_t>(content.size())) fail(path_, "cannot be written");
}

}  // namespace hiple
