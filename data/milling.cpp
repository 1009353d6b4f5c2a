#include "data/milling.hpp"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "data/describe.hpp"
#include "data/milling_recipe.hpp"
#include "table/cell_reader.hpp"
#include "table/table_writer.hpp"

namespace hiple::data {

namespace {

ColumnSchema category(std::string name, ColumnRole role, std::vector<std::string> values) {
  ColumnSchema column = describe(std::move(name), ColumnType::category, role);
  column.values = std::move(values);
  return column;
}

ColumnSchema real(std::string name, std::string unit, double low, double high) {
  ColumnSchema column = describe(std::move(name), ColumnType::real, ColumnRole::input, std::move(unit));
  column.low = low;
  column.high = high;
  return column;
}

/// The published table's columns.
Schema published_schema() {
  Schema schema;
  schema.file = "the columns of ai4i2020.csv";
  const auto flag = [&](const char* name) { schema.columns.push_back(describe(name, ColumnType::boolean, ColumnRole::label)); };
  schema.columns = {describe("UDI", ColumnType::integer, ColumnRole::id),
                    describe("Product ID", ColumnType::real, ColumnRole::ignore),
                    category("Type", ColumnRole::input, {"L", "M", "H"}),
                    real("Air temperature [K]", "K", 250, 350),
                    real("Process temperature [K]", "K", 250, 350),
                    real("Rotational speed [rpm]", "rpm", 0, 5000),
                    real("Torque [Nm]", "N.m", 0, 200),
                    real("Tool wear [min]", "min", 0, 400)};
  for (const char* name : {"Machine failure", "TWF", "HDF", "PWF", "OSF", "RNF"}) flag(name);
  return schema;
}

/// Our names of the published columns.
constexpr std::pair<const char*, const char*> published_names[] = {
    {"type", "Type"},
    {"air_temperature", "Air temperature [K]"},
    {"process_temperature", "Process temperature [K]"},
    {"rotational_speed", "Rotational speed [rpm]"},
    {"torque", "Torque [Nm]"},
    {"tool_wear", "Tool wear [min]"},
    {"heat_failure", "HDF"},
    {"power_failure", "PWF"},
    {"overstrain_failure", "OSF"},
    {"tool_wear_failure", "TWF"},
    {"random_failure", "RNF"},
};

/// Our columns in the order of milling_schema(), behind the id.
void append(std::vector<Column>& columns, const MillingCycle& cycle) {
  const double numbers[] = {cycle.air, cycle.process, cycle.speed, cycle.torque, cycle.wear};
  const bool failures[] = {cycle.heat, cycle.power, cycle.overstrain, cycle.tool_wear, cycle.random};
  std::size_t column = 1;
  const auto add = [&]<class T>(T value) {
    std::get<std::vector<T>>(columns[column].values).push_back(value);
    columns[column++].cells.push_back(Cell::known);
  };
  add(static_cast<std::int32_t>(cycle.type));
  for (const double number : numbers) add(number);
  for (const bool failed : failures) add(std::int32_t{failed});
}

Table make_table(const Schema& schema, std::uint64_t first_id, const std::vector<MillingCycle>& cycles) {
  Table table;
  table.schema = schema;
  for (const ColumnSchema& column : schema.columns) table.columns.push_back(make_column(column));
  for (const MillingCycle& cycle : cycles) {
    table.case_id.push_back(first_id + table.rows());
    append(table.columns, cycle);
  }
  return table;
}

std::unique_ptr<TableWriter> make_writer(const std::filesystem::path& path, const Schema& schema, TableFormat format) {
  return format == TableFormat::csv ? write_csv_table(path, schema) : write_h5_table(path, schema);
}

/// A published column as ours: its flags are numbers 0 and 1, ours categories.
Column converted(const Column& published) {
  const auto* flags = std::get_if<std::vector<std::uint8_t>>(&published.values);
  if (flags == nullptr) return published;
  return {std::vector<std::int32_t>(flags->begin(), flags->end()), published.cells};
}

}  // namespace

Schema milling_schema() {
  Schema schema;
  schema.columns = {describe("case", ColumnType::integer, ColumnRole::id),
                    category("type", ColumnRole::input, {"L", "M", "H"}),
                    real("air_temperature", "K", 250, 350),
                    real("process_temperature", "K", 250, 350),
                    real("rotational_speed", "rpm", 0, 5000),
                    real("torque", "N.m", 0, 200),
                    real("tool_wear", "min", 0, 400)};
  for (const char* mode : {"heat", "power", "overstrain", "tool_wear", "random"}) {
    schema.columns.push_back(category(std::string(mode) + "_failure", ColumnRole::label, {"none", "failure"}));
  }
  return schema;
}

void generate_milling(const std::filesystem::path& path, std::uint64_t rows, std::uint64_t seed, TableFormat format) {
  const MillingRecipe recipe;
  const std::uint64_t campaigns =
      std::max<std::uint64_t>(1, rows / recipe.campaign_rows + (rows % recipe.campaign_rows * 2 >= recipe.campaign_rows));
  if (rows == 0 || campaigns > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({}, std::to_string(rows) + " rows cannot be generated", "at least one and at most 4e13 are possible",
                     "ask for another number");
  }
  const Schema schema = milling_schema();
  const std::unique_ptr<TableWriter> writer = make_writer(path, schema, format);
  std::uint64_t first_id = 1;
  for (std::uint32_t campaign = 0; campaign < campaigns; ++campaign) {
    const std::uint64_t share = rows / campaigns + (campaign < rows % campaigns ? 1 : 0);
    writer->append(make_table(schema, first_id, make_campaign(recipe, seed, campaign, share)));
    first_id += share;
  }
  writer->finish();
}

void convert_milling(const std::filesystem::path& published, const std::filesystem::path& path, TableFormat format) {
  const Table source = read_table(published, published_schema());
  if (!source.text_of_invalid.empty()) {
    throw InputError({}, source.text_of_invalid.front(), "the value cannot be from the published table",
                     "look for the right file");
  }
  Table table;
  table.schema = milling_schema();
  table.case_id = source.case_id;
  table.columns.push_back(make_column(table.schema.columns.front()));
  for (const auto& [ours, theirs] : published_names) table.columns.push_back(converted(source.column(theirs)));
  const std::unique_ptr<TableWriter> writer = make_writer(path, table.schema, format);
  writer->append(table);
  writer->finish();
}

}  // namespace hiple::data
