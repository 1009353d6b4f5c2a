#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "law/columnar_kernels.hpp"

namespace hiple::law::columnar {
namespace {

constexpr Comparison all_comparisons[] = {Comparison::equal, Comparison::less, Comparison::less_equal, Comparison::greater,
                                          Comparison::greater_equal};

template <class T>
bool compare(Comparison op, T a, T b) {
  switch (op) {
    case Comparison::equal:
      return a == b;
    case Comparison::less:
      return a < b;
    case Comparison::less_equal:
      return a <= b;
    case Comparison::greater:
      return a > b;
    default:
      return a >= b;
  }
}

using Plane = std::vector<std::uint64_t>;

template <class Predicate>
Plane plane_of(Predicate predicate) {
  Plane plane(tile_words);
  for (std::size_t i = 0; i < tile_cases; ++i) plane[i / 64] |= std::uint64_t{predicate(i)} << (i % 64);
  return plane;
}

/// Values that often meet the constants, the largest and smallest, and what is no number.
template <class T>
std::vector<T> values_of(std::mt19937_64& random) {
  std::vector<T> special = {T{0}, T{1}, T{2}, T{100}, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  if constexpr (std::is_floating_point_v<T>) {
    special.insert(special.end(), {T(-0.0), T(0.1), std::nextafter(T(0.1), T(1)), std::numeric_limits<T>::infinity(),
                                   std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::denorm_min()});
  }
  std::vector<T> values(tile_cases);
  for (T& value : values) value = random() % 3 == 0 ? static_cast<T>(random() % 7) : special[random() % special.size()];
  return values;
}

/// Every instruction set of this machine against plain loops.
class Kernels : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_instruction_set(GetParam()); }
  void TearDown() override { use_instruction_set(instruction_sets().front()); }

  template <class T>
  void compares() {
    const std::vector<T> values = values_of<T>(random_), constants(values.begin(), values.begin() + 9);
    for (const Comparison op : all_comparisons) {
      std::vector<Plane> planes(constants.size(), Plane(tile_words));
      std::vector<std::uint64_t*> out;
      for (Plane& plane : planes) out.push_back(plane.data());
      compare_with_constants<T>(values.data(), op, constants, out.data());
      for (std::size_t k = 0; k < constants.size(); ++k)
        EXPECT_EQ(planes[k], plane_of([&](std::size_t i) { return compare(op, values[i], constants[k]); }));
    }
  }

  std::mt19937_64 random_{1};
};

TEST_P(Kernels, IsTheOneInUse) { EXPECT_EQ(instruction_set(), GetParam()); }

TEST_P(Kernels, CompareWithConstants) {
  compares<double>();
  compares<float>();
  compares<std::int64_t>();
  compares<std::int32_t>();
  compares<std::uint16_t>();
  compares<std::uint8_t>();
}

TEST_P(Kernels, ComparePairsAndFindNumbers) {
  const std::vector<double> a = values_of<double>(random_), b = values_of<double>(random_);
  Plane plane(tile_words);
  for (const Comparison op : all_comparisons) {
    compare_pairs(a.data(), op, b.data(), plane.data());
    EXPECT_EQ(plane, plane_of([&](std::size_t i) { return compare(op, a[i], b[i]); }));
  }
  find_finite(a.data(), plane.data());
  EXPECT_EQ(plane, plane_of([&](std::size_t i) { return std::isfinite(a[i]); }));
}

TEST_P(Kernels, GatesAndCitations) {
  struct alignas(64) Planes {
    std::uint64_t words[8][tile_words];
  };
  Planes planes{};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::uint64_t& word : planes.words[i]) word = random_();
  for (std::uint64_t& word : planes.words[6]) word = random_() & random_() & random_();
  const Planes before = planes;
  using Kind = Instruction::Kind;
  const std::vector<Instruction> gates = {{Kind::both, 2, 0, 1},
                                          {Kind::either, 3, 0, 1},
                                          {Kind::without, 4, 0, 1},
                                          {Kind::complement, 5, 0, 0},
                                          {Kind::cite, 0, 6, 3}};
  EXPECT_EQ(run_gates(gates, planes.words[0]), 4U);
  std::vector<std::uint32_t> rules(tile_cases, 9);
  cite(planes.words[6], planes.words[7], 3, rules.data());
  cite(planes.words[0], planes.words[7], 4, rules.data());
  for (std::size_t word = 0; word < tile_words; ++word) {
    const std::uint64_t a = before.words[0][word], b = before.words[1][word];
    EXPECT_EQ(planes.words[2][word], a & b);
    EXPECT_EQ(planes.words[3][word], a | b);
    EXPECT_EQ(planes.words[4][word], a & ~b);
    EXPECT_EQ(planes.words[5][word], ~a);
    for (std::size_t i = 0; i < 64; ++i) {
      const bool first = ((before.words[6][word] >> i) & 1) != 0, second = ((a >> i) & 1) != 0;
      EXPECT_EQ(rules[64 * word + i], first ? 3U : second ? 4U : 9U);
      EXPECT_EQ((planes.words[7][word] >> i) & 1, first || second ? 1U : 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, Kernels, ::testing::ValuesIn(instruction_sets()),
                         [](const auto& set) { return set.param; });

TEST(InstructionSets, UnknownOnesAreRefused) { EXPECT_THROW(use_instruction_set("Z80"), Error); }

}  // namespace
}  // namespace hiple::law::columnar
