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

  /// All kinds of tests at once, with what is read next and without.
  template <class T>
  void tests() {
    using Kind = typename columnar::Test<T>::Kind;
    const std::vector<T> values = values_of<T>(random_), next = values;
    std::vector<columnar::Test<T>> tests;
    for (std::size_t i = 0; i < 9; ++i)
      for (const Kind kind : {Kind::greater, Kind::equal})
        for (const bool negated : {false, true}) tests.push_back({kind, negated, values[i], nullptr});
    if constexpr (std::is_same_v<T, double>)
      for (const bool negated : {false, true}) tests.push_back({Kind::finite, negated, 0, nullptr});
    std::vector<Plane> planes(tests.size(), Plane(tile_words));
    for (std::size_t k = 0; k < tests.size(); ++k) tests[k].plane = planes[k].data();
    for (const void* ahead : {static_cast<const void*>(nullptr), static_cast<const void*>(next.data())}) {
      for (Plane& plane : planes) std::fill(plane.begin(), plane.end(), 0x5555);
      run_tests<T>(values.data(), tests, ahead);
      for (std::size_t k = 0; k < tests.size(); ++k) EXPECT_EQ(planes[k], wanted(tests[k], values)) << k;
    }
  }

  template <class T>
  Plane wanted(const columnar::Test<T>& test, const std::vector<T>& values) {
    using Kind = typename columnar::Test<T>::Kind;
    return plane_of([&](std::size_t i) {
      const bool holds = test.kind == Kind::greater ? values[i] > test.constant
                         : test.kind == Kind::equal ? values[i] == test.constant
                                                    : std::isfinite(static_cast<double>(values[i]));
      return holds != test.negated;
    });
  }

  std::mt19937_64 random_{1};
};

TEST_P(Kernels, IsTheOneInUse) { EXPECT_EQ(instruction_set(), GetParam()); }

TEST_P(Kernels, Tests) {
  tests<double>();
  tests<float>();
  tests<std::int64_t>();
  tests<std::int32_t>();
  tests<std::uint16_t>();
  tests<std::uint8_t>();
}

TEST_P(Kernels, ComparePairs) {
  const std::vector<double> a = values_of<double>(random_), b = values_of<double>(random_);
  Plane plane(tile_words);
  for (const Comparison op : all_comparisons) {
    compare_pairs(a.data(), op, b.data(), plane.data());
    EXPECT_EQ(plane, plane_of([&](std::size_t i) { return compare(op, a[i], b[i]); }));
  }
}

TEST_P(Kernels, Gates) {
  struct alignas(64) Planes {
    std::uint64_t words[6][tile_words];
  };
  Planes planes{};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::uint64_t& word : planes.words[i]) word = random_();
  const Planes before = planes;
  using Kind = Instruction::Kind;
  const std::vector<Instruction> gates = {{Kind::both, 2, 0, 1},
                                          {Kind::either, 3, 0, 1},
                                          {Kind::without, 4, 0, 1},
                                          {Kind::complement, 5, 0, 0},
                                          {Kind::mean, 2, 0, 3}};
  EXPECT_EQ(run_gates(gates, planes.words[0]), 4U);
  for (std::size_t word = 0; word < tile_words; ++word) {
    const std::uint64_t a = before.words[0][word], b = before.words[1][word];
    EXPECT_EQ(planes.words[2][word], a & b);
    EXPECT_EQ(planes.words[3][word], a | b);
    EXPECT_EQ(planes.words[4][word], a & ~b);
    EXPECT_EQ(planes.words[5][word], ~a);
  }
}

TEST_P(Kernels, GatherBits) {
  std::vector<Plane> planes(8, Plane(tile_words));
  std::vector<const std::uint64_t*> pointers;
  for (Plane& plane : planes) {
    for (std::uint64_t& word : plane) word = random_();
    pointers.push_back(plane.data());
  }
  for (const std::size_t count : {0U, 1U, 3U, 8U}) {
    std::vector<std::uint8_t> bytes(tile_cases, 0xFF);
    gather_bits(std::span<const std::uint64_t* const>(pointers).first(count), bytes.data());
    for (std::size_t i = 0; i < tile_cases; ++i) {
      std::uint64_t wanted = 0;
      for (std::size_t p = 0; p < count; ++p) wanted |= ((planes[p][i / 64] >> (i % 64)) & 1) << p;
      ASSERT_EQ(bytes[i], wanted) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, Kernels, ::testing::ValuesIn(instruction_sets()),
                         [](const auto& set) { return set.param; });

TEST(InstructionSets, UnknownOnesAreRefused) { EXPECT_THROW(use_instruction_set("Z80"), Error); }

}  // namespace
}  // namespace hiple::law::columnar
