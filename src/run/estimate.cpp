#include "run/estimate.hpp"

#include <algorithm>

#include "engine/network_layout.hpp"

namespace hiple {

namespace {

/// As ModelConfig::embedding says.
std::int64_t embedding_width(const ModelConfig& model, std::size_t values) {
  if (model.embedding > 0) return model.embedding;
  return std::min<std::int64_t>(16, (static_cast<std::int64_t>(values) + 1) / 2);
}

engine::NetworkShape shape_of(const EngineConfig& engine, const Schema& schema) {
  engine::NetworkShape shape;
  for (const std::string& feature : engine.features) {
    const auto index = schema.find(feature);
    if (!index) continue;
    const ColumnSchema& column = schema.columns[*index];
    if (column.type == ColumnType::category) {
      shape.embeddings.push_back(
          {static_cast<std::int64_t>(column.values.size()), embedding_width(engine.model, column.values.size())});
    } else {
      shape.inputs += 2;  // the value, and whether it is missing
    }
  }
  shape.hidden = engine.model.hidden;
  const auto target = schema.find(engine.target);
  const auto classes = target ? schema.columns[*target].values.size() : 0;
  const bool boolean = target && schema.columns[*target].type == ColumnType::boolean;
  shape.outputs = boolean ? 2 : static_cast<std::int64_t>(std::max<std::size_t>(classes, 1));
  return shape;
}

}  // namespace

EngineEstimate estimate(const EngineConfig& engine, const Schema& schema) {
  constexpr std::uint64_t bytes_a_parameter = 4 * sizeof(float);
  EngineEstimate result;
  if (engine.is_command()) return result;  // nobody knows
  result.parameters = engine::Layout(shape_of(engine, schema)).parameters;
  result.memory = result.parameters * bytes_a_parameter;
  return result;
}

std::vector<EngineCost> engine_costs(const RunConfig& config, const Schema& schema) {
  std::vector<EngineCost> costs;
  double most = 1;
  for (const EngineConfig& engine : config.engines) {
    const auto parameters = static_cast<double>(estimate(engine, schema).parameters);
    costs.push_back({engine.name, static_cast<double>(engine.train.epochs) * parameters});
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
