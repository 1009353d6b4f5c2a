#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gate/share.hpp"
#include "gate/truth.hpp"

namespace hiple::gate {

/// Shares, and where cases are clustered, which clusters hold a miss.
class Counter {
 public:
  explicit Counter(const Truth& truth) : cluster_(truth.cluster) {}
  void miss(Share& share, std::size_t row, bool is_miss) { add(share, row, is_miss, is_miss); }
  void success(Share& share, std::size_t row, bool is_success) { add(share, row, is_success, !is_success); }
  void mean(Mean& mean, std::size_t row, double value) {
    if (cluster_.empty()) {
      mean.sum += value;
      ++mean.n;
      return;
    }
    auto& [sum, n] = means_[cluster_[row]];
    sum += value;
    ++n;
  }
  /// Writes the counts of clusters; a mean becomes the mean of the clusters' means.
  void finish(Mean& mean) {
    for (auto& [share, clusters] : clusters_) {
      share->clusters = clusters.size();
      const auto missed = static_cast<std::uint64_t>(
          std::count_if(clusters.begin(), clusters.end(), [](const auto& cluster) { return cluster.second; }));
      share->cluster_count = counts_misses_.at(share) ? missed : share->clusters - missed;
    }
    for (const auto& [cluster, sum] : means_) {
      mean.sum += sum.first / static_cast<double>(sum.second);
      ++mean.n;
    }
  }

 private:
  void add(Share& share, std::size_t row, bool counts, bool is_miss) {
    share.add(counts);
    if (cluster_.empty()) return;
    counts_misses_[&share] = counts == is_miss;
    bool& missed = clusters_[&share][cluster_[row]];
    missed = missed || is_miss;
  }

  const std::vector<std::uint64_t>& cluster_;
  std::map<Share*, std::unordered_map<std::uint64_t, bool>> clusters_;
  std::map<Share*, bool> counts_misses_;
  std::map<std::uint64_t, std::pair<double, std::uint64_t>> means_;
};

}  // namespace hiple::gate
