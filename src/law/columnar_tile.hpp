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
  /// Comparisons of one vector by one operator, with constants of the type that it is stored in.
  template <class T>
  struct Group {
    std::uint32_t vector;
    Comparison op;
    std::vector<T> constants;
    std::vector<std::uint32_t> places;
    std::vector<bool> negated;
  };
  struct Pair {
    std::uint32_t a, b, place;
    Comparison op;
    bool negated;
  };
  /// What is read in one go, column by column, while its values are in the cache.
  struct Step {
    bool known = false;  // known_[index]; else a group of type `storage`
    std::size_t storage = 0, index = 0;
  };
  struct Fixed {  // no value of the type can do otherwise
    std::uint32_t place;
    bool value;
  };

  void plan_comparison(const Leaf& leaf, std::uint32_t place);
  void plan_steps();
  template <class T>
  void plan_groups(std::size_t column);
  template <class T>
  void plan_constant(std::uint32_t vector, condition::Op op, double constant, std::uint32_t place);
  template <class T>
  std::vector<Group<T>>& groups() {
    return std::get<std::vector<Group<T>>>(groups_);
  }

  void read_known(std::size_t column, std::uint64_t* plane);
  template <class T>
  void compare_group(const Group<T>& group, std::uint64_t* planes);

  const Circuit& circuit_;
  const Inputs& inputs_;
  TileValues values_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known_;  // column, place
  std::vector<std::array<std::uint32_t, 3>> statuses_;          // engine, status, place
  std::tuple<std::vector<Group<double>>, std::vector<Group<float>>, std::vector<Group<std::int64_t>>,
             std::vector<Group<std::int32_t>>, std::vector<Group<std::uint16_t>>, std::vector<Group<std::uint8_t>>>
      groups_;
  std::vector<Step> steps_;
  std::vector<std::uint64_t*> out_;  // of the group that is compared
  std::vector<Pair> pairs_;
  std::vector<Fixed> fixed_;
};

}  // namespace hiple::law::columnar
