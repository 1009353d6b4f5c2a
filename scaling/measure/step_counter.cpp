#include "scaling/measure/step_counter.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.hpp"

namespace hiple::scaling {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const char* doing) {
  throw Error(path.string() + ": " + doing + ": " + ::strerror(errno));
}

}  // namespace

StepCounter::StepCounter(const std::filesystem::path& path, int rank, int ranks)
    : size_(static_cast<std::size_t>(ranks) * sizeof(std::uint64_t)) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) fail(path, "cannot be opened");
  if (::ftruncate(file.get(), static_cast<off_t>(size_)) != 0) fail(path, "cannot be sized");
  memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory_ == MAP_FAILED) fail(path, "cannot be mapped");
  own_ = static_cast<std::uint64_t*>(memory_) + rank;
  set(0);
}

StepCounter::~StepCounter() { ::munmap(memory_, size_); }

}  // namespace hiple::scaling
