#include "engine/kernels_buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace hiple::engine {
namespace {

constexpr std::size_t cache_line = 64, huge_page = std::size_t{1} << 21;

}  // namespace

void* allocate_zeros(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page / 4 ? huge_page : cache_line;
  const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
  void* memory = size < bytes ? nullptr : std::aligned_alloc(alignment, size);
  if (memory == nullptr) throw std::bad_alloc();
  // A wish: where it is refused, small pages do.
  if (alignment == huge_page) (void)madvise(memory, size, MADV_HUGEPAGE);
  return std::memset(memory, 0, size);
}

void release_zeros(void* memory) noexcept { std::free(memory); }

}  // namespace hiple::engine
