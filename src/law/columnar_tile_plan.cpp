#include <algorithm>

#include "law/columnar_constant.hpp"
#include "law/columnar_tile.hpp"

namespace hiple::law::columnar {

using condition::Op;

namespace {

Comparison comparison_of(Op op) {
  switch (op) {
    case Op::less:
      return Comparison::less;
    case Op::less_equal:
      return Comparison::less_equal;
    case Op::greater:
      return Comparison::greater;
    case Op::greater_equal:
      return Comparison::greater_equal;
    default:
      return Comparison::equal;
  }
}

/// The place of T in Storage.
template <class T>
constexpr std::size_t storage_number() {
  constexpr bool same[] = {std::is_same_v<T, double>,       std::is_same_v<T, float>,         std::is_same_v<T, std::int64_t>,
                           std::is_same_v<T, std::int32_t>, std::is_same_v<T, std::uint16_t>, std::is_same_v<T, std::uint8_t>};
  std::size_t number = 0;
  while (!same[number]) ++number;
  return number;
}

}  // namespace

TileReader::TileReader(const Program& program, const Inputs& inputs)
    : circuit_(program.compiled.circuit), inputs_(inputs), values_(circuit_, inputs) {
  for (std::size_t i = 0; i < circuit_.leaves().size(); ++i) {
    if (!program.leaf_is_used[i]) continue;
    const Leaf& leaf = circuit_.leaves()[i];
    const std::uint32_t place = program.place_of_leaf(i);
    if (leaf.kind == Leaf::Kind::known) known_.emplace_back(leaf.a, place);
    if (leaf.kind == Leaf::Kind::status) statuses_.push_back({leaf.a, leaf.b, place});
    if (leaf.kind == Leaf::Kind::compare) plan_comparison(leaf, place);
  }
  for (const Mean& mean : circuit_.means())
    for (const MeanGroup& group : mean.groups)
      for (const auto& [vector, counts] : group.members) values_.need(vector);
  plan_steps();
}

/// The comparisons of a column (none: of all else), after the plane of where it is known.
template <class T>
void TileReader::plan_groups(std::size_t column) {
  const auto& all = groups<T>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vector& vector = circuit_.vectors()[all[i].vector];
    const std::size_t of = vector.kind == Vector::Kind::column ? vector.a : no_number;
    constexpr std::size_t storage = storage_number<T>();
    if (of == column) steps_.push_back({false, storage, i});
  }
}

void TileReader::plan_steps() {
  const auto plan_all = [&](std::size_t column) {
    plan_groups<double>(column);
    plan_groups<float>(column);
    plan_groups<std::int64_t>(column);
    plan_groups<std::int32_t>(column);
    plan_groups<std::uint16_t>(column);
    plan_groups<std::uint8_t>(column);
  };
  for (std::size_t i = 0; i < known_.size(); ++i) {
    steps_.push_back({true, 0, i});
    plan_all(known_[i].first);
  }
  plan_all(no_number);
}

void TileReader::plan_comparison(const Leaf& leaf, std::uint32_t place) {
  const Vector &a = circuit_.vectors()[leaf.a], &b = circuit_.vectors()[leaf.b];
  if (b.kind == Vector::Kind::constant) {
    switch (storage_of(a, inputs_)) {
      case Storage::f64:
        if (!is_stored(a)) values_.need(leaf.a);
        return plan_constant<double>(leaf.a, leaf.op, b.number, place);
      case Storage::f32:
        return plan_constant<float>(leaf.a, leaf.op, b.number, place);
      case Storage::i64:
        return plan_constant<std::int64_t>(leaf.a, leaf.op, b.number, place);
      case Storage::i32:
        return plan_constant<std::int32_t>(leaf.a, leaf.op, b.number, place);
      case Storage::u16:
        return plan_constant<std::uint16_t>(leaf.a, leaf.op, b.number, place);
      case Storage::u8:
        return plan_constant<std::uint8_t>(leaf.a, leaf.op, b.number, place);
    }
  }
  values_.need(leaf.a);
  values_.need(leaf.b);
  pairs_.push_back({leaf.a, leaf.b, place, comparison_of(leaf.op), leaf.op == Op::not_equal});
}

template <class T>
void TileReader::plan_constant(std::uint32_t vector, Op op, double constant, std::uint32_t place) {
  const bool negated = op == Op::not_equal;
  const Narrowed<T> narrowed = narrow<T>(comparison_of(op), constant);
  if (narrowed.fixed) return fixed_.push_back({place, narrowed.all != negated});
  auto& all = groups<T>();
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const Group<T>& group) { return group.vector == vector && group.op == narrowed.op; });
  if (found == all.end()) found = all.insert(all.end(), {vector, narrowed.op, {}, {}, {}});
  found->constants.push_back(narrowed.constant);
  found->places.push_back(place);
  found->negated.push_back(negated);
}

}  // namespace hiple::law::columnar
