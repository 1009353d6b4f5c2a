#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "base/sha256_compress.hpp"

namespace hiple {

/// One of several streams of bytes whose SHA-256 is computed together, which is faster than one after the other: within one
/// stream each step waits for the one before. The digests are those of Sha256.
class Sha256Stream {
 public:
  struct Piece {
    Sha256Stream* stream;
    std::span<const std::byte> bytes;
  };
  /// Each stream gets its bytes; no stream is in it twice.
  static void update(std::span<const Piece> pieces, const sha256_compress::Way& way = best_way());
  /// The digest of each. Ends the streams: nothing may follow.
  static std::vector<Sha256::Bytes> digests(std::span<Sha256Stream* const> streams, const sha256_compress::Way& way = best_way());

  /// The fastest way of this machine. Its `lanes` say how many streams are worth being fed together.
  static const sha256_compress::Way& best_way();

 private:
  static constexpr std::size_t block_bytes = 64;
  std::array<std::uint32_t, 8> state_ = sha256_compress::initial;
  std::array<std::byte, block_bytes> rest_{};  ///< the last size_ % 64 bytes
  std::uint64_t size_ = 0;
};

}  // namespace hiple
