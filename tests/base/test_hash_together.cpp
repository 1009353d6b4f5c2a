#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <memory>
#include <random>

#include "base/hash_together.hpp"

namespace hiple {
namespace {

using sha256_compress::Way;

std::vector<Way> ways() {
  std::vector<Way> all = {sha256_compress::by_vectors()};
  if (const auto instructions = sha256_compress::by_instructions()) all.push_back(*instructions);
  return all;
}

/// Streams of all lengths around the ends of blocks, fed in pieces that end anywhere, against libcrypto.
void expect_the_digests_of_libcrypto(const Way& way) {
  SCOPED_TRACE(way.name + std::string(" ") + std::to_string(way.lanes));
  std::mt19937_64 random(5);
  for (const std::size_t count : {1U, 2U, 3U, 9U, 40U}) {
    std::vector<Sha256Stream> streams(count);
    std::vector<Sha256> wanted(count);
    for (int round = 0; round < 12; ++round) {
      std::vector<std::vector<std::byte>> bytes(count);
      std::vector<Sha256Stream::Piece> pieces;
      for (std::size_t i = 0; i < count; ++i) {
        bytes[i].resize(random() % 3 == 0 ? 64 * (random() % 9) : random() % 130);
        for (std::byte& byte : bytes[i]) byte = static_cast<std::byte>(random());
        wanted[i].update(bytes[i]);
        if (!bytes[i].empty()) pieces.push_back({&streams[i], bytes[i]});
      }
      Sha256Stream::update(pieces, way);
    }
    std::vector<Sha256Stream*> all;
    for (Sha256Stream& stream : streams) all.push_back(&stream);
    const std::vector<Sha256::Bytes> found = Sha256Stream::digests(all, way);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(hexadecimal(found[i]), wanted[i].digest()) << i << " of " << count;
  }
}

TEST(Sha256Together, IsWhatLibcryptoFinds) {
  for (const Way& way : ways()) expect_the_digests_of_libcrypto(way);
  expect_the_digests_of_libcrypto(Sha256Stream::best_way());
}

TEST(Sha256Together, EveryInstructionSetAgrees) {
  for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    SCOPED_TRACE(hwy::TargetName(rest & -rest));
    hwy::SetSupportedTargetsForTest(rest & -rest);
    expect_the_digests_of_libcrypto(sha256_compress::by_vectors());
  }
  hwy::SetSupportedTargetsForTest(0);
}

/// Whatever was left of the last block counts: 55, 56, 63 and 64 bytes end in one or in two.
TEST(Sha256Together, EveryLengthEndsRight) {
  for (const Way& way : ways())
    for (std::size_t length = 0; length <= 200; ++length) {
      const std::vector<std::byte> bytes(length, std::byte{0xA5});
      Sha256Stream stream;
      const std::array<Sha256Stream::Piece, 1> piece = {{{&stream, bytes}}};
      Sha256Stream::update(piece, way);
      const std::array<Sha256Stream*, 1> one = {&stream};
      EXPECT_EQ(hexadecimal(Sha256Stream::digests(one, way).front()), Sha256().update(bytes).digest()) << length;
    }
}

}  // namespace
}  // namespace hiple
