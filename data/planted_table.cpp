#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "data/describe.hpp"
#include "data/planted_study.hpp"
#include "table/cell_reader.hpp"
#include "table/table_writer.hpp"

namespace hiple::data {

namespace {

constexpr std::uint64_t portion_rows = 4096;

template <class Texts>
ColumnSchema category(std::string name, ColumnRole role, const Texts& values) {
  ColumnSchema column = describe(std::move(name), ColumnType::category, role);
  column.values.assign(values.begin(), values.end());
  return column;
}

/// Fills the columns of a portion one after the other.
class Filler {
 public:
  Filler(const PlantedWorld& world, Table& table, std::span<const PlantedCase> cases)
      : world_(world), table_(table), cases_(cases) {}

  void fill() {
    ++next_;  // the case's number
    for_each_case([](const PlantedCase& drawn) { return std::int32_t{drawn.is_test}; });
    for_each_case([](const PlantedCase& drawn) { return static_cast<std::int32_t>(drawn.kind); });
    for_each_case([](const PlantedCase& drawn) { return static_cast<std::int32_t>(drawn.home()); });
    for_each_case([](const PlantedCase& drawn) { return static_cast<std::int32_t>(drawn.home()); });
    for_each_case([](const PlantedCase& drawn) { return static_cast<std::int64_t>(drawn.lot); });
    for_each_case([](const PlantedCase& drawn) { return drawn.ambient; });
    for (std::uint32_t domain = 0; domain < world_.domains(); ++domain) fill_domain(domain);
  }

 private:
  template <class Value>
  void for_each_case(Value value_of) {
    using T = decltype(value_of(cases_.front()));
    Column& column = table_.columns[next_++];
    auto& values = std::get<std::vector<T>>(column.values);
    for (const PlantedCase& drawn : cases_) values.push_back(value_of(drawn));
    column.cells.assign(cases_.size(), Cell::known);
  }

  /// A missing cell has no value.
  template <class T>
  void add(Column& column, T value, bool is_missing) {
    std::get<std::vector<T>>(column.values).push_back(is_missing ? T{} : value);
    column.cells.push_back(is_missing ? Cell::missing : Cell::known);
  }

  void fill_domain(std::uint32_t domain) {
    const std::size_t first = next_, pairs = world_.has_witness(domain) ? 2 : 1;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const PlantedReadings readings = world_.read(table_.case_id[i] - 1, cases_[i], domain);
      for (std::size_t pair = 0; pair < pairs; ++pair)
        for (std::size_t k = 0; k < 2; ++k) {
          const auto& reading = (pair == 0 ? readings.sensors : readings.witness).at(k);
          add(table_.columns[first + 2 * pair + k], reading.value, reading.is_missing);
        }
      add(table_.columns[first + 2 * pairs], std::uint8_t{readings.alarm}, readings.alarm_is_missing);
    }
    next_ = first + 2 * pairs + 1;
    const auto touched = [domain](const PlantedCase& drawn) {
      return std::ranges::find(drawn.domains(), domain, &PlantedCase::Touched::domain);
    };
    for_each_case([&](const PlantedCase& drawn) {
      const auto found = touched(drawn);
      return found == drawn.domains().end() ? std::int32_t{0} : static_cast<std::int32_t>(found->truth);
    });
    for_each_case([&](const PlantedCase& drawn) { return std::uint8_t{touched(drawn) != drawn.domains().end()}; });
  }

  const PlantedWorld& world_;
  Table& table_;
  std::span<const PlantedCase> cases_;
  std::size_t next_ = 0;
};

}  // namespace

Schema planted_schema(const PlantedWorld& world) {
  constexpr std::array parts = {"train", "test"};
  std::vector<std::string> names;
  for (std::uint32_t domain = 0; domain < world.domains(); ++domain) names.push_back(PlantedWorld::name(domain));
  Schema schema;
  schema.columns = {describe("case", ColumnType::integer, ColumnRole::id),
                    category("part", ColumnRole::label, parts),
                    category("kind", ColumnRole::label, planted_kinds),
                    category("true_home", ColumnRole::label, names),
                    category("home", ColumnRole::input, names),
                    describe("lot", ColumnType::integer, ColumnRole::input),
                    describe("ambient", ColumnType::real, ColumnRole::input)};
  schema.columns[5].low = 0;
  schema.columns[5].high = world.recipe().lots - 1;
  for (std::uint32_t domain = 0; domain < world.domains(); ++domain) {
    const std::string& name = names[domain];
    for (const char* sensor : {"_a", "_b"})
      schema.columns.push_back(describe(name + sensor, ColumnType::real, ColumnRole::input));
    if (world.has_witness(domain))
      for (const char* sensor : {"_witness_a", "_witness_b"})
        schema.columns.push_back(describe(name + sensor, ColumnType::real, ColumnRole::input));
    schema.columns.push_back(describe(name + "_alarm", ColumnType::boolean, ColumnRole::input));
    schema.columns.push_back(category(name, ColumnRole::label, planted_states));
    schema.columns.push_back(describe(name + "_needed", ColumnType::boolean, ColumnRole::label));
  }
  return schema;
}

void write_planted_table(const std::filesystem::path& path, const PlantedWorld& world, std::uint64_t rows, TableFormat format) {
  const Schema schema = planted_schema(world);
  const std::unique_ptr<TableWriter> writer =
      format == TableFormat::csv ? write_csv_table(path, schema) : write_h5_table(path, schema);
  std::vector<PlantedCase> cases;
  for (std::uint64_t first = 0; first < rows; first += portion_rows) {
    Table portion;
    portion.schema = schema;
    for (const ColumnSchema& column : schema.columns) portion.columns.push_back(make_column(column));
    portion.case_id.resize(std::min(portion_rows, rows - first));
    std::iota(portion.case_id.begin(), portion.case_id.end(), first + 1);
    cases.clear();
    for (const std::uint64_t id : portion.case_id) cases.push_back(world.draw(id - 1));
    Filler(world, portion, cases).fill();
    writer->append(portion);
  }
  writer->finish();
}

}  // namespace hiple::data
