#include <algorithm>

#include "condition/compare.hpp"
#include "law/columnar_tile.hpp"

namespace hiple::law::columnar {

/// Case by case: sums run in the order of the groups, as in condition/aggregate.cpp.
void TileReader::mean(const Mean& mean, const std::vector<std::uint32_t>& places, std::uint64_t* planes, std::uint64_t* yes,
                      std::uint64_t* no) {
  std::fill(yes, yes + tile_words, 0);
  std::fill(no, no + tile_words, 0);
  for (std::size_t i = 0; i < values_.count(); ++i) {
    const auto has = [&](Plane plane) { return ((planes[tile_words * places[plane] + i / 64] >> (i % 64)) & 1) != 0; };
    double low = 0, high = 0;
    bool first = true;
    for (const MeanGroup& group : mean.groups) {
      double least = 1, most = 0;
      for (const auto& [vector, counts] : group.members) {
        if (!has(counts)) continue;
        least = std::min(least, values_.numbers(vector)[i]);
        most = std::max(most, values_.numbers(vector)[i]);
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
    if (mean.op == condition::Op::equal || mean.op == condition::Op::not_equal) {
      const bool equal = low == high && low == mean.constant, apart = !(low <= mean.constant && mean.constant <= high);
      is_yes = mean.op == condition::Op::equal ? equal : apart;
      is_no = mean.op == condition::Op::equal ? apart : equal;
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
