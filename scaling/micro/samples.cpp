#include "scaling/micro/samples.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.hpp"

namespace hiple::scaling {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double seconds_of(const std::function<void()>& call, std::int64_t calls) {
  const double start = now();
  for (std::int64_t i = 0; i < calls; ++i) call();
  return (now() - start) / static_cast<double>(calls);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) throw Error("the median of no values was asked for");
  std::sort(values.begin(), values.end());
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

std::vector<double> time_calls(const Effort& effort, const std::function<void()>& call,
                               const std::function<std::int64_t(std::int64_t)>& agree) {
  call();
  const double once = std::max(seconds_of(call, 1), 1e-9);
  auto calls = std::max<std::int64_t>(1, std::llround(std::min(effort.seconds / once, 1e9)));
  if (agree) calls = agree(calls);
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(effort.repetitions));
  for (int i = 0; i < effort.repetitions; ++i) seconds.push_back(seconds_of(call, calls));
  return seconds;
}

nlohmann::ordered_json to_json(const Series& series) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const Point& point : series.points) {
    const double middle = median(point.seconds);
    points.push_back({{"size", point.size},
                      {"work", point.work},
                      {"seconds", point.seconds},
                      {"median_seconds", middle},
                      {"rate", point.work / middle}});
  }
  return {{"name", series.name}, {"what", series.what}, {"size", series.size}, {"unit", series.unit}, {"points", points}};
}

}  // namespace hiple::scaling
