#include <algorithm>

#include "base/text.hpp"
#include "condition/binder.hpp"

namespace hiple::condition {

namespace {

/// In the order of Attribute.
const std::vector<std::string> attributes = {"label", "confidence", "probability", "typicality", "judged", "value"};

std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

}  // namespace

std::vector<std::uint32_t> Binder::numbers_of(const std::vector<std::string>& texts) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(texts.size());
  for (const std::string& text : texts) numbers.push_back(scope_.vocabulary->text(text));
  return numbers;
}

void Binder::bind_column(Node& node) {
  const auto found = scope_.columns.find(node.name);
  if (found == scope_.columns.end()) {
    if (const auto hidden = scope_.unreadable.find(node.name); hidden != scope_.unreadable.end())
      return wrong(node, "the column " + in_quotes(node.name) + " cannot be read here", hidden->second);
    if (scope_.engines.contains(node.name) || scope_.panels.contains(node.name))
      return wrong(node, in_quotes(node.name) + " is no column", "an engine or a panel has no value of its own",
                   "write " + node.name + ".label, or panel.question");
    return wrong(node, "there is no column " + in_quotes(node.name), {}, suggestion(node.name, names_of(scope_.columns)));
  }
  take_column(node, found->second, scope_.vocabulary->causes.column(node.name));
}

void Binder::take_column(Node& node, const ColumnInfo& column, std::uint32_t cause) {
  node.kind = column.kind;
  node.index = column.index;
  node.cause = cause;
  if (is_number(node) && !column.unit.empty()) node.value_unit = parse_unit(column.unit);
  if (column.kind == Kind::text) node.texts = numbers_of(column.values);
}

/// evidence.MEMBER, which is a column from now on.
void Binder::bind_evidence(Node& node) {
  const Op op = node.op == Op::known ? Op::known : Op::column;
  node.name = evidence_name(node.member);
  if (!node.text.empty())
    return wrong(node, "evidence has no classes", {}, "compare it with a text: " + node.name + R"( == "...")");
  if (!scope_.no_evidence.empty()) return wrong(node, "evidence cannot be read here", scope_.no_evidence);
  if (const auto hidden = scope_.unreadable.find(node.name); hidden != scope_.unreadable.end())
    return wrong(node, node.name + " cannot be read", hidden->second);
  const auto found = scope_.evidence.find(node.member);
  if (found == scope_.evidence.end())
    return wrong(node, "there is no evidence about " + in_quotes(node.member), "evidence is about input columns and questions",
                 suggestion(node.member, names_of(scope_.evidence)));
  node.op = op;
  take_column(node, found->second, scope_.vocabulary->causes.evidence(node.name));
}

void Binder::bind_known(Node& node) {
  node.member.empty() ? bind_column(node) : bind_evidence(node);
  if (node.kind != Kind::wrong) node.kind = Kind::boolean;
  node.value_unit.reset();
  node.texts.clear();
}

void Binder::report_reserved(const Node& node) {
  if (node.name == "each" && !in_count_)
    problems_.add(place_of_(node.begin), "`each` has a meaning inside count() only");
  else if (scope_.panels.contains(node.name) && !scope_.no_findings.empty())
    problems_.add(place_of_(node.begin), "findings of panels cannot be read here", scope_.no_findings);
  else if (scope_.panels.contains(node.name))
    problems_.add(place_of_(node.begin), "there is no finding " + in_quotes(node.name + "." + node.member),
                  "a condition reads answers of the panels that are direct members of its own",
                  suggestion(node.name + "." + node.member, names_of(scope_.findings)));
  else
    problems_.add(place_of_(node.begin), "there is no engine " + in_quotes(node.name) + " here",
                  scope_.engines.empty() ? "no engine can be read here" : "", suggestion(node.name, names_of(scope_.engines)));
}

void Binder::bind_attribute(Node& node) {
  node.kind = Kind::wrong;
  if (node.name == evidence_word) return bind_evidence(node);
  if (scope_.findings.contains(node.name + "." + node.member)) return bind_finding(node);
  const auto engine = scope_.engines.find(node.name);
  if (engine == scope_.engines.end()) return report_reserved(node);
  bind_engine(node, node.name, engine->second);
}

void Binder::bind_finding(Node& node) {
  const std::string name = node.name + "." + node.member;
  const FindingInfo& finding = scope_.findings.at(name);
  node.op = Op::finding;
  node.kind = Kind::text;
  node.index = finding.index;
  node.cause = scope_.vocabulary->causes.finding(name);
  node.texts = numbers_of(finding.findings);
}

