#include "law/leaf_coder.hpp"

#include <cstring>
#include <numeric>
#include <span>

namespace hiple::law {

namespace {

void append(LeafMessage& message, std::span<const std::byte> bytes) { message.insert(message.end(), bytes.begin(), bytes.end()); }

}  // namespace

void LeafCoder::insert(std::uint64_t key, const Digest& digest) {
  const auto number = static_cast<std::uint32_t>(digests_.size());
  digests_.push_back(digest);
  is_here_.push_back(0);
  rank_.push_back(0);
  if (8 * digests_.size() > entries_.size()) {
    const auto old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    --shift_;
    for (const Entry& entry : old)
      if (entry.key != no_key) *places().find(entry.key) = entry;
  }
  *places().find(key) = {key, number};
}

/// Digests from `known` on are new.
void LeafCoder::put_in_order(std::size_t known) {
  const auto ascending = [&](std::uint32_t a, std::uint32_t b) { return digests_[a] < digests_[b]; };
  const auto middle = static_cast<std::ptrdiff_t>(known);
  order_.resize(digests_.size());
  std::iota(order_.begin() + middle, order_.end(), static_cast<std::uint32_t>(known));
  std::sort(order_.begin() + middle, order_.end(), ascending);
  std::inplace_merge(order_.begin(), order_.begin() + middle, order_.end(), ascending);
}

void LeafCoder::write(std::size_t count, LeafMessage& message) {
  const std::size_t start = message.size();
  std::uint64_t present = 0;
  append(message, std::as_bytes(std::span(&present, 1)));
  for (const std::uint32_t number : order_) {
    if (is_here_[number] == 0) continue;
    is_here_[number] = 0;
    rank_[number] = static_cast<std::uint16_t>(present++);
    append(message, std::as_bytes(std::span(digests_[number])));
  }
  std::memcpy(message.data() + start, &present, sizeof present);
  const std::uint32_t* numbers = numbers_.data();
  const std::uint16_t* rank = rank_.data();
  const std::size_t codes = message.size(), bytes = present <= 256 ? 1 : 2;
  message.resize(codes + bytes * count);
  std::byte* to = message.data() + codes;
  if (bytes == 1)
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>(rank[numbers[i]]);
  else
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + 2 * i, rank + numbers[i], 2);
}

}  // namespace hiple::law
