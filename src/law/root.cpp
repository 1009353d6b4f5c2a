#include "law/root.hpp"

namespace hiple::law {

namespace {

// Leaves and inner nodes are hashed with different first bytes, so that one can never pass for the other.
Digest tree(std::span<const Digest> leaves) {
  if (leaves.size() == 1) return leaves[0];
  std::size_t left = 1;
  while (2 * left < leaves.size()) left *= 2;
  const Digest a = tree(leaves.first(left)), b = tree(leaves.subspan(left));
  return Sha256().update("\1").update(a).update(b).bytes();
}

}  // namespace

std::string root_of(std::span<const Digest> leaves) {
  if (leaves.empty()) return sha256("");
  return hexadecimal(tree(leaves));
}

}  // namespace hiple::law
