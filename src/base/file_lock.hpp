#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace hiple {

/// The file system of a file has no locks.
class NoFileLocks : public Error {
 public:
  using Error::Error;
};

/// The kernel's lock on a file: an exclusive open file description lock (F_OFD_SETLK, fcntl(2)). At any time one description at
/// most holds it, over all processes of a host, and over hosts where the file system's locks reach them (NFS, Lustre with
/// `flock`). It goes with the holder's last descriptor, so with its process, however that ends: there is no stale lock of a
/// process that is gone. exec closes the descriptor, so that no program inherits it.
///
/// The file stays when the lock is released: a lock on a name that comes and goes would be a lock on nothing.
class FileLock {
 public:
  /// Locks `path`, which is made where it is missing; its folder must be there. Nothing where somebody else holds it. Throws
  /// NoFileLocks where the file system has none, Error where the file cannot be opened.
  static std::optional<FileLock> attempt(const std::filesystem::path& path);
  /// The same, where the file is there; nothing also where it is not.
  static std::optional<FileLock> attempt_existing(const std::filesystem::path& path);

  ~FileLock();
  FileLock(FileLock&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  /// Whether `path` still names the file that is locked. Where somebody removed or replaced it, others can lock what is there
  /// now, and this lock protects nothing any more.
  [[nodiscard]] bool is_named() const;

  /// Replaces the file's content, for people and programs that ask who holds the lock. Throws Error.
  void write(std::string_view content) const;

 private:
  static std::optional<FileLock> attempt(const std::filesystem::path& path, int flags);
  FileLock(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace hiple
