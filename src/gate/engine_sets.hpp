#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace hiple::gate {

/// A set of engines for each row, one bit an engine as in Decisions::consulted: bit e % 64 of word e / 64.
class EngineSets {
 public:
  EngineSets() = default;
  EngineSets(std::size_t rows, std::size_t engines) : words_((engines + 63) / 64), bits_(rows * words_) {}

  void insert(std::size_t row, std::size_t engine) { bits_[row * words_ + engine / 64] |= std::uint64_t{1} << (engine % 64); }
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t row) const { return {bits_.data() + row * words_, words_}; }
  [[nodiscard]] std::span<std::uint64_t> of(std::size_t row) { return {bits_.data() + row * words_, words_}; }
  [[nodiscard]] bool empty() const { return bits_.empty(); }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

inline bool contains(std::span<const std::uint64_t> set, std::size_t engine) {
  return (set[engine / 64] >> (engine % 64) & 1U) != 0;
}

inline std::size_t size_of(std::span<const std::uint64_t> set) {
  std::size_t size = 0;
  for (const std::uint64_t word : set) size += static_cast<std::size_t>(std::popcount(word));
  return size;
}

/// Its engines, ascending.
inline std::vector<std::size_t> members_of(std::span<const std::uint64_t> set) {
  std::vector<std::size_t> members;
  for (std::size_t word = 0; word < set.size(); ++word)
    for (std::uint64_t bits = set[word]; bits != 0; bits &= bits - 1)
      members.push_back(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
  return members;
}

}  // namespace hiple::gate
