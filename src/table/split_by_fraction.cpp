#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/philox.hpp"
#include "table/split_column.hpp"
#include "table/split_way.hpp"

namespace hiple {

namespace {

/// The place of a case, or of a group by its smallest case id, in a random order that is a function of seed and that id.
using Order = std::pair<std::uint64_t, std::uint64_t>;

class RandomOrder {
 public:
  explicit RandomOrder(std::uint64_t seed) : generator_(seed, "split") {}
  [[nodiscard]] Order of(std::uint64_t id) const {
    const Philox::Counter bits = generator_.block({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), 0, 0});
    return {std::uint64_t{bits[0]} << 32 | bits[1], id};
  }

 private:
  Philox generator_;
};

std::size_t share_of(const SplitConfig& split, std::size_t count) {
  return static_cast<std::size_t>(std::llround(split.test_fraction * static_cast<double>(count)));
}

/// Finds the first so many of an order without keeping all: of many, it counts how many begin with the same bits, and at a second
/// look keeps those alone that begin as the last one does.
class FirstOfOrder {
 public:
  void look_at(const Order& order) {
    if (settled_) return;
    if (counting_last_) {
      if (bucket_of(order) == last_bucket_) kept_.push_back(order);
      return;
    }
    ++count_;
    if (counts_.empty()) {
      kept_.push_back(order);
      if (kept_.size() > most_kept) start_counting();
    } else {
      ++counts_[bucket_of(order)];
    }
  }
  /// Whether all must be looked at again.
  bool end_pass(const SplitConfig& split) {
    if (settled_) return false;
    std::size_t wanted = counting_last_ ? wanted_ : share_of(split, count_);
    if (wanted > 0 && !counts_.empty() && !counting_last_) {
      for (last_bucket_ = 0; counts_[last_bucket_] < wanted; ++last_bucket_) wanted -= counts_[last_bucket_];
      wanted_ = wanted;
      return counting_last_ = true;
    }
    settled_ = true;
    if (wanted > 0) {
      std::nth_element(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(wanted - 1), kept_.end());
      last_ = kept_[wanted - 1];
    }
    kept_ = {};
    counts_ = {};
    return false;
  }
  [[nodiscard]] bool has(const Order& order) const { return last_ && order <= *last_; }

 private:
  static constexpr std::size_t most_kept = std::size_t{1} << 16;
  static constexpr unsigned bits = 16;
  static std::size_t bucket_of(const Order& order) { return order.first >> (64 - bits); }
  void start_counting() {
    counts_.resize(std::size_t{1} << bits);
    for (const Order& order : kept_) ++counts_[bucket_of(order)];
    kept_ = {};
  }

  std::size_t count_ = 0, wanted_ = 0, last_bucket_ = 0;
  std::vector<Order> kept_;
  std::vector<std::size_t> counts_;
  bool counting_last_ = false, settled_ = false;
  std::optional<Order> last_;
};

/// Rows whose stratum is not known are a stratum of their own.
class ByFraction : public SplitWay {
 public:
  ByFraction(const Schema& schema, const SplitConfig& split, std::uint64_t seed) : split_(&split), order_(seed) {
    if (!split.stratified.empty()) find_column(schema, split.stratified, "stratified", split.place);
  }

  void look_at(const Table& portion) override {
    for_each(portion, [](std::size_t, FirstOfOrder& stratum, const Order& order) { stratum.look_at(order); });
  }
  bool end_pass() override {
    bool again = false;
    for (auto& [value, stratum] : strata_) again |= stratum.end_pass(*split_);
    return again;
  }
  std::vector<Part> divide(const Table& portion) override {
    std::vector<Part> parts(portion.rows(), Part::neither);
    for_each(portion, [&](std::size_t row, const FirstOfOrder& stratum, const Order& order) {
      parts[row] = stratum.has(order) ? Part::test : Part::train;
    });
    return parts;
  }

 private:
  template <class Use>
  void for_each(const Table& portion, Use use) {
    std::optional<SplitColumn> column;
    if (!split_->stratified.empty()) column = find_column(portion, split_->stratified, "stratified", split_->place);
    for (std::size_t row = 0; row < portion.rows(); ++row) {
      const bool known = column && column->column->cells[row] == Cell::known;
      use(row, strata_[known ? std::optional(column->column->number(row)) : std::nullopt], order_.of(portion.case_id[row]));
    }
  }

  const SplitConfig* split_;
  RandomOrder order_;
  std::map<std::optional<double>, FirstOfOrder> strata_;
};

/// A row whose group is not known is in neither part: nobody can say to whom it belongs.
class ByGroup : public SplitWay {
 public:
  ByGroup(const Schema& schema, const SplitConfig& split, std::uint64_t seed) : split_(&split), order_(seed) {
    if (!split.stratified.empty()) {
      throw InputError(split.place, "the split is stratified and by group", "a group's rows can belong to several strata",
                       "choose one");
    }
    find_column(schema, split.group, "group", split.place);
  }

  void look_at(const Table& portion) override {
    for_each(portion, [&](std::size_t row, double group) {
      const auto [found, is_new] = groups_.try_emplace(group);
      if (is_new) found->second.order = order_.of(portion.case_id[row]);  // rows come by ascending case id
    });
  }
  bool end_pass() override {
    std::vector<Group*> groups;
    for (auto& [value, group] : groups_) groups.push_back(&group);
    std::sort(groups.begin(), groups.end(), [](const Group* a, const Group* b) { return a->order < b->order; });
    const std::size_t test = share_of(*split_, groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i]->part = i < test ? Part::test : Part::train;
    return false;
  }
  std::vector<Part> divide(const Table& portion) override {
    std::vector<Part> parts(portion.rows(), Part::neither);
    for_each(portion, [&](std::size_t row, double group) { parts[row] = groups_.at(group).part; });
    return parts;
  }

 private:
  struct Group {
    Order order;
    Part part = Part::neither;
  };

  template <class Use>
  void for_each(const Table& portion, Use use) const {
    const SplitColumn column = find_column(portion, split_->group, "group", split_->place);
    for (std::size_t row = 0; row < portion.rows(); ++row)
      if (column.column->cells[row] == Cell::known) use(row, column.column->number(row));
  }

  const SplitConfig* split_;
  RandomOrder order_;
  std::map<double, Group> groups_;
};

}  // namespace

std::unique_ptr<SplitWay> split_by_fraction(const Schema& schema, const SplitConfig& split, std::uint64_t seed) {
  if (split.group.empty()) return std::make_unique<ByFraction>(schema, split, seed);
  return std::make_unique<ByGroup>(schema, split, seed);
}

}  // namespace hiple
