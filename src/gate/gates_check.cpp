#include <algorithm>

#include "base/text.hpp"
#include "gate/gates_config.hpp"

namespace hiple::gate {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Compares gates.yaml with what it speaks of.
class Check {
 public:
  Check(const Schema& schema, const GatesContext& context, Problems& problems)
      : schema_(schema), context_(context), problems_(problems) {}

  void truth(const TruthConfig& truth) {
    const auto findings = findings_of(truth.question, truth.place);
    if (!findings) return;
    column(truth, truth.column, truth.column_place, *findings);
    if (!truth.also.empty()) column(truth, truth.also, truth.also_place, *findings);
    for (const auto& [value, finding] : truth.findings) {
      if (!contains(*findings, finding))
        problems_.add(truth.place, "\"" + finding + "\" is no finding of " + truth.question, {}, suggestion(finding, *findings));
    }
  }

  void needed(const std::string& key, const std::vector<std::string>& engines, const Place& place) {
    const std::size_t dot = key.find('.');
    const auto findings = findings_of(key.substr(0, dot), place);
    if (findings && dot != std::string::npos && !contains(*findings, key.substr(dot + 1)))
      problems_.add(place, "\"" + key + "\" is no finding", {}, suggestion(key.substr(dot + 1), *findings));
    for (const std::string& engine : engines) known_engine(engine, place);
  }

  void needed_column(const std::string& engine, const std::string& name, const Place& place) {
    known_engine(engine, place);
    if (const ColumnSchema* column = label(name, place); column != nullptr && column->type != ColumnType::boolean)
      problems_.add(place, "\"" + name + "\" has the type " + std::string(name_of(column->type)), "an engine is needed or not",
                    "use a boolean");
  }

  void home(const HomeConfig& home) {
    const ColumnSchema* column = label(home.column, home.column_place);
    if (column == nullptr) return;
    if (column->type != ColumnType::category) {
      problems_.add(home.column_place, "\"" + home.column + "\" has the type " + std::string(name_of(column->type)),
                    "its values stand for engines", "use a category");
      return;
    }
    for (const std::string& value : column->values)
      if (!home.engines.contains(value)) known_engine(value, home.column_place);
    for (const auto& [value, engines] : home.engines) {
      if (!contains(column->values, value))
        problems_.add(home.place, "\"" + value + "\" is no value of \"" + home.column + "\"", {},
                      suggestion(value, column->values));
      for (const std::string& engine : engines) known_engine(engine, home.place);
    }
  }

  void cluster(const std::string& name, const Place& place) {
    const auto index = schema_.find(name);
    if (!index) {
      std::vector<std::string> names = schema_.names(ColumnRole::label);
      for (const std::string& input : schema_.names(ColumnRole::input)) names.push_back(input);
      problems_.add(place, "the schema has no column \"" + name + "\"", {}, suggestion(name, names));
      return;
    }
    const ColumnSchema& column = schema_.columns[*index];
    const bool has_values = column.role == ColumnRole::input || column.role == ColumnRole::label;
    if (!has_values || column.type == ColumnType::real)
      problems_.add(place, "\"" + name + "\" cannot name clusters",
                    has_values ? "it is a real number" : "its role is " + std::string(name_of(column.role)),
                    "name a category, boolean, integer or date with role input or label");
  }

  void waiver(const Waiver& waiver) {
    if (waiver.boundary == "pooled") return;
    const std::size_t arrow = waiver.boundary.find(" -> ");
    if (arrow == std::string::npos) {
      problems_.add(waiver.place, "\"" + waiver.boundary + "\" is no boundary", {}, "write \"from -> to\", or pooled");
      return;
    }
    const std::string from = waiver.boundary.substr(0, arrow), to = waiver.boundary.substr(arrow + 4);
    // By counterfactual the boundary leads from all home engines of a case to a question.
    for (const std::string& engine : from == no_home ? std::vector<std::string>{} : split(from, '+'))
      known_engine(engine, waiver.place);
    if (!contains(context_.questions, to)) known_engine(to, waiver.place);
  }

