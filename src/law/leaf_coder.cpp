#include "law/leaf_coder.hpp"

#include <cstring>
#include <numeric>

#include "base/error.hpp"

namespace hiple::law {

namespace {

void append(LeafMessage& message, std::span<const std::byte> bytes) { message.insert(message.end(), bytes.begin(), bytes.end()); }

/// How many bytes the place of a case's digest takes among so many.
std::size_t code_bytes(std::size_t digests) { return digests <= 256 ? 1 : 2; }

template <class T>
void append_codes(const std::uint16_t* codes, const std::uint16_t* rank, std::size_t count, LeafMessage& message) {
  const std::size_t start = message.size();
  message.resize(start + sizeof(T) * count);
  std::byte* to = message.data() + start;
  for (std::size_t i = 0; i < count; ++i) {
    const T code = static_cast<T>(rank[codes[i]]);
    std::memcpy(to + sizeof(T) * i, &code, sizeof code);
  }
}

/// coded(cases) as it stands in a message.
struct Coded {
  Coded(std::span<const std::byte> bytes, std::size_t count) {
    std::uint64_t digests = 0;
    if (bytes.size() >= sizeof digests) std::memcpy(&digests, bytes.data(), sizeof digests);
    const std::size_t table = sizeof(Digest) * digests;
    size = sizeof digests + table + code_bytes(digests) * count;
    if (digests == 0 || digests > cases_a_leaf || bytes.size() < size) throw Error("root of decisions: no message of a leaf");
    known.resize(digests);
    std::memcpy(known.data(), bytes.data() + sizeof digests, table);
    codes = bytes.subspan(sizeof digests + table, code_bytes(digests) * count);
  }
  std::vector<Digest> known;
  std::span<const std::byte> codes;
  std::size_t size = 0;
};

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
  const std::size_t codes = message.size(), bytes = code_bytes(present);
  message.resize(codes + bytes * count);
  std::byte* to = message.data() + codes;
  if (bytes == 1)
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>(rank[numbers[i]]);
  else
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + 2 * i, rank + numbers[i], 2);
}

/// numbers_ holds the numbers of the digests at `places`.
std::size_t LeafCoder::write_again(std::span<const std::byte> before, std::size_t count, std::span<const std::uint16_t> places,
                                   LeafMessage& message) {
  Coded old(before, count);
  std::vector<Digest>& known = old.known;  // those of before, then new ones: a case's code is a place in it
  const auto middle = static_cast<std::ptrdiff_t>(known.size());
  std::array<std::uint16_t, cases_a_leaf> codes;
  if (known.size() > 256)
    std::memcpy(codes.data(), old.codes.data(), old.codes.size());
  else
    for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<std::uint16_t>(old.codes[i]);
  bool same = true;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Digest& digest = digests_[numbers_[k]];
    if (known[codes[places[k]]] == digest) continue;
    same = false;
    auto found = std::lower_bound(known.begin(), known.begin() + middle, digest);
    if (found == known.begin() + middle || *found != digest) found = std::find(known.begin() + middle, known.end(), digest);
    codes[places[k]] = static_cast<std::uint16_t>(found - known.begin());
    if (found == known.end()) known.push_back(digest);
  }
  if (same) {
    append(message, before.first(old.size));
    return old.size;
  }
  std::vector<std::uint8_t> is_here(known.size(), 0);
  for (std::size_t i = 0; i < count; ++i) is_here[codes[i]] = 1;
  std::vector<std::uint16_t> ascending, rank(known.size());
  for (std::size_t code = 0; code < known.size(); ++code)
    if (is_here[code] != 0) ascending.push_back(static_cast<std::uint16_t>(code));
  std::sort(ascending.begin(), ascending.end(), [&](std::uint16_t a, std::uint16_t b) { return known[a] < known[b]; });
  const std::uint64_t present = ascending.size();
  append(message, std::as_bytes(std::span(&present, 1)));
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    rank[ascending[i]] = static_cast<std::uint16_t>(i);
    append(message, std::as_bytes(std::span(known[ascending[i]])));
  }
  if (code_bytes(present) == 1)
    append_codes<std::uint8_t>(codes.data(), rank.data(), count, message);
  else
    append_codes<std::uint16_t>(codes.data(), rank.data(), count, message);
  return old.size;
}

}  // namespace hiple::law
