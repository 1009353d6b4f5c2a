#include "law/explain_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/hash.hpp"
#include "law/explain_answer.hpp"
#include "law/explain_laws.hpp"
#include "law/explain_premises.hpp"
#include "law/explain_rules.hpp"

namespace hiple::law {

using condition::Field;
using condition::Node;
using condition::Op;
using condition::Truth;
using condition::Voice;

namespace {

using Json = nlohmann::ordered_json;

Json number_of(float value) { return Json::parse(format_float(value)); }

/// A column's value with its type: null where it is missing, "invalid" where it is that.
Json cell_json(const Subject& subject, std::size_t column) {
  const Field field = subject.inputs.field(subject.row, column);
  if (field.state == Field::State::missing) return nullptr;
  if (field.state == Field::State::invalid) return subject.law.is_evidence(column) ? "contradictory" : "invalid";
  const ColumnSchema& schema = subject.law.column_schemas[column];
  switch (schema.type) {
    case ColumnType::real:
      return field.number;
    case ColumnType::integer:
      return static_cast<std::int64_t>(field.number);
    case ColumnType::boolean:
      return field.number != 0;
    case ColumnType::category:
      return schema.values.at(static_cast<std::size_t>(field.number));
    case ColumnType::date:
      break;
  }
  return format_date(static_cast<std::int32_t>(field.number));
}

Json inputs_json(const Subject& subject) {
  Json inputs = Json::object();
  for (std::size_t i = 0; i < subject.law.columns.size(); ++i) {
    if (!subject.law.column_is_read[i]) continue;
    Json& entry = inputs[subject.law.columns[i]];
    entry["value"] = cell_json(subject, i);
    if (!subject.law.column_schemas[i].unit.empty()) entry["unit"] = subject.law.column_schemas[i].unit;
  }
  return inputs;
}

Json judgment_json(const Subject& subject, std::size_t index) {
  const EngineDescription& engine = subject.law.engines[index];
  const Voice voice = subject.view().engine(index);
  static const char* const states[] = {"not consulted", "not available", "judged", "abstained", "invalid input"};
  Json json = {{"state", states[static_cast<std::size_t>(voice.state)]}};
  if (voice.state == Voice::State::unavailable) json["reason"] = subject.absence(engine.name);
  if (voice.state != Voice::State::judged && voice.state != Voice::State::abstained) return json;
  json["typicality"] = number_of(voice.typicality);
  if (voice.state == Voice::State::abstained) return json;
  if (engine.classes.empty()) {
    json["value"] = number_of(voice.value);
    return json;
  }
  json["label"] = engine.classes[voice.label];
  json["confidence"] = number_of(voice.confidence);
  for (std::size_t i = 0; i < voice.probability.size(); ++i)
    json["probability"][engine.classes[i]] = number_of(voice.probability[i]);
  return json;
}

Json rounds_json(const Subject& subject) {
  static const char* const rings[] = {"needed", "panel", "all"};
  const auto names = [&](const std::vector<std::size_t>& engines) {
    Json list = Json::array();
    for (const std::size_t engine : engines) list.push_back(subject.law.engines[engine].name);
    return list;
  };
  Json rounds = Json::array();
  for (const Round& round : subject.result.trace) {
    Json entry = {{"consulted", names(round.active)}, {"added", names(round.added)}, {"links", Json::array()}};
    for (const std::size_t index : round.links) {
      const Link& link = subject.law.links[index];
      entry["links"].push_back({{"id", link.id},
                                {"from", subject.law.engines[link.from].name},
                                {"to", subject.law.engines[link.to].name},
                                {"when", link.when.canonical()},
                                {"because", fill(subject, link.because)}});
    }
    if (round.broadened) entry["broadened"] = rings[static_cast<std::size_t>(*round.broadened)];
    rounds.push_back(std::move(entry));
  }
  return rounds;
}

Json causes_json(const Subject& subject, const condition::CauseSet& causes) { return subject.law.causes().texts(causes); }

/// What an atom read, each value once.
void add_values(const Subject& subject, const Node& node, Json& values) {
  for (const auto& group : node.groups)
    for (const Node& member : group) {
      if (node.op != Op::count) {
        values[condition::print(member)] = value_text(subject, member);
        continue;
      }
      condition::CauseSet ignored;
      const Node& counted = member.operands.at(0);
      values[condition::print(counted)] = condition::name_of(condition::evaluate(counted, subject.view(), ignored));
    }
  if (!node.groups.empty()) return;
  if (node.op == Op::column || node.op == Op::known) values[node.name] = value_text(subject, node);
  if (node.op == Op::attribute || node.op == Op::finding) values[condition::print(node)] = value_text(subject, node);
  for (const Node& operand : node.operands) add_values(subject, operand, values);
}

/// A condition's tree: what a person reads as lines.
Json tree_json(const Subject& subject, const Node& node) {
  condition::CauseSet causes;
  const Truth truth = condition::evaluate(node, subject.view(), causes);
  Json json = {{"truth", condition::name_of(truth)}};
  if (truth == Truth::unknown) json["causes"] = causes_json(subject, causes);
  const bool connects = node.op == Op::conjunction || node.op == Op::disjunction || node.op == Op::negation;
  json["text"] = condition::print(node);
  if (!connects) {
    json["values"] = Json::object();
    add_values(subject, node, json["values"]);
    return json;
  }
  json["op"] = node.op == Op::conjunction ? "and" : node.op == Op::disjunction ? "or" : "not";
  for (const Node& operand : node.operands) json["parts"].push_back(tree_json(subject, operand));
  return json;
}

const char* word_of(Fate fate) {
  static const char* const words[] = {"not in force", "silent", "blocked", "defeated", "contested", "stands"};
  return words[static_cast<std::size_t>(fate)];
}

Json rule_json(const Subject& subject, std::size_t index) {
  const Rule& rule = subject.law.rules[index];
  const RuleResult& result = subject.result.panels[subject.law.root].rules[index];
  const Fate fate = fate_of(subject, index);
  Json json = {{"id", rule.id},
               {"version", rule.version},
               {"finding", subject.law.findings[rule.finding].name},
               {"fate", word_of(fate)},
               {"when", condition::name_of(result.when.value)},
               {"stands", condition::name_of(result.stand.value)},
               {"text", fate_text(subject, index)}};
  if (!rule.title.empty()) json["title"] = rule.title;
  if (!rule.because.empty()) json["because"] = fill(subject, rule.because);
  for (const EvidenceLine& evidence : evidence_of(rule)) {
    Json entry = {{"source", evidence.source}, {"supports", evidence.supports}};
    if (!evidence.cases.empty()) entry["cases"] = Json::parse(evidence.cases);
    if (!evidence.held.empty()) entry["held"] = Json::parse(evidence.held);
    if (!evidence.note.empty()) entry["note"] = evidence.note;
    json["evidence"].push_back(std::move(entry));
  }
  if (fate == Fate::defeated) json["defeated_by"] = overriders(subject, index, Truth::yes);
  if (fate == Fate::contested) json["waits_for"] = overriders(subject, index, Truth::unknown);
  if (result.when.value == Truth::unknown) json["causes"] = causes_json(subject, result.when.causes);
  if (rule.fallback) return json;
  if (result.when.value != Truth::yes && !obstacles(subject, rule.when).empty()) json["needs"] = needs(subject, rule.when);
  json["condition"] = tree_json(subject, rule.when.root());
  if (rule.suspended) json["suspended_where"] = tree_json(subject, rule.suspended->root());
  return json;
}

Json answer_json(const Subject& subject, const Answer& answer) {
  const std::string& question = subject.law.questions[answer.question].name;
  Json json = {{"question", question}, {"status", name_of(answer.status)}, {"reason", name_of(answer.reason)}};
  if (answer.finding != no_number) json["finding"] = subject.law.findings[answer.finding].name.substr(question.size() + 1);
  json["firm"] = answer.firm;
  json["critical"] = answer.critical;
  if (!subject.law.closed_by.empty()) json["gate_closed"] = {{"report", subject.law.closed_by}, {"escalated", answer.by_gate}};
  json["causes"] = causes_json(subject, answer.causes);
  if (const std::string evidence = evidence_text(subject, answer.question); !evidence.empty()) json["evidence"] = evidence;
  json["to"] = answer.to;
  json["rests_on"] = Json::array();
  for (const std::size_t record : answer.cited)
    json["rests_on"].push_back({{"id", subject.law.records[record].id}, {"version", subject.law.records[record].version}});
  return json;
}

/// What would settle the question; null where it is decided, or waits for nothing.
Json settlement_json(const std::string& question, const std::vector<Settlement>& settlements) {
  const auto found =
      std::find_if(settlements.begin(), settlements.end(), [&](const Settlement& s) { return s.question == question; });
  if (found == settlements.end()) return nullptr;
  Json json = {{"sets", Json::array()}, {"not_all_were_tried", found->given_up}};
  for (const Settling& set : found->sets)
    json["sets"].push_back({{"what", set.what}, {"values", set.values}, {"decides", set.finding}, {"always", set.always}});
  return json;
}

}  // namespace

std::string explain_json(const Subject& subject, const std::vector<Settlement>& settlements) {
  const Law::Model& law = subject.law;
  Json json = {{"case", subject.table.case_id[subject.row]}, {"law", law.name}, {"law_sha256", sha256(law.canonical)}};
  json["inputs"] = inputs_json(subject);
  json["home"] = subject.given || subject.result.home == no_number ? Json(nullptr) : Json(subject.result.home + 1);
  json["rounds"] = rounds_json(subject);
  json["capped"] = subject.result.capped;
  json["judgments"] = Json::object();
  for (std::size_t i = 0; i < law.engines.size(); ++i) json["judgments"][law.engines[i].name] = judgment_json(subject, i);
  json["panels"] = Json::array();
  for (std::size_t panel = 0; panel < law.panels.size(); ++panel)
    for (const Answer& answer : subject.result.panels[panel].answers) {
      if (panel == law.root) continue;
      Json entry = answer_json(subject, answer);
      entry["panel"] = law.panels[panel].name;
      json["panels"].push_back(std::move(entry));
    }
  json["questions"] = Json::array();
  for (const Answer& answer : subject.result.answers(law)) {
    Json entry = answer_json(subject, answer);
    entry["rules"] = Json::array();
    for (std::size_t i = 0; i < law.rules.size(); ++i)
      if (law.findings[law.rules[i].finding].question == answer.question) entry["rules"].push_back(rule_json(subject, i));
    entry["laws"] = Json::array();
    for (std::size_t i = 0; i < law.laws.size(); ++i)
      if (concerns(law, law.laws[i], answer.question))
        entry["laws"].push_back({{"id", law.laws[i].id},
                                 {"truth", condition::name_of(subject.result.laws[i].value)},
                                 {"text", effect_text(subject, i)},
                                 {"condition", tree_json(subject, law.laws[i].when.root())}});
    entry["settled_by"] = settlement_json(law.questions[answer.question].name, settlements);
    json["questions"].push_back(std::move(entry));
  }
  return json.dump(1) + "\n";
}

}  // namespace hiple::law
