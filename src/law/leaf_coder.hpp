#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "law/root.hpp"

namespace hiple::law {

/// Codes what each case of a leaf has (see root.hpp): few different keys, each with a digest. What is known of keys stays from
/// leaf to leaf.
class LeafCoder {
 public:
  /// Appends coded(cases): `key_of(i)` is a case's key, any but `no_key`, and `digest_of(i)` is asked once for a key.
  template <class KeyOf, class DigestOf>
  void code(std::size_t count, KeyOf key_of, DigestOf digest_of, LeafMessage& message) {
    const std::size_t known = digests_.size();
    std::uint32_t* numbers = numbers_.data();
    Places places = this->places();  // in registers: stores of bytes could change whatever is in memory
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t key = key_of(i);
      const Entry* entry = places.find(key);
      if (entry->key == no_key) {
        insert(key, digest_of(i));
        places = this->places();
        entry = places.find(key);
      }
      numbers[i] = entry->number;
      places.is_here[entry->number] = 1;
    }
    if (digests_.size() > known) put_in_order(known);
    write(count, message);
  }
  /// Appends coded(cases) where `before` begins with what they had, and only those at `places`, ascending, may have another key
  /// now: what they all have is not looked at. How long the old one is.
  template <class KeyOf, class DigestOf>
  std::size_t code_again(std::span<const std::byte> before, std::size_t count, std::span<const std::uint16_t> places,
                         KeyOf key_of, DigestOf digest_of, LeafMessage& message) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::uint64_t key = key_of(places[k]);
      if (this->places().find(key)->key == no_key) insert(key, digest_of(places[k]));
      numbers_[k] = this->places().find(key)->number;
    }
    return write_again(before, count, places, message);
  }
  static constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();

 private:
  struct Entry {
    std::uint64_t key = no_key;
    std::uint32_t number = 0;  ///< of its digest
  };

  /// Where keys are, until one is inserted.
  struct Places {
    Entry* entries;
    std::size_t mask;
    unsigned shift;
    std::uint8_t* is_here;
    /// The key's entry, or the empty one where it belongs.
    [[nodiscard]] Entry* find(std::uint64_t key) const {
      std::size_t at = (key * 0x9e3779b97f4a7c15ULL) >> shift;
      while (entries[at].key != key && entries[at].key != no_key) at = (at + 1) & mask;
      return entries + at;
    }
  };
  [[nodiscard]] Places places() { return {entries_.data(), entries_.size() - 1, shift_, is_here_.data()}; }
  void insert(std::uint64_t key, const Digest& digest);
  void put_in_order(std::size_t known);
  void write(std::size_t count, LeafMessage& message);
  std::size_t write_again(std::span<const std::byte> before, std::size_t count, std::span<const std::uint16_t> places,
                          LeafMessage& message);

  std::vector<Entry> entries_ = std::vector<Entry>(64);  // with linear probing, at most an eighth full: hardly ever two steps
  unsigned shift_ = 58;
  std::vector<Digest> digests_;
  std::vector<std::uint32_t> order_;                   // of the digests, ascending
  std::vector<std::uint8_t> is_here_;                  // of each digest: in this leaf
  std::vector<std::uint16_t> rank_;                    // of each that is here, among them
  std::array<std::uint32_t, cases_a_leaf> numbers_{};  // of each case's digest
};

}  // namespace hiple::law
