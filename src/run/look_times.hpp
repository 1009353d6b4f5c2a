#pragma once

#include <chrono>

namespace hiple {

/// When a process that waits for files looks at them: twice a second, and for a while after every "look now" ten times: a network
/// file system may show a file later than a message tells of it.
class LookTimes {
 public:
  /// How long it sleeps between two questions.
  static constexpr std::chrono::milliseconds tick{20};

  /// Whether it should look. `told`: somebody said "look now".
  bool due(bool told) {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (told) often_until_ = now + 1s;
    if (!told && now < next_) return false;
    next_ = now + (now < often_until_ ? 100ms : 500ms);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_, often_until_;
};

}  // namespace hiple
