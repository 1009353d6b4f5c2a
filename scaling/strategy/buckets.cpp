#include "scaling/strategy/buckets.hpp"

#include <algorithm>

namespace hiple::scaling {

std::vector<Range> make_buckets(std::size_t numbers, std::size_t bytes) {
  std::vector<Range> buckets;
  std::size_t end = numbers, room = std::min(bytes, first_bucket_bytes) / sizeof(float);
  while (end > 0) {
    const std::size_t size = std::min(end, std::max<std::size_t>(room, 1));
    buckets.push_back({end - size, size});
    end -= size;
    room = bytes / sizeof(float);
  }
  return buckets;
}

}  // namespace hiple::scaling
