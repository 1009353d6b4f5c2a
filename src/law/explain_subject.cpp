#include "law/explain_subject.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/date.hpp"
#include "base/text.hpp"

namespace hiple::law {

using condition::CauseKind;
using condition::Field;
using condition::Node;
using condition::Op;
using condition::Truth;
using condition::Voice;

namespace {

std::string with_unit(const std::string& number, const std::string& unit) { return unit.empty() ? number : number + " " + unit; }

std::string known_value(const ColumnSchema& schema, double number) {
  switch (schema.type) {
    case ColumnType::boolean:
      return number != 0 ? "true" : "false";
    case ColumnType::date:
      return format_date(static_cast<std::int32_t>(number));
    case ColumnType::category:
      return schema.values.at(static_cast<std::size_t>(number));
    case ColumnType::integer:
      return with_unit(std::to_string(static_cast<std::int64_t>(number)), schema.unit);
    case ColumnType::real:
      return with_unit(format_real(number), schema.unit);
  }
  return {};
}

std::string attribute_value(const Subject& subject, const Node& node) {
  const Voice voice = subject.view().engine(node.index);
  const EngineDescription& engine = subject.law.engines[node.index];
  switch (voice.state) {
    case Voice::State::inactive:
      return "not consulted";
    case Voice::State::unavailable:
      return "not available";
    case Voice::State::abstained:
      if (node.member == "judged") return "false";
      return node.member == "typicality" ? format_float(voice.typicality) : "abstained";
    case Voice::State::invalid:
      return node.member == "judged" ? "false" : "invalid input";
    case Voice::State::judged:
      break;
  }
  if (node.member == "judged") return "true";
  if (node.member == "label") return engine.classes.at(voice.label);
  if (node.member == "confidence") return format_float(voice.confidence);
  if (node.member == "typicality") return format_float(voice.typicality);
  condition::CauseSet ignored;
  const auto value = condition::value_of(node, subject.view(), ignored);
  return value ? format_float(static_cast<float>(*value)) : "unknown";
}

std::string finding_value(const Subject& subject, const Node& node) {
  const condition::PanelFinding finding = subject.view().finding(node.index);
  if (!finding.decided) return "undecided";
  const Question& question = subject.law.questions[subject.law.slots[node.index].second];
  return question.findings.at(finding.finding) + (finding.firm ? "" : " (not firm)");
}

}  // namespace

std::string Subject::absence(std::string_view engine) const {
  for (const EngineJudgments& entry : engines) {
    if (entry.name == engine) return entry.judgments == nullptr ? entry.reason : "its judgments leave this case out";
  }
  return "it is not part of the run";
}

std::string format_float(float value) {
  std::array<char, 32> buffer{};
  const auto [end, problem] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string column_value(const Subject& subject, std::size_t column) {
  const Field field = subject.inputs.field(subject.row, column);
  if (field.state == Field::State::missing) return "missing";
  if (field.state == Field::State::invalid) return subject.law.is_evidence(column) ? "contradictory" : "invalid";
  const std::string& name = subject.law.columns[column];
  return known_value(subject.table.schema.columns[subject.table.schema.find(name).value()], field.number);
}

std::string value_text(const Subject& subject, const Node& node) {
  if (node.op == Op::column || node.op == Op::known) return column_value(subject, node.index);
  if (node.op == Op::attribute) return attribute_value(subject, node);
  if (node.op == Op::finding) return finding_value(subject, node);
  condition::CauseSet causes;
  const CaseView view = subject.view();
  if (node.kind == condition::Kind::boolean) {
    const Truth truth = condition::evaluate(node, view, causes);
    return truth == Truth::unknown ? "unknown (" + causes_text(subject, causes) + ")" : truth == Truth::yes ? "true" : "false";
  }
  const auto value = condition::value_of(node, view, causes);
  if (!value) return "unknown (" + causes_text(subject, causes) + ")";
  return with_unit(format_real(*value), node.unit ? node.unit->text : "");
}

std::string cause_text(const Subject& subject, const condition::Cause& cause) {
  const std::string& name = cause.name;
  switch (cause.kind) {
    case CauseKind::division:
      return "a division by zero";
    case CauseKind::one_group:
      return "agree() heard one independent voice only";
    case CauseKind::missing:
      return name + " is missing";
    case CauseKind::invalid:
      return name + " is invalid";
    case CauseKind::inactive:
      return name + " was not consulted";
    case CauseKind::abstained:
      return name + " abstained";
    case CauseKind::disagree:
      return "the group of " + name + " disagrees";
    case CauseKind::suspended:
      return name + " is suspended here";
    case CauseKind::undecided:
      return name + " is undecided";
    case CauseKind::not_firm:
      return name + " is not firm";
    case CauseKind::contradictory:
      return "the sources of " + name + " contradict one another";
    case CauseKind::unavailable:
      break;
  }
  const std::string why = subject.absence(name);
  return name + " is not available" + (why.empty() ? "" : " (" + why + ")");
}

std::string causes_text(const Subject& subject, const condition::CauseSet& causes) {
  std::vector<std::string> words;
  for (const std::uint32_t cause : causes.list()) words.push_back(cause_text(subject, subject.law.causes().at(cause)));
  std::sort(words.begin(), words.end());
  return join(words, ", ");
}

std::string fill(const Subject& subject, const std::vector<TemplatePart>& parts) {
  std::string text;
  for (const TemplatePart& part : parts) text += part.value ? value_text(subject, *part.value) : part.text;
  return text;
}

}  // namespace hiple::law
