#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Micro-benchmarks: the ceilings that the study's figures are held against.
namespace hiple::scaling {

/// One size of one benchmark.
struct Point {
  std::int64_t size = 0;        ///< what the benchmark's `size` says: bytes, numbers, rows of a square matrix
  double work = 0;              ///< bytes or operations of one call
  std::vector<double> seconds;  ///< of one call; one entry a repetition
};

/// One benchmark over its sizes.
struct Series {
  std::string name;
  std::string what;  ///< one sentence: what is counted
  std::string size;  ///< what a point's size is
  std::string unit;  ///< of work by seconds: "byte/s", "flop/s"
  std::vector<Point> points;
};

/// How often to measure, and how long one measurement lasts at least: fast calls are repeated within it.
struct Effort {
  int repetitions = 7;
  double seconds = 0.05;
};

/// Middle of the sorted values; of an even number, the mean of both. Throws Error where there are none.
double median(std::vector<double> values);

/// Seconds a call, once a repetition, after a first call that does not count. `agree` makes the number of calls the same on all
/// ranks (called once, with this rank's number); empty for one rank.
std::vector<double> time_calls(const Effort& effort, const std::function<void()>& call,
                               const std::function<std::int64_t(std::int64_t)>& agree = {});

/// Every repetition, the medians, and the rate that belongs to the median.
nlohmann::ordered_json to_json(const Series& series);

}  // namespace hiple::scaling
