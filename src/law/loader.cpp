#include "law/loader.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hiple::law {

Loader::Loader(const yaml::Node& root, std::filesystem::path file, const Schema& schema,
               const std::vector<EngineDescription>& engines, std::int32_t as_of)
    : root_(root),
      file_(std::move(file)),
      schema_(schema),
      reader_(root, "the law", problems_),
      model_(std::make_unique<Law::Model>()) {
  model_->as_of = as_of;
  add_columns();
  add_engines(engines);
}

std::unique_ptr<Law::Model> Loader::run() {
  reader_.integer("law", 1, 1);
  model_->name = reader_.text("name");
  model_->precision = read_precision(reader_);
  check_schema_file();
  read_independence();
  read_questions();
  note_mentioned(root_);
  if (const auto critical = critical_file()) note_mentioned(*critical);
  read_panels();
  problems_.throw_if_any();  // everything below speaks of questions and panels: one mistake there would bring a hundred here
  add_evidence();
  make_scopes();
  read_incompatible();
  read_critical();
  read_rules();
  read_laws();
  read_links();
  read_route();
  reader_.finish();
  link_overrides();
  problems_.throw_if_any();
  order_rules();
  problems_.throw_if_any();
  number_records();
  write_canonical(*model_);
  return std::move(model_);
}

const std::vector<yaml::Node>& Loader::items(const yaml::Node* list, const std::string& what) {
  static const std::vector<yaml::Node> none;
  if (list == nullptr) return none;
  if (list->is_sequence()) return list->items;
  problems_.add(list->place, "`" + what + "` must be a list", "found " + list->description());
  return none;
}

std::vector<NamedEntry> Loader::sorted(const yaml::Node* list, const std::string& key, const std::string& what) {
  std::vector<NamedEntry> entries;
  std::map<std::string, Place> seen;
  for (const yaml::Node& node : items(list, what)) {
    Problems ignored;  // the entry is read again, in full
    const std::string name = yaml::MapReader(node, what, ignored).text(key);
    if (name.empty()) {
      problems_.add(node.place, "an entry of `" + what + "` has no " + key);
      continue;
    }
    const auto [first, is_new] = seen.emplace(name, node.place);
    if (is_new)
      entries.push_back({name, &node});
    else
      problems_.add(node.place, "the " + key + " \"" + name + "\" is used twice in `" + what + "`",
                    "first at " + first->second.text());
  }
  std::sort(entries.begin(), entries.end(), [](const NamedEntry& a, const NamedEntry& b) { return a.name < b.name; });
  return entries;
}

void Loader::claim(const std::string& id, const Place& place) {
  const auto [first, is_new] = ids_.emplace(id, place);
  if (!is_new) problems_.add(place, "the id \"" + id + "\" is used twice", "first at " + first->second.text());
}

std::size_t Loader::engine_number(const yaml::Node& node, const std::vector<std::string>& others) {
  const auto name = yaml::as_text(node, "an engine", problems_);
  if (!name) return no_number;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model_->engines.size(); ++i) {
    if (model_->engines[i].name == *name) return i;
    names.push_back(model_->engines[i].name);
  }
  names.insert(names.end(), others.begin(), others.end());
  problems_.add(node.place,
                "there is no engine " + std::string(others.empty() ? "" : "and no panel ") + "\"" + *name + "\" in this run", {},
                suggestion(*name, names));
  return no_number;
}

std::size_t Loader::question_number(const std::string& name, const Place& place) {
  const auto& names = model_->question_names;
  const auto found = std::lower_bound(names.begin(), names.end(), name);
  if (found != names.end() && *found == name) return static_cast<std::size_t>(found - names.begin());
  problems_.add(place, "there is no question \"" + name + "\"", {}, suggestion(name, names));
  return no_number;
}

std::size_t Loader::finding_number(const std::string& name, const Place& place) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) {
    problems_.add(place, "\"" + name + "\" is no finding", {}, "write question.finding");
    return no_number;
  }
  const std::size_t question = question_number(name.substr(0, dot), place);
  if (question == no_number) return no_number;
  const auto& findings = model_->finding_names[question];
  const std::string finding = name.substr(dot + 1);
  const auto found = std::lower_bound(findings.begin(), findings.end(), finding);
  if (found != findings.end() && *found == finding)
    return model_->questions[question].first_finding + static_cast<std::size_t>(found - findings.begin());
  problems_.add(place, "the question \"" + name.substr(0, dot) + "\" has no finding \"" + finding + "\"", {},
                suggestion(finding, findings));
  return no_number;
}

std::optional<condition::Condition> Loader::read_condition(const yaml::Node* node, const condition::Scope& scope) {
  if (node == nullptr) return std::nullopt;
  const auto text = yaml::as_text(*node, "a condition", problems_);
  if (!text) return std::nullopt;
  try {
    condition::Condition result(*text, scope, [node](std::size_t offset) { return node->place_of(offset); });
    note_reads(result.root());
    return result;
  } catch (const InputError& error) {
    problems_.add(error);
    return std::nullopt;
  }
}

/// Remembers which columns the law reads, and of which engines it needs every probability.
void Loader::note_reads(const condition::Node& node) {
  using condition::Op;
  if (node.op == Op::column || node.op == Op::known) model_->column_is_read[node.index] = true;
  if (node.op == Op::attribute && node.attribute == condition::Attribute::probability)
    model_->needs_probability[node.index] = true;
  if (node.op != Op::count)
    for (const condition::Node& operand : node.operands) note_reads(operand);
  for (const auto& group : node.groups)
    for (const condition::Node& member : group) note_reads(member);
}

std::vector<TemplatePart> Loader::read_template(yaml::MapReader& reader, const condition::Scope& scope, std::string& text) {
  std::vector<TemplatePart> parts;
  const yaml::Node* node = reader.find("because");
  text = reader.text("because", "");
  std::size_t at = 0;
  while (node != nullptr && at < text.size()) {
    const std::size_t begin = text.find('{', at);
    if (begin != at) parts.push_back({text.substr(at, begin == std::string::npos ? begin : begin - at), std::nullopt});
    if (begin == std::string::npos) break;
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos) {
      problems_.add(node->place_of(begin), "a closing } is missing");
      break;
    }
    if (auto value = read_template_value(*node, begin + 1, end, scope))
      parts.push_back({condition::print(*value), std::move(value)});
    at = end + 1;
  }
  return parts;
}

std::optional<condition::Node> Loader::read_template_value(const yaml::Node& node, std::size_t begin, std::size_t end,
                                                           const condition::Scope& scope) {
  const condition::PlaceOf place_of = [&](std::size_t offset) { return node.place_of(begin + offset); };
  try {
    condition::Node value = condition::parse_syntax(std::string_view(node.text).substr(begin, end - begin), place_of);
    Problems found;
    condition::bind(value, scope, place_of, found);
    if (value.kind == condition::Kind::aggregate)
      found.add(place_of(0), "an aggregate has no value of its own", "it is an interval while an engine is unknown");
    found.throw_if_any();
    note_reads(value);
    return value;
  } catch (const InputError& error) {
    problems_.add(error);
    return std::nullopt;
  }
}

}  // namespace hiple::law
