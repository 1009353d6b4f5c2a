#include <algorithm>

#include "base/date.hpp"
#include "base/text.hpp"
#include "law/given_case.hpp"
#include "law/loader.hpp"

namespace hiple::law {

namespace {

constexpr std::int64_t largest_version = 1'000'000'000;

}  // namespace

void Loader::read_rules() {
  for (const NamedEntry& entry : sorted(reader_.find("rules"), "id", "rules")) {
    claim(entry.name, entry.node->place);
    read_rule(entry);
  }
  add_defaults();
}

void Loader::read_rule(const NamedEntry& entry) {
  yaml::MapReader reader(*entry.node, "the rule " + entry.name, problems_);
  const std::string id = reader.text("id"), title = reader.text("title", "");
  const std::int64_t version = reader.integer("version", 1, largest_version, 1);
  const std::vector<std::string> statuses = {"proposed", "verified", "accepted", "suspended", "retired"};
  const std::string status = reader.choice("status", statuses, "accepted");

  const std::string panel_name = reader.text("panel", "root");
  std::vector<std::string> panel_names;
  for (const Panel& panel : model_->panels) panel_names.push_back(panel.name);
  const auto panel = std::find(panel_names.begin(), panel_names.end(), panel_name);
  if (panel == panel_names.end())
    problems_.add(reader.find("panel")->place, "there is no panel \"" + panel_name + "\"", {},
                  suggestion(panel_name, panel_names));

  const yaml::Node* then = reader.require("then");
  const auto name = then != nullptr ? yaml::as_text(*then, "`then`", problems_) : std::nullopt;
  const std::size_t finding = name ? finding_number(*name, then->place) : no_number;
  const yaml::Node* when_node = reader.require("when");
  const yaml::Node* where_node = reader.find("suspended_where");
  if (panel == panel_names.end() || finding == no_number) {
    for (const char* key : {"overrides", "valid", "because", "evidence", "precision", "tests"}) reader.find(key);
    return reader.finish();
  }

  const auto number = static_cast<std::size_t>(panel - panel_names.begin());
  const condition::Scope& scope = (model_->findings[finding].critical == no_number ? scopes_ : blind_scopes_)[number];
  Rule rule;
  rule.id = id;
  rule.title = title;
  rule.version = version;
  rule.panel = number;
  rule.finding = finding;
  rule.when = read_condition(when_node, scope).value_or(condition::Condition());
  rule.place = entry.node->place;
  rule.status = static_cast<RuleStatus>(std::find(statuses.begin(), statuses.end(), status) - statuses.begin());
  if (where_node != nullptr)
    rule.suspended = read_condition(where_node, scope);
  else if (rule.status == RuleStatus::suspended)
    rule.suspended.emplace();
  if (rule.suspended) rule.suspended_cause = model_->vocabulary.causes.rule(id);
  rule.overrides = reader.texts("overrides", std::vector<std::string>{});
  std::sort(rule.overrides.begin(), rule.overrides.end());
  rule.because = read_template(reader, scope, rule.because_text);
  read_validity(reader, rule);
  rule.precision = read_precision(reader);
  if (const yaml::Node* evidence = reader.find("evidence")) rule.evidence = *evidence;
  check_evidence(reader.find("evidence"));
  read_tests(reader, rule.tests, true);
  reader.finish();
  model_->rules.push_back(std::move(rule));
}

/// `valid` is compared with the run's day, never with the clock.
void Loader::read_validity(yaml::MapReader& reader, Rule& rule) {
  rule.in_force = rule.status == RuleStatus::accepted || rule.status == RuleStatus::suspended;
  const yaml::Node* node = reader.find("valid");
  if (node == nullptr) return;
  yaml::MapReader valid(*node, "`valid` of the rule " + rule.id, problems_);
  rule.valid_from = valid.text("from", "");
  rule.valid_to = valid.text("to", "");
  valid.finish();
  const auto day = [&](const char* key, const std::string& text) -> std::optional<std::int32_t> {
    if (text.empty()) return std::nullopt;
    const auto days = parse_date(text);
    if (!days) problems_.add(valid.find(key)->place, "\"" + text + "\" is no date", {}, "write it as 2026-01-31");
    return days;
  };
  const auto from = day("from", rule.valid_from), to = day("to", rule.valid_to);
  if (from && to && *to < *from) problems_.add(node->place, "the rule " + rule.id + " ends before it begins");
  if ((from && model_->as_of < *from) || (to && model_->as_of > *to)) rule.in_force = false;
}

/// What share of a rule's cases evidence must show to be right; it decides nothing.
std::optional<double> Loader::read_precision(yaml::MapReader& reader) {
  const yaml::Node* node = reader.find("precision");
  if (node == nullptr) return std::nullopt;
  const double precision = reader.real("precision", 0, 1);
  if (precision > 0 && precision < 1) return precision;
  problems_.add(node->place, "a precision of " + format_real(precision),
                "no evidence can show it: it lies between 0 and 1, and is neither");
  return std::nullopt;
}

/// A default is a rule `true` of no panel that every rule for another finding of its question overrides.
void Loader::add_defaults() {
  for (const Question& question : model_->questions) {
    if (!question.fallback) continue;
    Rule rule;
    rule.id = question.name + ".default";
    rule.fallback = true;
    rule.finding = question.first_finding + *question.fallback;
    claim(rule.id, root_.place);
    model_->rules.push_back(std::move(rule));
  }
  std::sort(model_->rules.begin(), model_->rules.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
}

void Loader::check_evidence(const yaml::Node* list) {
  for (const yaml::Node& node : items(list, "evidence")) {
    yaml::MapReader reader(node, "an entry of `evidence`", problems_);
    reader.text("source");
    reader.boolean("supports", true);
    const std::int64_t cases = reader.integer("cases", 0, largest_version, 0);
    reader.integer("held", 0, cases, 0);
    reader.text("note", "");
    reader.finish();
  }
}

/// The cases are checked here and kept as they are: what runs them reads them again.
void Loader::read_tests(yaml::MapReader& reader, yaml::Node& tests, bool can_be_defeated) {
  const yaml::Node* node = reader.find("tests");
  if (node == nullptr) return;
  tests = *node;
  yaml::MapReader lists(*node, "`tests` of " + reader.what(), problems_);
  std::vector<const char*> keys = {"fires", "silent", "unknown"};
  if (can_be_defeated) keys.push_back("defeated");
  for (const char* key : keys)
    for (const yaml::Node& given : items(lists.find(key), key)) read_given_case(*model_, given, problems_);
  lists.finish();
}

}  // namespace hiple::law
