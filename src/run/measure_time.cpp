#include "run/measure_time.hpp"

#include <chrono>
#include <limits>

#include "base/error_kinds.hpp"
#include "engine/engine.hpp"
#include "run/asked_cases.hpp"
#include "table/select.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Seconds of a step: from the first one's end, so that what is made once does not count, to the last one's.
double measure_step(const PreparedRun& run, const EngineConfig& engine, const Table& table, const engine::Parts& parts,
                    double seconds) {
  std::uint64_t first_step = 0, last_step = 0;
  Clock::time_point first, last;
  engine::TrainOptions options;
  options.on_step = [&](std::uint64_t step) {
    last = Clock::now();
    last_step = step;
    if (first_step > 0) return;
    first = last;
    first_step = step;
  };
  options.request = [&] {
    const bool enough = last_step > first_step && seconds_since(first) >= seconds;
    return enough ? engine::Request::stop : engine::Request::none;
  };
  try {
    engine::Engine::train(table, engine, parts, run.config.seed, options);
  } catch (const Interrupted&) {
    // It has run for long enough.
  }
  if (last_step == first_step) return std::numeric_limits<double>::quiet_NaN();
  return std::chrono::duration<double>(last - first).count() / static_cast<double>(last_step - first_step);
}

EngineTime measure(const PreparedRun& run, const EngineConfig& engine, double seconds) {
  EngineTime time;
  time.engine = engine.name;
  const auto begin = Clock::now();
  const Table table = read_table(run.config.data.table, run.schema, columns_to_read(run, engine));
  time.reading = seconds_since(begin);
  if (engine.is_command()) {
    time.step = time.training = std::numeric_limits<double>::quiet_NaN();
    return time;
  }
  const auto division = divide(table, run.config.data.split, run.config.seed);
  const auto rows = select_rows(table, engine.cases, engine.cases_place, run.config.as_of);
  const auto parts = engine::make_parts(table, engine, rows, division, run.config.data.split, run.config.seed);
  const auto batch = static_cast<std::size_t>(engine.train.batch);
  time.steps = static_cast<std::uint64_t>(engine.train.epochs) * ((parts.training.size() + batch - 1) / batch);
  time.step = measure_step(run, engine, table, parts, seconds);
  time.training = time.step * static_cast<double>(time.steps);
  return time;
}

}  // namespace

std::vector<EngineTime> measure_times(const PreparedRun& run, double seconds) {
  std::vector<EngineTime> times;
  for (const EngineConfig& engine : run.config.engines) times.push_back(measure(run, engine, seconds));
  return times;
}

}  // namespace hiple
