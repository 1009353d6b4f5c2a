#include "law/columnar_circuit.hpp"

#include <bit>
#include <limits>

#include "base/error.hpp"

namespace hiple::law::columnar {

Circuit::Circuit() : gates_{{Gate::Kind::constant, 0, 0}, {Gate::Kind::constant, 1, 0}} {}

std::size_t Circuit::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.kind;
  for (const std::uint64_t part : {key.a, key.b, key.c, key.d}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

/// The number of what the key says, `next` if it is new.
std::uint32_t Circuit::number(std::unordered_map<Key, std::uint32_t, KeyHash>& table, const Key& key, std::size_t next) {
  if (next >= std::numeric_limits<std::uint32_t>::max()) throw Error("the law has too many conditions to be compiled");
  return table.try_emplace(key, static_cast<std::uint32_t>(next)).first->second;
}

Plane Circuit::gate(const Gate& gate) {
  const Plane plane = number(gate_of_, {static_cast<std::uint64_t>(gate.kind), gate.a, gate.b, 0, 0}, gates_.size());
  if (plane == gates_.size()) gates_.push_back(gate);
  return plane;
}

Plane Circuit::leaf(const Leaf& leaf) {
  const Key key = {static_cast<std::uint64_t>(leaf.kind), static_cast<std::uint64_t>(leaf.op), leaf.a, leaf.b, 0};
  const std::uint32_t index = number(leaf_of_, key, leaves_.size());
  if (index == leaves_.size()) leaves_.push_back(leaf);
  return gate({Gate::Kind::leaf, index, 0});
}

std::uint32_t Circuit::vector(const Vector& vector) {
  const Key key = {static_cast<std::uint64_t>(vector.kind), vector.a, vector.b, std::bit_cast<std::uint64_t>(vector.number),
                   std::bit_cast<std::uint64_t>(vector.offset)};
  const std::uint32_t index = number(vector_of_, key, vectors_.size());
  if (index == vectors_.size()) vectors_.push_back(vector);
  return index;
}

std::pair<Plane, Plane> Circuit::mean(Mean mean) {
  const auto index = static_cast<std::uint32_t>(means_.size());
  means_.push_back(std::move(mean));
  return {gate({Gate::Kind::mean, index, 0}), gate({Gate::Kind::mean, index, 1})};
}

// Complements are drawn outwards (De Morgan), to where the next gate takes them in without a gate of their own.
Plane Circuit::both(Plane a, Plane b) {
  if (a > b) std::swap(a, b);
  if (a == nowhere) return nowhere;
  if (a == everywhere || a == b) return b;
  if (is(a, Gate::Kind::complement) && is(b, Gate::Kind::complement)) return complement(either(gates_[a].a, gates_[b].a));
  if (is(a, Gate::Kind::complement)) return without(b, gates_[a].a);
  if (is(b, Gate::Kind::complement)) return without(a, gates_[b].a);
  return gate({Gate::Kind::conjunction, a, b});
}

Plane Circuit::either(Plane a, Plane b) {
  if (a > b) std::swap(a, b);
  if (a == nowhere || a == b) return b;
  if (a == everywhere) return everywhere;
  if (is(a, Gate::Kind::complement) && is(b, Gate::Kind::complement)) return complement(both(gates_[a].a, gates_[b].a));
  if (is(a, Gate::Kind::complement)) return complement(without(gates_[a].a, b));
  if (is(b, Gate::Kind::complement)) return complement(without(gates_[b].a, a));
  // (x & y) | (x & ~y): what is TRUE or FALSE of an atom is what is known.
  for (const auto& [one, other] : {std::pair(gates_[a], gates_[b]), std::pair(gates_[b], gates_[a])}) {
    if (one.kind != Gate::Kind::conjunction || other.kind != Gate::Kind::without) continue;
    if ((one.a == other.a && one.b == other.b) || (one.b == other.a && one.a == other.b)) return other.a;
  }
  return gate({Gate::Kind::disjunction, a, b});
}

Plane Circuit::without(Plane a, Plane b) {
  if (a == nowhere || b == everywhere || a == b) return nowhere;
  if (b == nowhere) return a;
  if (a == everywhere) return complement(b);
  if (is(a, Gate::Kind::complement)) return complement(either(gates_[a].a, b));
  if (is(b, Gate::Kind::complement)) return both(a, gates_[b].a);
  return gate({Gate::Kind::without, a, b});
}

Plane Circuit::complement(Plane a) {
  if (a == nowhere) return everywhere;
  if (a == everywhere) return nowhere;
  if (is(a, Gate::Kind::complement)) return gates_[a].a;
  return gate({Gate::Kind::complement, a, 0});
}

}  // namespace hiple::law::columnar
