#include "law/given_case.hpp"

#include <algorithm>

#include "base/date.hpp"
#include "base/text.hpp"
#include "law/given_judgment.hpp"
#include "law/model.hpp"

namespace hiple::law {

namespace {

Column empty_column(const ColumnSchema& schema) {
  Column column;
  column.cells = {Cell::missing};
  if (schema.type == ColumnType::real)
    column.values = std::vector<double>(1);
  else if (schema.type == ColumnType::integer)
    column.values = std::vector<std::int64_t>(1);
  else if (schema.type == ColumnType::boolean)
    column.values = std::vector<std::uint8_t>(1);
  else
    column.values = std::vector<std::int32_t>(1);
  return column;
}

std::string shown(const ColumnSchema& schema, const std::optional<double>& end) {
  if (!end) return "...";
  return schema.type == ColumnType::date ? format_date(static_cast<std::int32_t>(*end)) : format_real(*end);
}

/// The cell's value as a number; nothing, and a problem, where the text is none of the column's.
std::optional<double> read_value(const ColumnSchema& schema, const yaml::Node& node, Problems& problems) {
  switch (schema.type) {
    case ColumnType::real:
      return yaml::as_real(node, schema.name, problems);
    case ColumnType::integer: {
      const auto value = yaml::as_integer(node, schema.name, problems);
      return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
    }
    case ColumnType::boolean: {
      const auto value = yaml::as_boolean(node, schema.name, problems);
      return value ? std::optional<double>(*value ? 1 : 0) : std::nullopt;
    }
    case ColumnType::category:
    case ColumnType::date:
      break;
  }
  const auto text = yaml::as_text(node, schema.name, problems);
  if (!text) return std::nullopt;
  if (schema.type == ColumnType::category) {
    const auto found = std::find(schema.values.begin(), schema.values.end(), *text);
    if (found != schema.values.end()) return static_cast<double>(found - schema.values.begin());
    problems.add(node.place, schema.name + " is never \"" + *text + "\"", {}, suggestion(*text, schema.values));
    return std::nullopt;
  }
  const auto days = parse_date(*text);
  if (!days) problems.add(node.place, "\"" + *text + "\" is no date", {}, "write it as 2026-01-31");
  return days ? std::optional<double>(*days) : std::nullopt;
}

void read_cell(const ColumnSchema& schema, const yaml::Node& node, Column& column, Problems& problems) {
  const bool is_value = std::find(schema.values.begin(), schema.values.end(), node.text) != schema.values.end();
  const bool is_word = node.is_scalar() && !node.quoted && !is_value;
  const char* const unusable = condition::is_evidence_name(schema.name) ? "contradictory" : "invalid";
  column.cells[0] = Cell::missing;
  if (node.kind == yaml::Node::Kind::null || (is_word && node.text == "missing")) return;
  if (is_word && node.text == unusable) {
    column.cells[0] = Cell::invalid;
    return;
  }
  const auto value = read_value(schema, node, problems);
  if (!value) return;
  if ((schema.low && *value < *schema.low) || (schema.high && *value > *schema.high))
    problems.add(node.place, schema.name + " is outside its range",
                 "the schema says [" + shown(schema, schema.low) + ", " + shown(schema, schema.high) + "]",
                 "write `" + std::string(unusable) + "` if that is meant");
  set_cell(column, *value);
}

/// A column and an engine may have one name: then a map means the engine.
void read_entry(const Law::Model& law, const yaml::Entry& entry, GivenCase& given, Problems& problems) {
  const auto column = std::find(law.columns.begin(), law.columns.end(), entry.key);
  const auto engine = std::find_if(law.engines.begin(), law.engines.end(), [&](const auto& e) { return e.name == entry.key; });
  if (engine != law.engines.end() && (column == law.columns.end() || entry.value.is_map())) {
    given.judgments[static_cast<std::size_t>(engine - law.engines.begin())] = read_given_judgment(*engine, entry.value, problems);
  } else if (column != law.columns.end()) {
    const auto number = static_cast<std::size_t>(column - law.columns.begin());
    read_cell(law.column_schemas[number], entry.value, given.table.columns[number], problems);
  } else {
    std::vector<std::string> names = law.columns;
    for (const EngineDescription& each : law.engines) names.push_back(each.name);
    const bool evidence = condition::is_evidence_name(entry.key);
    problems.add(
        entry.place,
        "\"" + entry.key + "\" is " + (evidence ? "no evidence that the law reads" : "neither an input column nor an engine"), {},
        suggestion(entry.key, names));
  }
}

}  // namespace

void set_cell(Column& column, double value) {
  column.cells[0] = Cell::known;
  std::visit(
      [value](auto& values) {
        using Value = typename std::decay_t<decltype(values)>::value_type;
        values[0] = static_cast<Value>(value);
      },
      column.values);
}

std::vector<EngineJudgments> GivenCase::engines(const Law::Model& law) const {
  std::vector<EngineJudgments> words;
  for (std::size_t i = 0; i < law.engines.size(); ++i)
    words.push_back({law.engines[i].name, judgments[i].get(), "the case gives no judgment of it", {}});
  return words;
}

GivenCase empty_case(const Law::Model& law) {
  GivenCase given;
  given.table.case_id = {1};
  given.table.schema.columns = law.column_schemas;
  for (const ColumnSchema& schema : law.column_schemas) given.table.columns.push_back(empty_column(schema));
  given.judgments.resize(law.engines.size());
  return given;
}

std::optional<GivenCase> read_given_case(const Law::Model& law, const yaml::Node& node, Problems& problems) {
  if (!node.is_map()) {
    problems.add(node.place, "a case must be a map", "found " + node.description(),
                 "write {TSH: 7.1, hypo: {none: 0.1, F: 0.9}}");
    return std::nullopt;
  }
  const std::size_t before = problems.list().size();
  GivenCase given = empty_case(law);
  for (std::size_t i = 0; i < law.columns.size(); ++i)
    if (law.column_schemas[i].type == ColumnType::boolean && !law.is_evidence(i)) set_cell(given.table.columns[i], 0);
  for (const yaml::Entry& entry : node.entries) read_entry(law, entry, given, problems);
  if (problems.list().size() > before) return std::nullopt;
  return given;
}

}  // namespace hiple::law
