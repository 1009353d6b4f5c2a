#include "data/planted_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace hiple::data {

namespace {

/// Rows beside those of its home that an engine learns from, of the training part: what is usual when nothing concerns it. More
/// would make findings look strange: a class with few rows is compared with all.
constexpr double background_rows = 500;

/// Lots under this one are everybody's background.
std::uint64_t background_lots(const PlantedWorld& world, std::uint64_t rows) {
  const double training = static_cast<double>(rows) * (1 - world.recipe().test);
  const double share = std::min(1.0, background_rows / std::max(1.0, training));
  return static_cast<std::uint64_t>(std::max(1.0, share * world.recipe().lots));
}

/// A text in double quotes, as YAML takes it from JSON.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string engine_entry(const std::string& engine, const std::string& domain, const std::string& sensors, std::uint64_t lots) {
  return fmt::format(R"(  - name: {engine}
    domain: {domain}
    target: {domain}
    features: [ambient, {sensors}_a, {sensors}_b]
    cases: 'home == "{domain}" or lot < {lots}'
    model: {{type: mlp, hidden: [16, 16], activation: relu}}
    train: {{epochs: 60, batch: 64, lr: 5e-3, early_stop: 15}}
    abstain_below: 0.01
)",
                     fmt::arg("engine", engine), fmt::arg("domain", domain), fmt::arg("sensors", sensors),
                     fmt::arg("lots", lots));
}

/// Removes what it has made, unless it is told that all is well.
class Made {
 public:
  explicit Made(const std::filesystem::path& folder) : folder_(folder), was_there_(std::filesystem::exists(folder)) {
    if (was_there_ && (!std::filesystem::is_directory(folder) || !std::filesystem::is_empty(folder)))
      throw InputError(Place{folder.string()}, "it is there already", "a planted study is made in a folder of its own",
                       "name a new folder, or remove this one");
    make_folder(folder);
  }
  ~Made() {
    if (is_kept_) return;
    std::error_code ignored;
    for (const std::filesystem::path& file : files_) std::filesystem::remove(file, ignored);
    if (!was_there_) std::filesystem::remove(folder_, ignored);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  std::filesystem::path file(const std::string& name) {
    files_.push_back(folder_ / name);
    return files_.back();
  }
  void keep() { is_kept_ = true; }

 private:
  std::filesystem::path folder_;
  bool was_there_, is_kept_ = false;
  std::vector<std::filesystem::path> files_;
};

}  // namespace

std::string planted_schema_yaml(const PlantedWorld& world) {
  std::string text =
      "# The table of a planted world (docs/planted.md). Labels are read by training and gates alone.\nschema: 1\ncolumns:\n";
  for (const ColumnSchema& column : planted_schema(world).columns) {
    text += fmt::format("  - {{name: {}, type: {}, role: {}", column.name, name_of(column.type), name_of(column.role));
    if (column.low && column.high) text += fmt::format(", range: [{}, {}]", format_real(*column.low), format_real(*column.high));
    if (!column.values.empty()) text += ", values: [" + join(column.values, ", ") + "]";
    text += "}\n";
  }
  return text;
}

std::string planted_run_yaml(const PlantedWorld& world, std::uint64_t rows, const std::string& table, const std::string& output) {
  const std::uint64_t lots = background_lots(world, rows);
  std::string text = fmt::format(
      R"(# A planted world of {} domains (docs/planted.md). Each engine reads the sensors of its own domain, and learns from the cases at
# home there and from a sample of all others.
hiple: 1
name: planted
seed: {}
as_of: 2026-12-01
data:
  table: {}
  schema: schema.yaml
  split: {{column: part, train: [train], test: [test], early_stop: 0.1, calibration: 0.3}}
engines:
)",
      world.domains(), world.options().seed, quoted(table));
  for (std::uint32_t domain = 0; domain < world.domains(); ++domain) {
    const std::string name = PlantedWorld::name(domain);
    text += engine_entry(name, name, name, lots);
    if (!world.has_witness(domain)) continue;
    text += engine_entry(name + "_copy", name, name, lots) + engine_entry(name + "_witness", name, name + "_witness", lots);
  }
  return text + "law: law.yaml\ngates: gates.yaml\noutput: " + quoted(output) + "\n";
}

std::string planted_critical_yaml(const PlantedWorld& world) {
  std::string text =
      "# What may not be missed. An unknown about one of them goes to the operator, always.\ncritical: 1\nfindings:\n";
  for (std::uint32_t domain = 0; domain < world.domains(); ++domain)
    text += fmt::format("  - {{finding: {}.critical, to: operator}}\n", PlantedWorld::name(domain));
  return text;
}

std::string planted_gates_yaml(const PlantedWorld& world) {
  std::string text =
      "# What a planted world promises. Home and needed engines are annotated: the table has a column for each.\ngates: "
      "1\ntruth:\n";
  std::string needed = "needed_columns:\n";
  for (std::uint32_t domain = 0; domain < world.domains(); ++domain) {
    const std::string name = PlantedWorld::name(domain);
    text += fmt::format("  {0}: {{column: {0}}}\n", name);
    needed += fmt::format("  {0}: {0}_needed\n", name);
  }
  // A case asks its home, one domain in two cases, and whoever an alarm that is missing or false makes it ask.
  const double cost = std::min(0.7, 4.0 / static_cast<double>(world.domains()) + 0.02 + 2 * world.options().missing);
  return text + needed +
         fmt::format(R"(home: {{column: true_home}}
# Each boundary must pass by itself. With the usual number of rows it has about two hundred cases: enough to prove .9 in spite of some
# misses, and too few for .95.
thresholds: {{cbr: 0.9, cmr_silent: 0.01, cmr_strict: 0.05, over_triage: 0.05, coverage: 0.9, cost: {}, found: 0.9}}
)",
                     format_real(cost));
}

void generate_planted(const std::filesystem::path& folder, const PlantedOptions& options, std::uint64_t rows,
                      TableFormat format) {
  constexpr std::uint64_t most_rows = 10'000'000'000;
  const PlantedWorld world(options);
  if (rows == 0 || rows > most_rows)
    throw InputError({}, fmt::format("--rows is {}", rows), "no table has that many cases", "choose from 1 to 1e10");
  Made made(folder);
  const std::string table = format == TableFormat::csv ? "cases.csv" : "cases.h5";
  const std::string output = std::filesystem::absolute(folder / "run").lexically_normal().string();
  write_planted_table(made.file(table), world, rows, format);
  write_file(made.file("schema.yaml"), planted_schema_yaml(world));
  write_file(made.file("law.yaml"), planted_law_yaml(world));
  write_file(made.file("critical.yaml"), planted_critical_yaml(world));
  write_file(made.file("gates.yaml"), planted_gates_yaml(world));
  write_file(made.file("run.yaml"), planted_run_yaml(world, rows, table, output));
  made.keep();
}

}  // namespace hiple::data
