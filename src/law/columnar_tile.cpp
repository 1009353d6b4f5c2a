#include "law/columnar_tile.hpp"

#include <algorithm>

namespace hiple::law::columnar {

void TileReader::read_statuses(std::uint64_t* planes) {
  for (const auto& [engine, wanted, place] : statuses_) {
    std::uint64_t* plane = planes + tile_words * place;
    std::fill(plane, plane + tile_words, 0);
    if (inputs_.judgments(engine) == nullptr) continue;
    const Test<std::uint8_t> test{Test<std::uint8_t>::Kind::equal, false, static_cast<std::uint8_t>(wanted), plane};
    run_tests<std::uint8_t>(values_.statuses(engine), std::span(&test, 1));
  }
}

void TileReader::read_known(std::uint64_t* planes) {
  const auto cells = [&](std::size_t i) {
    return reinterpret_cast<const std::uint8_t*>(inputs_.column(known_[i][0])->cells.data()) + values_.begin();
  };
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const Test<std::uint8_t> test{Test<std::uint8_t>::Kind::equal, false, static_cast<std::uint8_t>(Cell::known),
                                  planes + tile_words * known_[i][2]};
    const bool looks_on = i + 1 < known_.size() && values_.count() == tile_cases;
    run_tests<std::uint8_t>(values_.padded(cells(i)), std::span(&test, 1), looks_on ? cells(i + 1) : nullptr);
  }
}

void TileReader::read_invalid(std::uint64_t* planes) {
  for (const auto& [column, place] : invalid_) {
    const Test<std::uint8_t> test{Test<std::uint8_t>::Kind::equal, false, static_cast<std::uint8_t>(Cell::invalid),
                                  planes + tile_words * place};
    const auto* cells = reinterpret_cast<const std::uint8_t*>(inputs_.column(column)->cells.data()) + values_.begin();
    run_tests<std::uint8_t>(values_.padded(cells), std::span(&test, 1));
  }
}

/// Where the values of a step stand in the table; null where they do not stand there one after the other.
const void* TileReader::stored_at(std::size_t number) {
  if (number >= steps_.size() || values_.count() < tile_cases) return nullptr;
  std::uint32_t vector = 0;
  with_group(steps_[number], [&](const auto& group) { vector = group.vector; });
  const Vector& values = circuit_.vectors()[vector];
  if (values.kind != Vector::Kind::column) return nullptr;
  return std::visit([&](const auto& all) -> const void* { return all.data() + values_.begin(); },
                    inputs_.column(values.a)->values);
}

template <class T>
void TileReader::run_group(Group<T>& group, const void* next, std::uint64_t* planes) {
  for (std::size_t k = 0; k < group.places.size(); ++k) group.tests[k].plane = planes + tile_words * group.places[k];
  if (group.known != nowhere) group.tests.back().plane = group.finite.data();
  run_tests<T>(values_.values<T>(group.vector), group.tests, next);
  if (group.known == nowhere) return;
  std::uint64_t* known = planes + tile_words * group.known;
  for (std::size_t i = 0; i < tile_words; ++i) known[i] &= group.finite[i];
}

void TileReader::read(std::size_t begin, std::size_t count, std::uint64_t* planes) {
  values_.go_to(begin, count);
  read_statuses(planes);
  read_known(planes);
  read_invalid(planes);
  for (const Fixed& fixed : fixed_) {
    std::uint64_t* plane = planes + tile_words * fixed.place;
    std::fill(plane, plane + tile_words, fixed.value ? ~std::uint64_t{0} : 0);
  }
  for (std::size_t i = 0; i < steps_.size(); ++i)
    with_group(steps_[i], [&](auto& group) { run_group(group, stored_at(i + 1), planes); });
  for (const Pair& pair : pairs_) {
    std::uint64_t* plane = planes + tile_words * pair.place;
    compare_pairs(values_.numbers(pair.a), pair.op, values_.numbers(pair.b), plane);
    if (pair.negated)
      for (std::size_t i = 0; i < tile_words; ++i) plane[i] = ~plane[i];
  }
}

}  // namespace hiple::law::columnar
