#include "base/publish_guard.hpp"

#include <cassert>
#include <utility>

namespace hiple {

namespace {

/// The process's: the files that it writes are written by code that knows of no guard, and one that forgot to pass it on would
/// write unguarded.
std::function<void()>& guard_of_process() {
  static std::function<void()> guard;
  return guard;
}

}  // namespace

PublishGuard::PublishGuard(std::function<void()> check) {
  assert(!guard_of_process());
  guard_of_process() = std::move(check);
}

PublishGuard::~PublishGuard() { guard_of_process() = nullptr; }

void check_may_publish() {
  if (guard_of_process()) guard_of_process()();
}

}  // namespace hiple
