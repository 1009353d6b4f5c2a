#pragma once

#include <string>
#include <vector>

#include "law/law.hpp"

namespace hiple::audit {

/// A law over x and y in [0, 10], a whole n, booleans on and off; engines e and f say none, p or q.
inline law::Law sample_law(const std::string& rest, const std::string& questions = "[{name: q, findings: [none, a, b]}]",
                           const std::vector<std::string>& engines = {"e", "f"}) {
  Schema schema;
  const auto add = [&](const std::string& name, ColumnType type) -> ColumnSchema& {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = name;
    column.type = type;
    return column;
  };
  for (const char* name : {"x", "y"}) {
    ColumnSchema& column = add(name, ColumnType::real);
    column.low = 0;
    column.high = 10;
  }
  add("n", ColumnType::integer);
  add("on", ColumnType::boolean);
  add("off", ColumnType::boolean);
  add("kind", ColumnType::category).values = {"red", "green", "blue"};
  add("seen", ColumnType::date);
  std::vector<law::EngineDescription> known;
  for (const std::string& engine : engines) known.push_back({engine, {"none", "p", "q"}});
  return law::Law::parse("law: 1\nname: sample\nquestions: " + questions + "\n" + rest + "\n", "law.yaml", schema, known, 20000);
}

}  // namespace hiple::audit
