#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hiple {

/// Allocator of memory that resize() leaves as the system gave it.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };

  template <class U>
  void construct(U* /*place*/) noexcept {}
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

/// A vector for what is written as a whole right after resize(n), by several threads: new values are not set, so that each thread
/// is the first to touch its part of the memory. To have values, give them: resize(n, value).
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace hiple
