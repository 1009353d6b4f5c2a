#include "run/asked_cases.hpp"

#include <algorithm>

#include "judgment/request.hpp"
#include "law/consult.hpp"
#include "run/check_columns.hpp"

namespace hiple {

namespace {

std::vector<std::uint32_t> requested_rows(const std::filesystem::path& path, const EngineConfig& engine, const Table& table,
                                          const Identity& identity) {
  const JudgingRequest request = read_request(path, engine.name);
  if (Identity{request.config_sha256, request.data_sha256} != identity)
    throw InputError(Place{path.string()}, "asks for judgments from other data or another configuration", {},
                     "remove it, and ask again with `hiple integrate`");
  std::vector<std::uint32_t> rows;
  rows.reserve(request.case_id.size());
  std::size_t row = 0;
  for (const std::uint64_t id : request.case_id) {
    while (row < table.rows() && table.case_id[row] < id) ++row;
    if (row == table.rows() || table.case_id[row] != id)
      throw InputError(Place{path.string()}, "asks about case " + std::to_string(id), "the table has no such case",
                       "remove it, and ask again with `hiple integrate`");
    rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

}  // namespace

std::vector<std::string> columns_to_read(const PreparedRun& run, const EngineConfig& engine) {
  std::vector<std::string> columns = columns_of(run.config, engine, run.schema);
  if (!run.config.integrate.on_demand()) return columns;
  const auto home = law::home_columns(run.law);
  columns.insert(columns.end(), home.begin(), home.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<std::uint32_t> asked_rows(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                                      const Table& table, const Identity& identity) {
  if (!run.config.integrate.on_demand()) return all_rows(table);
  const auto home = law::home_rows(run.law, table, engine.name);
  const auto path = directory.request(engine.name);
  if (!std::filesystem::exists(path)) return home;
  const auto more = requested_rows(path, engine, table, identity);
  std::vector<std::uint32_t> rows;
  std::set_union(home.begin(), home.end(), more.begin(), more.end(), std::back_inserter(rows));
  return rows;
}

std::vector<std::uint32_t> rows_not_judged(const Judgments& judgments, const std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t row : rows)
    if (judgments.status.at(row) == JudgmentStatus::not_asked) missing.push_back(row);
  return missing;
}

bool has_request(const RunDirectory& directory, const std::string& engine) {
  return std::filesystem::exists(directory.request(engine)) && std::filesystem::exists(directory.judgments(engine));
}

}  // namespace hiple
