#pragma once

#include "base/date.hpp"
#include "evidence/standing.hpp"

namespace hiple::evidence {

inline Schema sample_schema() {
  Schema schema;
  const auto add = [&](const char* name, ColumnType type, const char* unit = "", ColumnRole role = ColumnRole::input) {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = name;
    column.type = type;
    column.unit = unit;
    column.role = role;
  };
  add("record", ColumnType::integer, "", ColumnRole::id);
  add("TSH", ColumnType::real, "mU/L");
  schema.columns.back().low = 0;
  schema.columns.back().high = 600;
  schema.columns.back().missing = {"?"};
  add("count", ColumnType::integer);
  add("torque", ColumnType::integer, "mN.m");
  add("sex", ColumnType::category);
  schema.columns.back().values = {"F", "M"};
  add("sick", ColumnType::boolean);
  add("seen", ColumnType::date);
  schema.columns.back().high = *parse_date("2026-12-31");
  add("share", ColumnType::real);
  add("grade", ColumnType::category, "", ColumnRole::label);
  add("both", ColumnType::boolean);
  return schema;
}

inline Terms sample_terms() {
  return Terms(sample_schema(), {{"both", {"a", "b"}}, {"state", {"hyper", "hypo", "none"}}}, {"F-1", "F-2", "L-1"});
}

inline CaseRecord says(std::uint64_t id, const char* about, const char* value, const char* source,
                       const char* date = "2026-01-01", const char* unit = "", double reliability = 1) {
  return {id, about, value, unit, source, *parse_date(date), reliability, 2};
}

inline Store store_of(std::vector<CaseRecord> cases, std::vector<RuleRecord> rules = {}) {
  Store store;
  append(store, {"2026-02-01T00:00:00Z", "some.csv", std::string(64, '0'), 0, 0, {}}, std::move(cases), std::move(rules));
  return store;
}

}  // namespace hiple::evidence
