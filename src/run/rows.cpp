#include "run/rows.hpp"

#include "table/select.hpp"

namespace hiple {

std::set<std::string> condition_columns(const EngineConfig& engine, const Schema& schema) {
  const auto names = columns_read_by(schema, engine.cases, engine.cases_place);
  return {names.begin(), names.end()};
}

std::vector<std::uint32_t> rows_of(const RunConfig& config, const EngineConfig& engine, const Table& table) {
  return select_rows(table, engine.cases, engine.cases_place, config.as_of);
}

}  // namespace hiple
