#include "law/columnar_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/date.hpp"
#include "base/error.hpp"

namespace hiple::law::columnar {

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

bool is_stored(const Vector& vector) { return vector.kind >= Vector::Kind::column && vector.kind <= Vector::Kind::probability; }

TileValues::TileValues(const Circuit& circuit, const Inputs& inputs)
    : circuit_(circuit),
      inputs_(inputs),
      numbers_(circuit.vectors().size()),
      scratch_(tile_cases),
      alignment_(inputs.engines()) {}

void TileValues::need(std::uint32_t number) {
  if (!numbers_[number].empty()) return;
  const Vector& vector = circuit_.vectors()[number];
  numbers_[number].resize(tile_cases);
  if (vector.kind >= Vector::Kind::minus) need(vector.a);
  if (vector.kind >= Vector::Kind::add && vector.kind <= Vector::Kind::divide) need(vector.b);
  needed_.push_back(number);
}

void TileValues::go_to(std::size_t begin, std::size_t count) {
  begin_ = begin;
  count_ = count;
  for (std::size_t engine = 0; engine < alignment_.size(); ++engine) align_engine(engine);
  for (const std::uint32_t number : needed_) compute(circuit_.vectors()[number], numbers_[number].data());
}

void TileValues::align_engine(std::size_t engine) {
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
const T* TileValues::engine_values(std::size_t engine, const std::vector<T>& array) {
  if (alignment_[engine].direct) return array.data() + alignment_[engine].first;
  T* out = reinterpret_cast<T*>(scratch_.data());
  std::fill(out, out + tile_cases, T{});
  if (inputs_.judgments(engine) == nullptr) return out;
  const auto entries = inputs_.entries(engine).subspan(begin_, count_);
  for (std::size_t i = 0; i < count_; ++i)
    if (entries[i] != Inputs::no_entry) out[i] = array[entries[i]];
  return out;
}

const float* TileValues::probability_values(std::size_t engine, std::size_t which) {
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
const T* TileValues::padded(const T* values) {
  if (count_ == tile_cases) return values;
  T* out = reinterpret_cast<T*>(scratch_.data());
  std::copy(values, values + count_, out);
  std::fill(out + count_, out + tile_cases, T{});
  return out;
}

template <class T>
const T* TileValues::values(std::uint32_t number) {
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

void TileValues::compute(const Vector& vector, double* out) {
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

const std::uint8_t* TileValues::statuses(std::size_t engine) {
  const auto& all = inputs_.judgments(engine)->status;
  if (alignment_[engine].direct) return reinterpret_cast<const std::uint8_t*>(all.data()) + alignment_[engine].first;
  auto* out = reinterpret_cast<std::uint8_t*>(scratch_.data());
  const auto entries = inputs_.entries(engine).subspan(begin_, count_);
  for (std::size_t i = 0; i < count_; ++i)
    out[i] = static_cast<std::uint8_t>(entries[i] == Inputs::no_entry ? JudgmentStatus::absent : all[entries[i]]);
  return out;
}

template const double* TileValues::padded(const double*);
template const std::uint8_t* TileValues::padded(const std::uint8_t*);
template const double* TileValues::values<double>(std::uint32_t);
template const float* TileValues::values<float>(std::uint32_t);
template const std::int64_t* TileValues::values<std::int64_t>(std::uint32_t);
template const std::int32_t* TileValues::values<std::int32_t>(std::uint32_t);
template const std::uint16_t* TileValues::values<std::uint16_t>(std::uint32_t);
template const std::uint8_t* TileValues::values<std::uint8_t>(std::uint32_t);

}  // namespace hiple::law::columnar
