#include "run/estimate.hpp"

#include <algorithm>

#include "engine/model.hpp"
#include "table/series.hpp"

namespace hiple {

namespace {

/// As ModelConfig::embedding says.
std::int64_t embedding_width(const ModelConfig& model, std::size_t values) {
  if (model.embedding > 0) return model.embedding;
  return std::min<std::int64_t>(16, (static_cast<std::int64_t>(values) + 1) / 2);
}

engine::NetworkShape shape_of(const EngineConfig& engine, const Schema& schema) {
  engine::NetworkShape shape;
  std::size_t series = 0, length = 0;
  for (const std::string& feature : engine.features) {
    const auto columns = columns_named(schema, feature);
    if (columns.empty()) continue;
    const ColumnSchema& column = *columns.front();
    if (column.type == ColumnType::category) {
      shape.embeddings.push_back(
          {static_cast<std::int64_t>(column.values.size()), embedding_width(engine.model, column.values.size())});
    } else if (engine.is_convolutional() && column.name != feature) {
      ++series;
      length = columns.size();
    } else {
      shape.inputs += 2 * static_cast<std::int64_t>(columns.size());  // the value, and whether it is missing
    }
  }
  shape.series = engine::series_shape(engine.model, series, length);
  shape.hidden = engine.model.hidden;
  const auto target = schema.find(engine.target);
  const auto classes = target ? schema.columns[*target].values.size() : 0;
  const bool boolean = target && schema.columns[*target].type == ColumnType::boolean;
  shape.outputs = boolean ? 2 : static_cast<std::int64_t>(std::max<std::size_t>(classes, 1));
  return shape;
}

/// Products for one case: each parameter is used once, those of a convolution at each of its places.
std::uint64_t products_of(const engine::NetworkShape& shape, const engine::Layout& layout) {
  std::uint64_t products = layout.parameters;
  for (std::size_t i = 0; i < shape.series.convolutions.size(); ++i) {
    const engine::LayerSlice& layer = layout.layers[shape.embeddings.size() + i];
    products += static_cast<std::uint64_t>((shape.series.places_after(i + 1) - 1) * layer.rows * (layer.columns + 1));
  }
  return products;
}

}  // namespace

EngineEstimate estimate(const EngineConfig& engine, const Schema& schema) {
  constexpr std::uint64_t bytes_a_parameter = 4 * sizeof(float);
  EngineEstimate result;
  if (engine.is_command()) return result;  // nobody knows
  const engine::NetworkShape shape = shape_of(engine, schema);
  const engine::Layout layout(shape);
  result.parameters = layout.parameters;
  result.products = products_of(shape, layout);
  result.memory = result.parameters * bytes_a_parameter;
  return result;
}

std::vector<EngineCost> engine_costs(const RunConfig& config, const Schema& schema) {
  std::vector<EngineCost> costs;
  double most = 1;
  for (const EngineConfig& engine : config.engines) {
    const auto products = static_cast<double>(estimate(engine, schema).products);
    costs.push_back({engine.name, static_cast<double>(engine.train.epochs) * products});
    most = std::max(most, costs.back().cost);
  }
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (config.engines[i].is_command()) costs[i].cost = most;
  return costs;
}

std::vector<int> ranks_of(const Plan& plan, std::size_t engines) {
  std::vector<int> ranks(engines);
  for (std::size_t rank = 0; rank < plan.engines.size(); ++rank)
    for (const std::size_t engine : plan.engines[rank]) ranks.at(engine) = static_cast<int>(rank);
  return ranks;
}

}  // namespace hiple
