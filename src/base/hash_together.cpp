#include "base/hash_together.hpp"

#include <algorithm>

namespace hiple {

using sha256_compress::Lane;
using sha256_compress::Way;

namespace {

struct Job {
  Lane lane;
  std::size_t blocks;
};

/// The longest first, so that lanes stay filled until the end.
void run(std::vector<Job>& jobs, const Way& way) {
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.blocks > b.blocks; });
  std::vector<Job> active;
  std::vector<Lane> lanes;
  auto next = jobs.begin();
  while (true) {
    std::erase_if(active, [](const Job& job) { return job.blocks == 0; });
    for (; active.size() < way.lanes && next != jobs.end(); ++next)
      if (next->blocks > 0) active.push_back(*next);
    if (active.empty()) return;
    std::size_t blocks = active.front().blocks;
    lanes.clear();
    for (const Job& job : active) {
      blocks = std::min(blocks, job.blocks);
      lanes.push_back(job.lane);
    }
    way.compress(lanes, blocks);
    for (Job& job : active) {
      job.lane.data += 64 * blocks;
      job.blocks -= blocks;
    }
  }
}

}  // namespace

const Way& Sha256Stream::best_way() {
  static const Way best = sha256_compress::by_instructions().value_or(sha256_compress::by_vectors());
  return best;
}

void Sha256Stream::update(std::span<const Piece> pieces, const Way& way) {
  std::vector<Job> begun, whole;  // blocks that an earlier piece began, and those of this one
  std::vector<Piece> left;
  for (const auto& [stream, bytes] : pieces) {
    const std::size_t held = stream->size_ % block_bytes, taken = held == 0 ? 0 : std::min(block_bytes - held, bytes.size());
    std::copy_n(bytes.data(), taken, stream->rest_.data() + held);
    stream->size_ += bytes.size();
    if (held > 0 && held + taken == block_bytes) begun.push_back({{stream->state_.data(), stream->rest_.data()}, 1});
    const std::span<const std::byte> rest = bytes.subspan(taken);
    const std::size_t blocks = rest.size() / block_bytes;
    whole.push_back({{stream->state_.data(), rest.data()}, blocks});
    left.push_back({stream, rest.subspan(block_bytes * blocks)});
  }
  run(begun, way);
  run(whole, way);
  for (const auto& [stream, bytes] : left) std::copy(bytes.begin(), bytes.end(), stream->rest_.begin());
}

std::vector<Sha256::Bytes> Sha256Stream::digests(std::span<Sha256Stream* const> streams, const Way& way) {
  // FIPS 180-4, 5.1.1: a bit, zeros, and the number of bits, big endian, at the end of a block.
  std::vector<std::vector<std::byte>> endings;
  std::vector<Piece> pieces;
  endings.reserve(streams.size());
  for (Sha256Stream* stream : streams) {
    const std::size_t held = stream->size_ % block_bytes;
    std::vector<std::byte>& ending = endings.emplace_back((held < 56 ? block_bytes : 2 * block_bytes) - held);
    ending.front() = std::byte{0x80};
    for (std::size_t i = 0; i < 8; ++i) ending[ending.size() - 1 - i] = static_cast<std::byte>(8 * stream->size_ >> (8 * i));
    pieces.push_back({stream, ending});
  }
  update(pieces, way);
  std::vector<Sha256::Bytes> digests;
  for (const Sha256Stream* stream : streams) {
    Sha256::Bytes& digest = digests.emplace_back();
    for (std::size_t i = 0; i < digest.size(); ++i)
      digest[i] = static_cast<unsigned char>(stream->state_[i / 4] >> (8 * (3 - i % 4)));
  }
  return digests;
}

}  // namespace hiple
