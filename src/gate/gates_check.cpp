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
    for (const std::string& engine : engines) {
      if (!contains(context_.engines, engine))
        problems_.add(place, "\"" + engine + "\" is no engine of the run", {}, suggestion(engine, context_.engines));
    }
  }

 private:
  const std::vector<std::string>* findings_of(const std::string& question, const Place& place) {
    const auto found = std::find(context_.questions.begin(), context_.questions.end(), question);
    if (found != context_.questions.end())
      return &context_.findings[static_cast<std::size_t>(found - context_.questions.begin())];
    problems_.add(place, "\"" + question + "\" is no question of the law", {}, suggestion(question, context_.questions));
    return nullptr;
  }

  void column(const TruthConfig& truth, const std::string& name, const Place& place, const std::vector<std::string>& findings) {
    const auto index = schema_.find(name);
    if (!index) {
      problems_.add(place, "the schema has no column \"" + name + "\"", {}, suggestion(name, schema_.names(ColumnRole::label)));
      return;
    }
    const ColumnSchema& column = schema_.columns[*index];
    if (column.role != ColumnRole::label)
      problems_.add(place, "\"" + name + "\" has the role " + std::string(name_of(column.role)),
                    "the law and the engines must not read the truth", "give it the role label");
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
