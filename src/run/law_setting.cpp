#include "run/law_setting.hpp"

#include <algorithm>

#include "base/date.hpp"
#include "base/text.hpp"
#include "config/run_config.hpp"
#include "config/yaml.hpp"
#include "law/model.hpp"
#include "run/check_columns.hpp"
#include "run/prepare.hpp"
#include "table/table.hpp"

namespace hiple {

namespace {

Place command_line() { return {"command line", 0, 0}; }

bool is_run_file(const std::filesystem::path& path) {
  const yaml::Node root = yaml::load(path);
  for (const yaml::Entry& entry : root.entries)
    if (entry.key == "hiple") return true;
  return false;
}

LawSetting setting_of_run(const std::filesystem::path& run, std::filesystem::path law) {
  const RunConfig config = load_run_config(run);
  LawSetting setting;
  setting.schema = load_schema(config.data.schema);
  Problems problems;
  check_columns(config, setting.schema, problems);
  problems.throw_if_any();
  setting.engines = describe_engines(config, setting.schema);
  for (const EngineConfig& engine : config.engines) setting.domains.push_back(engine.domain);
  setting.as_of = config.as_of;
  if (!config.evidence.file.empty()) setting.evidence = config.evidence.place;
  setting.law = law.empty() ? config.law : std::move(law);
  return setting;
}

law::EngineDescription read_engine(const std::string& text) {
  const std::size_t equal = text.find('=');
  law::EngineDescription engine{text.substr(0, equal), {}};
  if (equal != std::string::npos) engine.classes = split(text.substr(equal + 1), ',');
  const bool is_empty = std::find(engine.classes.begin(), engine.classes.end(), "") != engine.classes.end();
  if (engine.name.empty() || is_empty)
    throw InputError(command_line(), "\"" + text + "\" describes no engine", {}, "write --engine NAME=CLASS,CLASS");
  return engine;
}

LawSetting setting_of_parts(const LawOptions& options) {
  LawSetting setting;
  setting.law = options.law;
  setting.schema = load_schema(options.schema);
  for (const std::string& text : options.engines) setting.engines.push_back(read_engine(text));
  if (options.as_of.empty()) return setting;
  const auto day = parse_date(options.as_of);
  if (!day) throw InputError(command_line(), "\"" + options.as_of + "\" is no date", {}, "write --as-of 2026-01-31");
  setting.as_of = *day;
  return setting;
}

}  // namespace

LawSetting find_law_setting(const LawOptions& options) {
  if (!options.schema.empty() && !options.run.empty())
    throw InputError(command_line(), "--schema and --run are both given", "run.yaml names the schema", "leave one out");
  if (!options.schema.empty()) return setting_of_parts(options);
  if (!options.engines.empty() || !options.as_of.empty())
    throw InputError(command_line(), "--engine and --as-of go with --schema", "run.yaml names the engines and the day",
                     "give --schema too");
  if (!options.run.empty()) return setting_of_run(options.run, options.law);
  if (is_run_file(options.law)) return setting_of_run(options.law, {});
  const std::filesystem::path beside = options.law.parent_path() / "run.yaml";
  if (!std::filesystem::exists(beside))
    throw InputError(Place{options.law.string()}, "it is not known which columns and engines this law reads",
                     "there is no run.yaml beside it", "name one with --run, or give --schema and --engine");
  return setting_of_run(beside, options.law);
}

audit::CheckOptions check_options(const LawSetting& setting, const law::Law& law, const std::filesystem::path& table) {
  audit::CheckOptions options;
  for (const law::EngineDescription& engine : law.model().engines)  // the model sorts them by name
    for (std::size_t i = 0; i < setting.domains.size(); ++i)
      if (setting.engines[i].name == engine.name) options.domains.push_back(setting.domains[i]);
  if (table.empty()) return options;
  std::vector<std::string> columns = law.columns();
  std::erase_if(columns, condition::is_evidence_name);
  const Table data = read_table(table, setting.schema, columns);
  for (const std::string& name : columns) {
    const ColumnSchema& schema = setting.schema.columns.at(setting.schema.find(name).value());
    if (schema.type != ColumnType::real && schema.type != ColumnType::integer && schema.type != ColumnType::date) continue;
    const Column& column = data.column(name);
    std::optional<std::pair<double, double>> range;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if (column.cells[row] != Cell::known) continue;
      const double value = column.number(row);
      range = range ? std::pair(std::min(range->first, value), std::max(range->second, value)) : std::pair(value, value);
    }
    if (range) options.data[name] = *range;
  }
  return options;
}

law::Law load_law(const LawSetting& setting) { return load_law(setting, setting.law); }

law::Law load_law(const LawSetting& setting, const std::filesystem::path& law) {
  return law::Law::load(law, setting.schema, setting.engines, setting.as_of);
}

}  // namespace hiple
