#include "run/case_ids.hpp"

#include <algorithm>

#include "table/table_stream.hpp"

namespace hiple {

std::string column_of_ids(const Schema& schema) {
  const auto is_id = [](const ColumnSchema& column) { return column.role == ColumnRole::id; };
  const auto id = std::find_if(schema.columns.begin(), schema.columns.end(), is_id);
  return id == schema.columns.end() ? schema.columns.front().name : id->name;
}

std::vector<std::uint64_t> read_case_ids(const PreparedRun& run) {
  constexpr std::size_t most = std::size_t{1} << 18;
  const std::vector<std::string> wanted = {column_of_ids(run.schema)};
  TableStream rows(run.config.data.table, run.schema, wanted);
  std::vector<std::uint64_t> ids;
  for (Table portion = rows.next(most); portion.rows() > 0; portion = rows.next(most))
    ids.insert(ids.end(), portion.case_id.begin(), portion.case_id.end());
  return ids;
}

std::string ids_text(const std::vector<std::uint64_t>& ids) {
  std::string text = std::to_string(ids.front());
  for (std::size_t i = 1; i < std::min<std::size_t>(ids.size(), 3); ++i) text += ", " + std::to_string(ids[i]);
  return ids.size() > 3 ? text + " and " + std::to_string(ids.size() - 3) + " more" : text;
}

}  // namespace hiple