 private:
  void known_engine(const std::string& engine, const Place& place) {
    if (!contains(context_.engines, engine))
      problems_.add(place, "\"" + engine + "\" is no engine of the run", {}, suggestion(engine, context_.engines));
  }

  const ColumnSchema* label(const std::string& name, const Place& place) {
    const auto index = schema_.find(name);
    if (!index) {
      problems_.add(place, "the schema has no column \"" + name + "\"", {}, suggestion(name, schema_.names(ColumnRole::label)));
      return nullptr;
    }
    const ColumnSchema& column = schema_.columns[*index];
    if (column.role != ColumnRole::label)
      problems_.add(place, "\"" + name + "\" has the role " + std::string(name_of(column.role)),
                    "the law and the engines must not read the truth", "give it the role label");
    return &column;
  }

  const std::vector<std::string>* findings_of(const std::string& question, const Place& place) {
    const auto found = std::find(context_.questions.begin(), context_.questions.end(), question);
    if (found != context_.questions.end())
      return &context_.findings[static_cast<std::size_t>(found - context_.questions.begin())];
    problems_.add(place, "\"" + question + "\" is no question of the law", {}, suggestion(question, context_.questions));
    return nullptr;
  }

  void column(const TruthConfig& truth, const std::string& name, const Place& place, const std::vector<std::string>& findings) {
    const ColumnSchema* found = label(name, place);
    if (found == nullptr) return;
    const ColumnSchema& column = *found;
    if (column.type != ColumnType::category && column.type != ColumnType::boolean) {
      problems_.add(place, "\"" + name + "\" has the type " + std::string(name_of(column.type)), "the truth is a finding",
                    "use a category or a boolean");
      return;
    }
    const bool boolean = column.type == ColumnType::boolean;
    const std::vector<std::string> values = boolean ? std::vector<std::string>{"false", "true"} : column.values;
    for (const std::string& value : values) {
      if (!truth.findings.contains(value) && !contains(findings, value))
        problems_.add(place, "the value \"" + value + "\" of \"" + name + "\" is no finding of " + truth.question,
                      "findings: " + join(findings, ", "), "say in `findings` which finding it means");
    }
    for (const auto& [value, finding] : truth.findings) {
      if (!contains(values, value))
        problems_.add(truth.place, "\"" + value + "\" is no value of \"" + name + "\"", {}, suggestion(value, values));
    }
  }

  const Schema& schema_;
  const GatesContext& context_;
  Problems& problems_;
};

}  // namespace

void check_gates(const GatesConfig& config, const Schema& schema, const GatesContext& context) {
  Problems problems;
  Check check(schema, context, problems);
  for (const TruthConfig& truth : config.truth) check.truth(truth);
  for (const auto& [key, engines] : config.needed) check.needed(key, engines, config.needed_places.at(key));
  for (const auto& [engine, column] : config.needed_columns)
    check.needed_column(engine, column, config.needed_column_places.at(engine));
  if (!config.home.column.empty()) check.home(config.home);
  if (!config.cluster.empty()) check.cluster(config.cluster, config.cluster_place);
  for (const Waiver& waiver : config.waivers) check.waiver(waiver);
  // A finding whose engines are not stated would count as needing none, and its cases as crossing no boundary.
  for (const TruthConfig& truth : config.truth) {
    const auto about = [&](const auto& entry) { return entry.first.substr(0, entry.first.find('.')) == truth.question; };
    if (!config.needed.empty() && std::none_of(config.needed.begin(), config.needed.end(), about))
      problems.add(truth.place, "\"needed\" says nothing of " + truth.question, "its cases would cross no boundary",
                   "name its engines, or []");
  }
  problems.throw_if_any();
}

}  // namespace hiple::gate
