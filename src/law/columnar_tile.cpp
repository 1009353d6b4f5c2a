#include "law/columnar_tile.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/date.hpp"
#include "base/error.hpp"
#include "condition/compare.hpp"

namespace hiple::law::columnar {

using condition::Op;

namespace {

/// How the values of a vector are stored.
enum class Storage : std::uint8_t { f64, f32, i64, i32, u16, u8 };

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

/// The same comparison with a constant of another type: for every value of T, value `op` constant. Nothing where the constant
/// lies beyond T, and all values compare alike: then `all` says how.
template <class T>
struct Narrowed {
  bool fixed = false, all = false;
  Comparison op = Comparison::equal;
  T constant{};
};

/// Between two neighbours of T a constant is moved to the one that keeps the comparison.
template <class T>
Narrowed<T> narrow(Comparison op, double constant) {
  Narrowed<T> result{false, false, op, {}};
  if (std::isnan(constant)) return {true, false, op, {}};
  if constexpr (std::is_same_v<T, double>) {
    result.constant = constant;
    return result;
  }
  double low = constant, high = constant;  // the neighbours, as doubles
  if constexpr (std::is_integral_v<T>) {
    low = std::floor(constant);
    high = std::ceil(constant);
    // Both are powers of two or exact: the largest int64 is not, the number after it is.
    constexpr double least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double beyond = 2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
    const bool is_less = op == Comparison::less || op == Comparison::less_equal;
    const bool is_greater = op == Comparison::greater || op == Comparison::greater_equal;
    if (low >= beyond || (op == Comparison::greater_equal && high >= beyond)) return {true, is_less, op, {}};
    if (high < least) return {true, is_greater, op, {}};
    if (op == Comparison::less && high >= beyond) return {true, true, op, {}};
    if (low < least) return {true, is_greater, op, {}};
  } else {
    auto nearest = static_cast<float>(constant);
    if (static_cast<double>(nearest) > constant) nearest = std::nextafter(nearest, -std::numeric_limits<float>::infinity());
    low = nearest;
    if (low != constant) high = std::nextafter(nearest, std::numeric_limits<float>::infinity());
  }
  if (op == Comparison::equal && low != constant) return {true, false, op, {}};
  const bool upper = op == Comparison::less || op == Comparison::greater_equal;
  result.constant = static_cast<T>(upper ? high : low);
  return result;
}

Storage storage_of(const Vector& vector, const Inputs& inputs) {
  switch (vector.kind) {
    case Vector::Kind::label:
      return Storage::u16;
    case Vector::Kind::confidence:
    case Vector::Kind::typicality:
    case Vector::Kind::value:
    case Vector::Kind::probability:
      return Storage::f32;
    case Vector::Kind::column:
      break;
    default:
      return Storage::f64;
  }
  const Column* column = inputs.column(vector.a);
  if (column == nullptr) throw Error("a column that the law does not read");
  constexpr Storage by_index[] = {Storage::f64, Storage::i64, Storage::i32, Storage::u8};
  return by_index[column->values.index()];
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

bool is_stored(const Vector& vector) { return vector.kind >= Vector::Kind::column && vector.kind <= Vector::Kind::probability; }

}  // namespace

template <class T>
std::vector<TileReader::Group<T>>& TileReader::groups() {
  return std::get<std::vector<Group<T>>>(groups_);
}

TileReader::TileReader(const Program& program, const Inputs& inputs)
    : circuit_(program.compiled.circuit),
      inputs_(inputs),
      numbers_(circuit_.vectors().size()),
      scratch_(tile_cases),
      status_(tile_cases),
      alignment_(program.compiled.waiting.size()) {
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
      for (const auto& [vector, counts] : group.members) need_vector(vector);
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

/// A vector that is computed, or is computed with.
void TileReader::need_vector(std::uint32_t number) {
  if (!numbers_[number].empty()) return;
  const Vector& vector = circuit_.vectors()[number];
  numbers_[number].resize(tile_cases);
  if (vector.kind >= Vector::Kind::minus) need_vector(vector.a);
  if (vector.kind >= Vector::Kind::add && vector.kind <= Vector::Kind::divide) need_vector(vector.b);
  needed_.push_back(number);
}

void TileReader::plan_comparison(const Leaf& leaf, std::uint32_t place) {
  const Vector &a = circuit_.vectors()[leaf.a], &b = circuit_.vectors()[leaf.b];
  if (b.kind == Vector::Kind::constant) {
    switch (storage_of(a, inputs_)) {
      case Storage::f64:
        if (!is_stored(a)) need_vector(leaf.a);
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
  need_vector(leaf.a);
  need_vector(leaf.b);
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

void TileReader::align_engine(std::size_t engine) {
  Alignment& alignment = alignment_[engine];
  alignment.direct = false;
  if (inputs_.judgments(engine) == nullptr || count_ < tile_cases) return;
  const auto entries = inputs_.entries(engine).subspan(begin_, count_);
  if (entries[0] == Inputs::no_entry) return;
  std::uint32_t differs = 0;
  for (std::uint32_t i = 0; i < count_; ++i) differs |= entries[i] ^ (entries[0] + i);
  alignment.direct = differs == 0;
  alignment.first = entries[0];
}

/// The tile's values of an engine, zero where it has no entry.
template <class T>
const T* TileReader::engine_values(std::size_t engine, const std::vector<T>& array) {
  if (alignment_[engine].direct) return array.data() + alignment_[engine].first;
  T* out = reinterpret_cast<T*>(scratch_.data());
  std::fill(out, out + tile_cases, T{});
  if (inputs_.judgments(engine) == nullptr) return out;
  const auto entries = inputs_.entries(engine).subspan(begin_, count_);
  for (std::size_t i = 0; i < count_; ++i)
    if (entries[i] != Inputs::no_entry) out[i] = array[entries[i]];
  return out;
}

const float* TileReader::probability_values(std::size_t engine, std::size_t which) {
  float* out = reinterpret_cast<float*>(scratch_.data());
  std::fill(out, out + tile_cases, 0.0F);
  const std::span<const float> all = inputs_.probabilities(engine);
  if (all.empty()) return out;
  const std::size_t classes = inputs_.judgments(engine)->classes.size();
  const auto entries = inputs_.entries(engine).subspan(begin_, count_);
  for (std::size_t i = 0; i < count_; ++i)
    if (entries[i] != Inputs::no_entry) out[i] = all[entries[i] * classes + which];
  return out;
}

/// A whole tile's values: where the table ends earlier, a copy.
template <class T>
const T* TileReader::padded(const T* values) {
  if (count_ == tile_cases) return values;
  T* out = reinterpret_cast<T*>(scratch_.data());
  std::copy(values, values + count_, out);
  std::fill(out + count_, out + tile_cases, T{});
  return out;
}

template <class T>
const T* TileReader::values(std::uint32_t number) {
  const Vector& vector = circuit_.vectors()[number];
  if constexpr (std::is_same_v<T, double>)
    if (!is_stored(vector)) return numbers_[number].data();
  if constexpr (!std::is_same_v<T, float> && !std::is_same_v<T, std::uint16_t>)
    return padded(std::get<std::vector<T>>(inputs_.column(vector.a)->values).data() + begin_);
  const Judgments* judgments = inputs_.judgments(vector.a);
  if constexpr (std::is_same_v<T, float>) {
    static const std::vector<float> none;
    if (vector.kind == Vector::Kind::probability) return probability_values(vector.a, vector.b);
    const auto array = vector.kind == Vector::Kind::confidence   ? &Judgments::confidence
                       : vector.kind == Vector::Kind::typicality ? &Judgments::typicality
                                                                 : &Judgments::value;
    return engine_values(vector.a, judgments == nullptr ? none : judgments->*array);
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    static const std::vector<std::uint16_t> none;
    const std::uint16_t* labels = engine_values(vector.a, judgments == nullptr ? none : judgments->label);
    const auto numbers = inputs_.class_numbers(vector.a);
    if (numbers.empty()) return labels;
    auto* out = reinterpret_cast<std::uint16_t*>(scratch_.data());  // perhaps in place
    for (std::size_t i = 0; i < tile_cases; ++i) out[i] = labels[i] < numbers.size() ? numbers[labels[i]] : no_label;
    return out;
  }
}

/// The tile's values of a vector as doubles.
const double* TileReader::numbers(std::uint32_t number) { return numbers_[number].data(); }

void TileReader::compute(const Vector& vector, double* out) {
  const auto each = [&](auto&& value) {
    for (std::size_t i = 0; i < tile_cases; ++i) out[i] = static_cast<double>(value(i));
  };
  const auto number = static_cast<std::uint32_t>(&vector - circuit_.vectors().data());
  const double *a = vector.kind >= Vector::Kind::minus ? numbers(vector.a) : nullptr,
               *b = vector.kind >= Vector::Kind::add && vector.kind <= Vector::Kind::divide ? numbers(vector.b) : nullptr;
  switch (vector.kind) {
    case Vector::Kind::constant:
      return each([&](std::size_t) { return vector.number; });
    case Vector::Kind::minus:
      return each([&](std::size_t i) { return -a[i]; });
    case Vector::Kind::absolute:
      return each([&](std::size_t i) { return std::abs(a[i]); });
    case Vector::Kind::age:  // a date that is not known may be any number
      return each([&](std::size_t i) {
        const bool is_date = std::abs(a[i]) <= std::numeric_limits<std::int32_t>::max();
        return is_date ? completed_years(static_cast<std::int32_t>(a[i]), static_cast<std::int32_t>(vector.number)) : 0;
      });
    case Vector::Kind::add:
      return each([&](std::size_t i) { return a[i] + b[i]; });
    case Vector::Kind::subtract:
      return each([&](std::size_t i) { return a[i] - b[i]; });
    case Vector::Kind::multiply:
      return each([&](std::size_t i) { return a[i] * b[i]; });
    case Vector::Kind::divide:
      return each([&](std::size_t i) { return a[i] / b[i]; });
    case Vector::Kind::convert:
      return each([&](std::size_t i) { return a[i] * vector.number + vector.offset; });
    default:
      break;
  }
  const auto copy = [&](const auto* from) { each([&](std::size_t i) { return from[i]; }); };
  switch (storage_of(vector, inputs_)) {
    case Storage::f64:
      return copy(values<double>(number));
    case Storage::f32:
      return copy(values<float>(number));
    case Storage::i64:
      return copy(values<std::int64_t>(number));
    case Storage::i32:
      return copy(values<std::int32_t>(number));
    case Storage::u16:
      return copy(values<std::uint16_t>(number));
    case Storage::u8:
      return copy(values<std::uint8_t>(number));
  }
}

void TileReader::read_known(std::size_t number, std::uint64_t* plane) {
  const Column& column = *inputs_.column(number);
  const auto* cells = padded(reinterpret_cast<const std::uint8_t*>(column.cells.data()) + begin_);
  const std::uint8_t known = static_cast<std::uint8_t>(Cell::known);
  compare_with_constants<std::uint8_t>(cells, Comparison::equal, std::span(&known, 1), &plane);
  const auto* real = std::get_if<std::vector<double>>(&column.values);
  if (real == nullptr) return;
  // What is no number is invalid, whatever the cell says: it would compare as FALSE with everything.
  alignas(64) std::uint64_t finite[tile_words];
  find_finite(padded(real->data() + begin_), finite);
  for (std::size_t i = 0; i < tile_words; ++i) plane[i] &= finite[i];
}

template <class T>
void TileReader::compare_group(const Group<T>& group, std::uint64_t* planes) {
  out_.clear();
  for (const std::uint32_t place : group.places) out_.push_back(planes + tile_words * place);
  compare_with_constants<T>(values<T>(group.vector), group.op, group.constants, out_.data());
  for (std::size_t k = 0; k < out_.size(); ++k)
    if (group.negated[k])
      for (std::size_t i = 0; i < tile_words; ++i) out_[k][i] = ~out_[k][i];
}

void TileReader::read(std::size_t begin, std::size_t count, std::uint64_t* planes) {
  begin_ = begin;
  count_ = count;
  for (std::size_t engine = 0; engine < alignment_.size(); ++engine) align_engine(engine);
  for (const auto& [engine, wanted, place] : statuses_) {
    std::uint64_t* plane = planes + tile_words * place;
    std::fill(plane, plane + tile_words, 0);
    if (inputs_.judgments(engine) == nullptr) continue;
    const auto& all = inputs_.judgments(engine)->status;
    const std::uint8_t status = static_cast<std::uint8_t>(wanted);
    const std::uint8_t* statuses = status_.data();
    if (alignment_[engine].direct) {
      statuses = reinterpret_cast<const std::uint8_t*>(all.data()) + alignment_[engine].first;
    } else {
      const auto entries = inputs_.entries(engine).subspan(begin_, count_);
      for (std::size_t i = 0; i < count_; ++i)
        status_[i] = static_cast<std::uint8_t>(entries[i] == Inputs::no_entry ? JudgmentStatus::absent : all[entries[i]]);
    }
    compare_with_constants<std::uint8_t>(statuses, Comparison::equal, std::span(&status, 1), &plane);
  }
  for (const std::uint32_t number : needed_) compute(circuit_.vectors()[number], numbers_[number].data());
  for (const Fixed& fixed : fixed_) {
    std::uint64_t* plane = planes + tile_words * fixed.place;
    std::fill(plane, plane + tile_words, fixed.value ? ~std::uint64_t{0} : 0);
  }
  for (const Step& step : steps_) {
    if (step.known) {
      read_known(known_[step.index].first, planes + tile_words * known_[step.index].second);
      continue;
    }
    switch (static_cast<Storage>(step.storage)) {
      case Storage::f64:
        compare_group(groups<double>()[step.index], planes);
        break;
      case Storage::f32:
        compare_group(groups<float>()[step.index], planes);
        break;
      case Storage::i64:
        compare_group(groups<std::int64_t>()[step.index], planes);
        break;
      case Storage::i32:
        compare_group(groups<std::int32_t>()[step.index], planes);
        break;
      case Storage::u16:
        compare_group(groups<std::uint16_t>()[step.index], planes);
        break;
      case Storage::u8:
        compare_group(groups<std::uint8_t>()[step.index], planes);
        break;
    }
  }
  for (const Pair& pair : pairs_) {
    std::uint64_t* plane = planes + tile_words * pair.place;
    compare_pairs(numbers(pair.a), pair.op, numbers(pair.b), plane);
    if (pair.negated)
      for (std::size_t i = 0; i < tile_words; ++i) plane[i] = ~plane[i];
  }
}

/// Case by case: sums run in the order of the groups, as in condition/aggregate.cpp.
void TileReader::mean(const Mean& mean, const std::vector<std::uint32_t>& places, std::uint64_t* planes, std::uint64_t* yes,
                      std::uint64_t* no) {
  std::fill(yes, yes + tile_words, 0);
  std::fill(no, no + tile_words, 0);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto has = [&](Plane plane) { return ((planes[tile_words * places[plane] + i / 64] >> (i % 64)) & 1) != 0; };
    double low = 0, high = 0;
    bool first = true;
    for (const MeanGroup& group : mean.groups) {
      double least = 1, most = 0;
      for (const auto& [vector, counts] : group.members) {
        if (!has(counts)) continue;
        least = std::min(least, numbers(vector)[i]);
        most = std::max(most, numbers(vector)[i]);
      }
      if (!has(group.complete)) least = 0, most = 1;
      low = first ? least : low + least;
      high = first ? most : high + most;
      first = false;
    }
    const auto groups = static_cast<double>(mean.groups.size());
    low /= groups;
    high /= groups;
    bool is_yes = false, is_no = false;
    if (mean.op == Op::equal || mean.op == Op::not_equal) {
      const bool equal = low == high && low == mean.constant, apart = !(low <= mean.constant && mean.constant <= high);
      is_yes = mean.op == Op::equal ? equal : apart;
      is_no = mean.op == Op::equal ? apart : equal;
    } else {
      const bool at_low = condition::compare(mean.op, low, mean.constant),
                 at_high = condition::compare(mean.op, high, mean.constant);
      is_yes = at_low && at_high;
      is_no = !at_low && !at_high;
    }
    yes[i / 64] |= std::uint64_t{is_yes} << (i % 64);
    no[i / 64] |= std::uint64_t{is_no} << (i % 64);
  }
}

}  // namespace hiple::law::columnar
