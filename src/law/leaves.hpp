#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "law/root.hpp"

namespace hiple::law {

/// The leaves of the root of decisions, with what they were hashed of: some bytes a case. Where a few cases of many leaves
/// change, these are hashed again without a look at the decisions of all of their cases.
class Leaves {
 public:
  /// `threads` share the leaves. Throws Error where an index is out of range, sizes do not fit, or case ids are not ascending.
  explicit Leaves(const Decisions& decisions, int threads = 1);

  /// The cases at `rows`, ascending, were decided again: `decisions` holds the same cases and questions as before, and others
  /// have what they had, but for the places of rules in it. `threads` share the leaves that hold one of the rows.
  void update(const Decisions& decisions, std::span<const std::uint32_t> rows, int threads = 1);

  [[nodiscard]] std::size_t cases() const { return cases_; }
  [[nodiscard]] const std::vector<Digest>& digests() const { return digests_; }

 private:
  std::size_t cases_;
  std::vector<LeafMessage> messages_;
  std::vector<Digest> digests_;
};

}  // namespace hiple::law
