#include "scaling/measure/heap.hpp"

#include <malloc.h>

namespace hiple::scaling {

std::uint64_t heap_bytes() {
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace hiple::scaling
