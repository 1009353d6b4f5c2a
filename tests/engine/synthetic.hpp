#pragma once

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/philox.hpp"
#include "engine/engine.hpp"

namespace hiple::engine {

inline void add_column(Table& table, ColumnSchema schema, Column::Values values, std::vector<Cell> cells = {}) {
  if (cells.empty()) cells.assign(table.rows(), Cell::known);
  table.schema.columns.push_back(std::move(schema));
  table.columns.push_back({std::move(values), std::move(cells)});
}

inline ColumnSchema column(const std::string& name, ColumnType type, ColumnRole role = ColumnRole::input,
                           std::vector<std::string> values = {}) {
  ColumnSchema schema;
  schema.name = name;
  schema.type = type;
  schema.role = role;
  schema.values = std::move(values);
  return schema;
}

inline Table empty_table(std::size_t rows) {
  Table table;
  table.case_id.resize(rows);
  std::iota(table.case_id.begin(), table.case_id.end(), std::uint64_t{1});
  return table;
}

/// x and y uniform in (-1, 1), x missing in every tenth row; colour one of three; state: "high" where x + y > 0 (x = 0 where it
/// is missing), "odd" where the colour is blue, else "low"; wet: whether y > 0; sum: x + 2 y.
inline Table table_of(std::size_t rows, std::uint64_t seed = 5) {
  Table table = empty_table(rows);
  PhiloxStream random(Philox(seed, "synthetic"), 0, 0, 0);
  std::vector<double> x(rows), y(rows), sum(rows);
  std::vector<std::int32_t> colour(rows), state(rows);
  std::vector<std::uint8_t> wet(rows);
  std::vector<Cell> x_cells(rows, Cell::known);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = 2 * random.next_uniform() - 1;
    y[i] = 2 * random.next_uniform() - 1;
    colour[i] = static_cast<std::int32_t>(random.next_below(3));
    if (i % 10 == 9) {
      x_cells[i] = Cell::missing;
      x[i] = 0;
    }
    state[i] = colour[i] == 2 ? 2 : x[i] + y[i] > 0 ? 1 : 0;
    wet[i] = y[i] > 0 ? 1 : 0;
    sum[i] = x[i] + 2 * y[i];
  }
  add_column(table, column("x", ColumnType::real), x, x_cells);
  add_column(table, column("y", ColumnType::real), y);
  add_column(table, column("colour", ColumnType::category, ColumnRole::input, {"red", "green", "blue"}), colour);
  add_column(table, column("state", ColumnType::category, ColumnRole::label, {"low", "high", "odd"}), state);
  add_column(table, column("wet", ColumnType::boolean, ColumnRole::label), wet);
  add_column(table, column("sum", ColumnType::real, ColumnRole::label), sum);
  return table;
}

inline EngineConfig config_of(const std::string& target = "state") {
  EngineConfig config;
  config.name = "engine-" + target;
  config.domain = "synthetic";
  config.target = target;
  config.features = {"x", "y", "colour"};
  config.model.hidden = {16, 16};
  config.train.epochs = 40;
  config.train.batch = 32;
  config.train.learning_rate = 1e-2;
  config.train.checkpoint_every = 1;
  return config;
}

/// Two series of 20 points of noise, s with some points missing: `state` says whether s or t goes up and at once down again
/// somewhere ("peak") or first down and then up ("dip").
inline Table series_table(std::size_t rows, std::uint64_t seed = 5) {
  constexpr std::size_t length = 20;
  Table table = empty_table(rows);
  PhiloxStream random(Philox(seed, "series"), 0, 0, 0);
  std::vector<std::vector<double>> s(length, std::vector<double>(rows)), t = s;
  std::vector<std::vector<Cell>> cells(length, std::vector<Cell>(rows, Cell::known));
  std::vector<std::int32_t> state(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    state[row] = static_cast<std::int32_t>(random.next_below(2));
    const double first = state[row] == 0 ? 3 : -3;
    const std::size_t where = 1 + random.next_below(length - 3);
    auto& with = random.next_below(2) == 0 ? s : t;
    for (std::size_t i = 0; i < length; ++i) {
      s[i][row] = 0.5 * random.next_normal();
      t[i][row] = 0.5 * random.next_normal();
      if (random.next_below(30) == 0 && i + 1 != where && i != where && i != where + 1) cells[i][row] = Cell::missing;
    }
    with[where][row] += first;
    with[where + 1][row] -= first;
  }
  for (const char* name : {"s", "t"}) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::string point = std::string(name) + (i < 10 ? "_0" : "_") + std::to_string(i);
      add_column(table, column(point, ColumnType::real), name[0] == 's' ? s[i] : t[i],
                 name[0] == 's' ? cells[i] : std::vector<Cell>());
    }
  }
  add_column(table, column("state", ColumnType::category, ColumnRole::label, {"peak", "dip"}), state);
  return table;
}

inline EngineConfig series_config() {
  EngineConfig config;
  config.name = "convolutional";
  config.target = "state";
  config.features = {"s", "t"};
  config.type = "conv1d";
  config.model.convolutions = {{8, 3, 1, {}}, {8, 3, 2, {}}};
  config.model.pool = "max";
  config.model.hidden = {16};
  config.train.epochs = 30;
  config.train.batch = 32;
  config.train.learning_rate = 1e-2;
  config.train.early_stop = 0;
  config.train.checkpoint_every = 1;
  return config;
}

/// All rows; every third one is a test row.
struct Divided {
  std::vector<std::uint32_t> rows;
  std::vector<Part> division;
};

inline Divided divide_rows(std::size_t rows) {
  Divided result{std::vector<std::uint32_t>(rows), std::vector<Part>(rows, Part::train)};
  std::iota(result.rows.begin(), result.rows.end(), 0U);
  for (std::size_t i = 2; i < rows; i += 3) result.division[i] = Part::test;
  return result;
}

inline Parts parts_of(const Table& table, const EngineConfig& config, std::uint64_t seed = 7) {
  const Divided divided = divide_rows(table.rows());
  return make_parts(table, config, divided.rows, divided.division, SplitConfig(), seed);
}

inline Engine train(const Table& table, const EngineConfig& config, const TrainOptions& options = {}) {
  return Engine::train(table, config, parts_of(table, config), 7, options);
}

/// The column's cells, to be changed by a test.
inline Column& column_of(Table& table, const std::string& name) { return table.columns.at(*table.schema.find(name)); }

/// Judgments without what depends on the clock, as bytes.
inline std::string bytes_of(const Judgments& judgments) {
  std::string bytes;
  const auto add = [&bytes](const auto& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  add(judgments.case_id);
  add(judgments.label);
  add(judgments.confidence);
  add(judgments.probability);
  add(judgments.value);
  add(judgments.typicality);
  add(judgments.status);
  return bytes;
}

}  // namespace hiple::engine
