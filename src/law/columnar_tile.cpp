#include "law/columnar_tile.hpp"

#include <algorithm>

namespace hiple::law::columnar {

void TileReader::read_known(std::size_t number, std::uint64_t* plane) {
  const Column& column = *inputs_.column(number);
  const auto* cells = values_.padded(reinterpret_cast<const std::uint8_t*>(column.cells.data()) + values_.begin());
  const std::uint8_t known = static_cast<std::uint8_t>(Cell::known);
  compare_with_constants<std::uint8_t>(cells, Comparison::equal, std::span(&known, 1), &plane);
  const auto* real = std::get_if<std::vector<double>>(&column.values);
  if (real == nullptr) return;
  // What is no number is invalid, whatever the cell says: it would compare as FALSE with everything.
  alignas(64) std::uint64_t finite[tile_words];
  find_finite(values_.padded(real->data() + values_.begin()), finite);
  for (std::size_t i = 0; i < tile_words; ++i) plane[i] &= finite[i];
}

template <class T>
void TileReader::compare_group(const Group<T>& group, std::uint64_t* planes) {
  out_.clear();
  for (const std::uint32_t place : group.places) out_.push_back(planes + tile_words * place);
  compare_with_constants<T>(values_.values<T>(group.vector), group.op, group.constants, out_.data());
  for (std::size_t k = 0; k < out_.size(); ++k)
    if (group.negated[k])
      for (std::size_t i = 0; i < tile_words; ++i) out_[k][i] = ~out_[k][i];
}

void TileReader::read(std::size_t begin, std::size_t count, std::uint64_t* planes) {
  values_.go_to(begin, count);
  for (const auto& [engine, wanted, place] : statuses_) {
    std::uint64_t* plane = planes + tile_words * place;
    std::fill(plane, plane + tile_words, 0);
    if (inputs_.judgments(engine) == nullptr) continue;
    const auto status = static_cast<std::uint8_t>(wanted);
    compare_with_constants<std::uint8_t>(values_.statuses(engine), Comparison::equal, std::span(&status, 1), &plane);
  }
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
    compare_pairs(values_.numbers(pair.a), pair.op, values_.numbers(pair.b), plane);
    if (pair.negated)
      for (std::size_t i = 0; i < tile_words; ++i) plane[i] = ~plane[i];
  }
}

}  // namespace hiple::law::columnar