void Binder::bind_engine(Node& node, const std::string& name, const EngineInfo& engine) {
  const auto known = std::find(attributes.begin(), attributes.end(), node.member);
  if (known == attributes.end())
    return wrong(node, "an engine has no attribute " + in_quotes(node.member), {}, suggestion(node.member, attributes));
  node.attribute = static_cast<Attribute>(known - attributes.begin());
  const bool is_label = node.attribute == Attribute::label, is_probability = node.attribute == Attribute::probability;
  const bool regression = engine.classes.empty();
  if (regression && (is_label || is_probability || node.attribute == Attribute::confidence))
    return wrong(node, "the engine " + in_quotes(name) + " has no ." + node.member, "it predicts a number, no class",
                 "use .value");
  if (node.attribute == Attribute::value && !regression)
    return wrong(node, "the engine " + in_quotes(name) + " has no .value", "it predicts a class", "use .label or .confidence");
  node.index = engine.index;
  node.cause = scope_.vocabulary->causes.engine(name);
  node.kind = is_label ? Kind::text : node.attribute == Attribute::judged ? Kind::boolean : Kind::real;
  if (is_label) node.texts = numbers_of(engine.classes);
  if (!is_probability) return;
  const auto found = std::find(engine.classes.begin(), engine.classes.end(), node.text);
  if (found == engine.classes.end())
    return wrong(node, in_quotes(node.text) + " is no class of the engine " + in_quotes(name), {},
                 suggestion(node.text, engine.classes));
  node.value = static_cast<double>(found - engine.classes.begin());
}

void Binder::bind_aggregate(Node& node) {
  node.kind = Kind::wrong;
  const auto panel = scope_.panels.find(node.name);
  if (panel == scope_.panels.end())
    return wrong(node, "there is no panel " + in_quotes(node.name) + " here", "a condition counts its own panel and those below",
                 suggestion(node.name, names_of(scope_.panels)));
  if (panel->second.empty()) return wrong(node, "the panel " + in_quotes(node.name) + " has no engines");
  const bool averages = node.op == Op::minimum || node.op == Op::maximum || node.op == Op::mean;
  if (averages && node.member != "confidence" && node.member != "typicality")
    return wrong(node, in_quotes(node.member) + " cannot be averaged", "only what lies in [0, 1] can",
                 suggestion(node.member, std::vector<std::string>{"confidence", "typicality"}));
  if (node.op == Op::count && in_count_) return wrong(node, "count() cannot stand inside count()");
  node.kind = node.op == Op::agree ? Kind::boolean : Kind::aggregate;
  group_members(node, panel->second);
}

void Binder::group_members(Node& node, const std::vector<std::string>& members) {
  std::map<std::string, std::vector<Node>> groups;
  std::vector<std::string> classes;
  for (const std::string& name : members) {
    const EngineInfo& engine = scope_.engines.at(name);
    Node member;
    member.op = Op::attribute;
    member.begin = node.begin;
    member.end = node.end;
    member.name = name;
    bind_member(member, node);
    if (member.kind == Kind::wrong) return wrong_at(node, node, {});
    groups[engine.group.empty() ? name : engine.group].push_back(std::move(member));
    std::vector<std::string> sorted = engine.classes;
    std::sort(sorted.begin(), sorted.end());
    if (node.op == Op::agree && name != members.front() && sorted != classes)
      return wrong(node, "agree() needs engines with the same classes",
                   in_quotes(name) + " and " + in_quotes(members.front()) + " differ");
    classes = std::move(sorted);
  }
  for (auto& [group, list] : groups) node.groups.push_back(std::move(list));
}

/// What the aggregate reads of one engine.
void Binder::bind_member(Node& member, const Node& aggregate) {
  member.member = aggregate.op == Op::count ? "judged" : aggregate.op == Op::agree ? "label" : aggregate.member;
  bind_engine(member, member.name, scope_.engines.at(member.name));
  if (aggregate.op != Op::count || member.kind == Kind::wrong) return;
  Node counted = aggregate.operands[0];
  const auto rename = [&](auto&& self, Node& node) -> void {
    if (node.op == Op::attribute && node.name == "each") node.name = member.name;
    for (Node& operand : node.operands) self(self, operand);
  };
  rename(rename, counted);
  in_count_ = true;
  bind(counted);
  in_count_ = false;
  if (counted.kind != Kind::wrong && counted.kind != Kind::boolean)
    wrong(counted, "count() needs a condition about `each`", {}, R"(count(panel, each.label == "class"))");
  if (counted.kind == Kind::wrong) member.kind = Kind::wrong;
  member.operands.push_back(std::move(counted));
}

}  // namespace hiple::condition
