#pragma once

#include <functional>

namespace hiple {

/// While it exists, this process asks before it gives a file its final name (publish_file, and with it write_file and every
/// HDF5 file): `check` throws where that is no longer this process's right, and the file that was to be published is removed.
/// One at a time in a process.
class PublishGuard {
 public:
  explicit PublishGuard(std::function<void()> check);
  ~PublishGuard();
  PublishGuard(const PublishGuard&) = delete;
  PublishGuard& operator=(const PublishGuard&) = delete;
};

/// Asks the guard, if there is one. For what changes a published file in another way than publish_file.
void check_may_publish();

}  // namespace hiple
