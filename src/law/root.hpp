#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "law/decision.hpp"

/// The root of decisions, by which two runs are compared. Version 3 of its definition:
///
///     number(n)   8 bytes, little endian            text(t)  number(its length) and its bytes
///     answer      SHA-256 of text(question) text(status) text(reason) text(finding) text(rule@version) number(flags),
///                 empty texts where there is none
///     path        SHA-256 of number(rounds) and text(engine) of each engine consulted, ascending
///     coded(d)    number of different digests, these in ascending order, then for each case the place of its own among them, in
///                 1 byte where there are at most 256, else in 2, little endian
///     ids         number(the first), then the difference of each to the one before, seven bits a byte from the lowest on, all
///     but
///                 the last of them with the highest bit set (LEB128)
///     leaf        SHA-256 of a zero byte, number(cases), ids, coded(answers) of each question in ascending order of names,
///                 coded(paths): of 4096 cases in the order of their ids, the last of what is left
///     root        of the leaves as in RFC 6962, 2.1, without leaves SHA-256 of nothing
namespace hiple::law {

inline constexpr std::size_t cases_a_leaf = 4096;

using Digest = Sha256::Bytes;

/// What a leaf is hashed of, its first byte included. Arrays stand in it as they lie in memory.
using LeafMessage = std::vector<std::byte>;

/// Hashes blocks of decisions of one law, several at once. One for each thread.
class LeafHasher {
 public:
  /// Names are taken from `names`; its cases do not matter. Must outlive it.
  explicit LeafHasher(const Decisions& names);
  ~LeafHasher();
  LeafHasher(const LeafHasher&) = delete;
  LeafHasher& operator=(const LeafHasher&) = delete;

  /// How many leaves are worth being hashed together.
  static std::size_t together();
  /// One leaf more, of at most cases_a_leaf cases: answers [cases, questions], rounds [cases], consulted [cases, words]. Throws
  /// Error where an index is out of range, or case ids are not ascending.
  void add(std::span<const std::uint64_t> case_ids, const Decision* answers, const std::uint8_t* rounds,
           const std::uint64_t* consulted);
  /// The same, where all that a leaf has stands in `before`, its old message, but for the cases at `places`, ascending: of the
  /// others, only their ids must be the same; what they have is not looked at. Throws Error where this is no message of a leaf.
  void add_again(const LeafMessage& before, std::span<const std::uint16_t> places, std::size_t cases, const Decision* answers,
                 const std::uint8_t* rounds, const std::uint64_t* consulted);
  /// The digests of the leaves since the last call, in their order.
  std::vector<Digest> digests();
  /// What the leaf of that place among the digests was hashed of, until the next one is added. May be moved from.
  LeafMessage& message(std::size_t place);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// The root of the leaves, as 64 hexadecimal digits.
std::string root_of(std::span<const Digest> leaves);

}  // namespace hiple::law
