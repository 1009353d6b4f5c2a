#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "law/columnar_program.hpp"
#include "law/columnar_values.hpp"
#include "law/inputs.hpp"

namespace hiple::law::columnar {

/// Reads the leaves of a program off the data, a tile of cases at a time. One for each thread.
class TileReader {
 public:
  TileReader(const Program& program, const Inputs& inputs);

  /// Cases [begin, begin + count), of which there are at most tile_cases; `planes` get their leaves. What planes hold of cases
  /// beyond `count` is arbitrary.
  void read(std::size_t begin, std::size_t count, std::uint64_t* planes);
  /// A mean's planes of the cases that were read last.
  void mean(const Mean& mean, const std::vector<std::uint32_t>& places, std::uint64_t* planes, std::uint64_t* yes,
            std::uint64_t* no);

 private:
  /// Tests of one stored vector, with constants of its type. What is made of its answers is masked by where it is known, so that
  /// it does not matter what is answered elsewhere.
  template <class T>
  struct Group {
    std::uint32_t vector;
    std::vector<Test<T>> tests;
    std::vector<std::uint32_t> places;  ///< of the tests' planes; the last is for `finite`, where there is a plane `known`
    std::uint32_t known = nowhere;      ///< the place of where a column of reals is known: not where it is no number
    std::array<std::uint64_t, tile_words> finite{};
  };
  struct Pair {
    std::uint32_t a, b, place;
    Comparison op;
    bool negated;
  };
  struct Step {  // a group of type `storage`
    std::size_t storage = 0, index = 0;
  };
  struct Fixed {  // no value of the type can do otherwise
    std::uint32_t place;
    bool value;
  };

  void plan_comparison(const Leaf& leaf, std::uint32_t place);
  void plan_finite();
  template <class T>
  void plan_constant(std::uint32_t vector, condition::Op op, double constant, std::uint32_t place);
  template <class T>
  Group<T>& group_of(std::uint32_t vector);
  /// Calls use(group) with the group of a step.
  template <class Use>
  void with_group(const Step& step, Use use) {
    std::size_t storage = 0;
    const auto look = [&](auto& groups) {
      if (storage++ == step.storage) use(groups[step.index]);
    };
    std::apply([&](auto&... groups) { (look(groups), ...); }, groups_);
  }

  void read_known(std::uint64_t* planes);
  void read_statuses(std::uint64_t* planes);
  void read_invalid(std::uint64_t* planes);
  template <class T>
  void run_group(Group<T>& group, const void* next, std::uint64_t* planes);
  [[nodiscard]] const void* stored_at(std::size_t step);

  const Circuit& circuit_;
  const Inputs& inputs_;
  TileValues values_;
  std::vector<std::array<std::uint32_t, 3>> known_;     // column, vector, place
  std::vector<std::array<std::uint32_t, 3>> statuses_;  // engine, status, place
  std::vector<std::array<std::uint32_t, 2>> invalid_;   // column, place
  std::tuple<std::vector<Group<double>>, std::vector<Group<float>>, std::vector<Group<std::int64_t>>,
             std::vector<Group<std::int32_t>>, std::vector<Group<std::uint16_t>>, std::vector<Group<std::uint8_t>>>
      groups_;  // in the order of Storage
  std::vector<Step> steps_;
  std::vector<Pair> pairs_;
  std::vector<Fixed> fixed_;
};

}  // namespace hiple::law::columnar
