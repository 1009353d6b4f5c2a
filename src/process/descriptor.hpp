#pragma once

#include <string>
#include <utility>

namespace hiple::process {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.value_, -1));
    return *this;
  }

  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] bool open() const { return value_ >= 0; }
  void reset(int value = -1);

 private:
  int value_ = -1;
};

/// Throws Error with the system's reason where `result` is negative; `doing` names the call. Returns `result`.
int checked(int result, const std::string& doing);

/// A pipe: what is written to the second is read from the first. Both are closed by exec.
std::pair<Descriptor, Descriptor> make_pipe();

}  // namespace hiple::process
