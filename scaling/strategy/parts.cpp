#include "scaling/strategy/parts.hpp"

#include <limits>

#include "base/error.hpp"

namespace hiple::scaling {

int message_count(std::size_t numbers) {
  if (numbers > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error("a message of " + std::to_string(numbers) + " elements: MPI counts to 2147483647");
  return static_cast<int>(numbers);
}

Parts parts_of(const std::vector<std::size_t>& sizes) {
  Parts parts;
  std::size_t place = 0;
  for (const std::size_t size : sizes) {
    parts.counts.push_back(message_count(size));
    parts.places.push_back(message_count(place));
    place += size;
  }
  message_count(place);
  return parts;
}

Parts divide(std::size_t numbers, int ranks) {
  const auto count = static_cast<std::size_t>(ranks);
  std::vector<std::size_t> sizes(count);
  for (std::size_t i = 0; i < count; ++i) sizes[i] = numbers * (i + 1) / count - numbers * i / count;
  return parts_of(sizes);
}

}  // namespace hiple::scaling
