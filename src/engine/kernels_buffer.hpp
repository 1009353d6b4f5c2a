#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace hiple::engine {

/// A fixed number of values, zero at first, at a multiple of 64 bytes: a cache line, and the widest vector register.
template <typename Value>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size > 0) values_.reset(new (std::align_val_t{64}) Value[size]());
  }

  [[nodiscard]] Value* data() { return values_.get(); }
  [[nodiscard]] const Value* data() const { return values_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Release {
    void operator()(Value* values) const { ::operator delete[](values, std::align_val_t{64}); }
  };
  std::unique_ptr<Value[], Release> values_;
  std::size_t size_ = 0;
};

}  // namespace hiple::engine
