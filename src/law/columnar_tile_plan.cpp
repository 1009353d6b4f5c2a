#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// The largest T below a number; nothing where there is none.
template <class T>
std::optional<T> before(T number) {
  if (number == std::numeric_limits<T>::lowest() && std::is_integral_v<T>) return std::nullopt;
  if constexpr (std::is_integral_v<T>) return static_cast<T>(number - 1);
  if (number == -std::numeric_limits<T>::infinity()) return std::nullopt;
  return std::nextafter(number, -std::numeric_limits<T>::infinity());
}

}  // namespace

TileReader::TileReader(const Program& program, const Inputs& inputs)
    : circuit_(program.compiled.circuit), inputs_(inputs), values_(circuit_, inputs) {
  for (std::size_t i = 0; i < circuit_.leaves().size(); ++i) {
    if (!program.leaf_is_used[i]) continue;
    const Leaf& leaf = circuit_.leaves()[i];
    const std::uint32_t place = program.place_of_leaf(i);
    if (leaf.kind == Leaf::Kind::known) known_.push_back({leaf.a, leaf.b, place});
    if (leaf.kind == Leaf::Kind::invalid) invalid_.push_back({leaf.a, place});
    if (leaf.kind == Leaf::Kind::status) statuses_.push_back({leaf.a, leaf.b, place});
    if (leaf.kind == Leaf::Kind::compare) plan_comparison(leaf, place);
  }
  for (const Mean& mean : circuit_.means())
    for (const MeanGroup& group : mean.groups)
      for (const auto& [vector, counts] : group.members) values_.need(vector);
  plan_finite();
  // Values of one type after the other, so that what is asked for ahead is as long as what is read.
  std::size_t storage = 0;
  const auto plan = [&](const auto& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) steps_.push_back({storage, i});
    ++storage;
  };
  std::apply([&](const auto&... groups) { (plan(groups), ...); }, groups_);
}

/// What is no number is invalid, whatever the cell says: it would compare as FALSE with everything.
void TileReader::plan_finite() {
  for (const auto& [column, vector, place] : known_) {
    if (storage_of(circuit_.vectors()[vector], inputs_) != Storage::f64) continue;
    Group<double>& group = group_of<double>(vector);
    group.tests.push_back({.kind = Test<double>::Kind::finite});
    group.known = place;
  }
}

void TileReader::plan_comparison(const Leaf& leaf, std::uint32_t place) {
  const Vector &a = circuit_.vectors()[leaf.a], &b = circuit_.vectors()[leaf.b];
  if (is_stored(a) && b.kind == Vector::Kind::constant) {
    switch (storage_of(a, inputs_)) {
      case Storage::f64:
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
TileReader::Group<T>& TileReader::group_of(std::uint32_t vector) {
  auto& all = std::get<std::vector<Group<T>>>(groups_);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Group<T>& group) { return group.vector == vector; });
  if (found != all.end()) return *found;
  all.push_back({vector, {}, {}});
  return all.back();
}

/// All orders become `greater`: than the number before, or not.
template <class T>
void TileReader::plan_constant(std::uint32_t vector, Op op, double constant, std::uint32_t place) {
  const Narrowed<T> narrowed = narrow<T>(comparison_of(op), constant);
  if (narrowed.fixed) return fixed_.push_back({place, narrowed.all != (op == Op::not_equal)});
  Test<T> test{.constant = narrowed.constant};
  if (narrowed.op == Comparison::equal) test.kind = Test<T>::Kind::equal;
  test.negated = op == Op::not_equal || narrowed.op == Comparison::less || narrowed.op == Comparison::less_equal;
  if (narrowed.op == Comparison::less || narrowed.op == Comparison::greater_equal) {
    const std::optional<T> smaller = before(narrowed.constant);
    if (!smaller) return fixed_.push_back({place, narrowed.op == Comparison::greater_equal});
    test.constant = *smaller;
  }
  Group<T>& group = group_of<T>(vector);
  group.tests.push_back(test);
  group.places.push_back(place);
}

}  // namespace hiple::law::columnar
