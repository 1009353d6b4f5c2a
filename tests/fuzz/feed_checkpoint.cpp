#include <cmath>

#include "engine/checkpoint.hpp"
#include "engine/network_layout.hpp"
#include "feeding.hpp"
#include "h5_edits.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

namespace {

using engine::Checkpoint;

/// That of a small engine with inputs of every kind, as training leaves it.
Checkpoint sound_checkpoint() {
  Checkpoint stored;
  stored.identity = "data";
  stored.finished = true;
  stored.config.name = stored.config.domain = "sample";
  stored.config.target = "y";
  stored.config.features = {"x", "s", "b", "c"};
  stored.config.type = "conv1d";
  stored.config.model.convolutions = {{2, 2, 1, {}}};
  stored.config.model.hidden = {3};
  stored.features = engine::Features({{"x", ColumnType::real, "mm", 1, 2, {}},
                                      {"s_1", ColumnType::real, "", 0, 1, {}, "s"},
                                      {"s_2", ColumnType::real, "", 0, 1, {}, "s"},
                                      {"s_3", ColumnType::real, "", 0, 1, {}, "s"},
                                      {"b", ColumnType::boolean, "", 0, 1, {}},
                                      {"c", ColumnType::category, "", 0, 1, {"p", "q"}}});
  stored.target = {"y", {"no", "yes"}, 0, 1};
  stored.state.epoch = stored.state.best_epoch = 4;
  stored.state.step = 40;
  stored.state.best_loss = 0.5;
  const engine::Layout layout(network_shape(stored.config.model, stored.features, stored.target));
  for (auto* numbers : {&stored.weights, &stored.first_moment, &stored.second_moment, &stored.best})
    numbers->assign(layout.size, 0.125F);
  const auto width = static_cast<std::size_t>(layout.layers.back().columns);
  stored.typicality = {
      width, std::vector<double>(width * width, 1), std::vector<double>(2 * width, 0), {1, 1}, {{0.5}, {0.25, 1}}};
  stored.instruction_set = "any";
  stored.software = "hiple";
  return stored;
}

Column column_of(const engine::Feature& feature) {
  Column column;
  column.cells = {Cell::known, Cell::missing};
  if (feature.type == ColumnType::real) column.values = std::vector<double>{3, 0};
  if (feature.type == ColumnType::integer) column.values = std::vector<std::int64_t>{3, 0};
  if (feature.type == ColumnType::boolean) column.values = std::vector<std::uint8_t>{1, 0};
  if (feature.type == ColumnType::category || feature.type == ColumnType::date) column.values = std::vector<std::int32_t>{0, 0};
  return column;
}

/// Two cases that an engine can be asked about: one of which everything is known, and one of which nothing is.
Table table_for(const engine::Features& features) {
  Table table;
  table.case_id = {1, 2};
  for (const engine::Feature& feature : features.list()) {
    if (table.schema.find(feature.name)) continue;
    ColumnSchema& column = table.schema.columns.emplace_back();
    column.name = feature.name;
    column.type = feature.type;
    column.unit = feature.unit;
    column.values = feature.vocabulary;
    if (column.values.empty()) column.values = {"another"};
    table.columns.push_back(column_of(feature));
  }
  return table;
}

void judge_with(const engine::Model& model) {
  const Table table = table_for(model.features);
  const engine::FeatureReader reader(model.features, table);
  engine::Inputs inputs;
  const std::vector<std::uint32_t> rows = {0, 1};
  reader.read(rows, inputs);
  engine::JudgingPass pass(model.network, 2);
  const auto outputs = pass.forward({inputs.dense, inputs.codes}, rows);
  check(outputs.size() == 2 * model.target.outputs(), "an engine says something of every case");
  std::vector<float> typicality(2);
  model.typicality.p_values(pass.penultimate(), typicality);
  for (const float value : typicality) check(value >= 0 && value <= 1, "typicality lies from 0 to 1");
}

}  // namespace

void feed_checkpoint(std::string_view input) {
  static const EditedFile file("checkpoint.h5", [](const auto& path) { write_checkpoint(path, sound_checkpoint()); });
  refusing([&] {
    const Checkpoint stored = engine::read_checkpoint(file.changed(input));
    constexpr std::size_t most_weights = 1 << 20;  // more only take time
    if (stored.finished && stored.best.size() < most_weights) judge_with(make_model(stored, stored.best));
  });
}

}  // namespace hiple::fuzz
