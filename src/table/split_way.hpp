#pragma once

#include <memory>
#include <vector>

#include "table/split.hpp"

namespace hiple {

/// A way to divide rows: see Divider.
class SplitWay {
 public:
  SplitWay() = default;
  virtual ~SplitWay() = default;
  SplitWay(const SplitWay&) = delete;
  SplitWay& operator=(const SplitWay&) = delete;

  virtual void look_at(const Table& portion) = 0;
  virtual bool end_pass() = 0;
  virtual std::vector<Part> divide(const Table& portion) = 0;
};

/// They keep a reference to the split.
std::unique_ptr<SplitWay> split_by_column(const Schema& schema, const SplitConfig& split);
/// By fractions of rows, or of groups.
std::unique_ptr<SplitWay> split_by_fraction(const Schema& schema, const SplitConfig& split, std::uint64_t seed);

}  // namespace hiple
