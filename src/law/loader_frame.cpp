#include <algorithm>

#include "base/file.hpp"
#include "base/text.hpp"
#include "law/loader.hpp"
#include "table/select.hpp"

namespace hiple::law {

namespace {

bool is_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), plain);
}

}  // namespace

/// The law's own schema, where it names one, must be the run's: a law for other columns or other units is another law.
void Loader::check_schema_file() {
  const yaml::Node* node = reader_.find("schema");
  if (node == nullptr) return;
  const auto name = yaml::as_text(*node, "`schema`", problems_);
  if (!name) return;
  const std::filesystem::path own = file_.parent_path() / *name;
  try {
    const std::string wanted = read_file(own);
    if (!schema_.file.empty() && wanted == read_file(schema_.file)) return;
    problems_.add(node->place, "the law is for another schema", own.string() + " differs from the run's " + schema_.file.string(),
                  "name the run's schema, or leave `schema` out");
  } catch (const InputError& error) {
    problems_.add(node->place, "the law's schema cannot be read", error.what());
  }
}

void Loader::add_columns() {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    const ColumnSchema& column = schema_.columns[i];
    if (column.role == ColumnRole::input && condition::is_evidence_name(column.name))
      problems_.add(column.place, "the column \"" + column.name + "\" has the name of evidence",
                    "evidence about cases is read by such names", "rename it");
    if (column.role == ColumnRole::input)
      order.push_back(i);
    else
      input_scope_.unreadable[column.name] = "its role in the schema is \"" + std::string(name_of(column.role)) +
                                             "\"; only columns with role \"input\" may decide anything";
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return schema_.columns[a].name < schema_.columns[b].name; });
  for (const std::size_t i : order) {
    const ColumnSchema& column = schema_.columns[i];
    input_scope_.columns[column.name] = {model_->columns.size(), kind_of(column.type), column.unit, column.values};
    model_->columns.push_back(column.name);
    model_->column_schemas.push_back(column);
  }
  model_->column_is_read.assign(order.size(), false);
  model_->first_evidence = order.size();
  input_scope_.vocabulary = &model_->vocabulary;
  input_scope_.as_of = model_->as_of;
}

void Loader::add_engines(std::vector<EngineDescription> engines) {
  std::sort(engines.begin(), engines.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (i > 0 && engines[i].name == engines[i - 1].name)
      problems_.add(root_.place, "two engines of this run have the name \"" + engines[i].name + "\"");
    if (!is_name(engines[i].name))
      problems_.add(root_.place, "a condition cannot name the engine \"" + engines[i].name + "\"",
                    "names of engines that a law reads are letters, digits and _");
    model_->groups.push_back(engines[i].name);
  }
  model_->needs_probability.assign(engines.size(), false);
  model_->engines = std::move(engines);
}

void Loader::read_independence() {
  std::vector<bool> grouped(model_->engines.size());
  for (const yaml::Node& group : items(reader_.find("independence"), "independence")) {
    std::vector<std::size_t> members;
    for (const yaml::Node& node : items(&group, "independence")) {
      const std::size_t engine = engine_number(node);
      if (engine == no_number) continue;
      if (grouped[engine]) problems_.add(node.place, "the engine \"" + node.text + "\" is in two groups of `independence`");
      grouped[engine] = true;
      members.push_back(engine);
    }
    if (group.is_sequence() && group.items.size() < 2)
      problems_.add(group.place, "a group of `independence` has fewer than two engines");
    if (members.empty()) continue;
    const std::size_t first = *std::min_element(members.begin(), members.end());
    for (const std::size_t engine : members) model_->groups[engine] = model_->engines[first].name;
  }
}

void Loader::read_questions() {
  for (const NamedEntry& entry : sorted(reader_.require("questions"), "name", "questions")) read_question(entry);
  if (model_->questions.empty() && problems_.empty()) problems_.add(root_.place, "the law asks no question");
  if (model_->questions.size() >= no_index || model_->findings.size() >= no_index)
    problems_.add(root_.place, "the law has too many questions or findings", "the limit is 65534");
}

void Loader::read_question(const NamedEntry& entry) {
  yaml::MapReader reader(*entry.node, "the question " + entry.name, problems_);
  Question question;
  question.name = reader.text("name");
  if (!is_name(question.name))
    problems_.add(entry.node->place, "\"" + question.name + "\" cannot be a question's name", "names are letters, digits and _");
  question.findings = reader.texts("findings");
  const std::string fallback = reader.text("default", "");
  if (const yaml::Node* node = reader.find("default"); node != nullptr && node->is_scalar() && fallback.empty())
    problems_.add(node->place, "the default of the question " + entry.name + " is empty", {},
                  "name a finding, or leave `default` out");
  reader.finish();
  std::sort(question.findings.begin(), question.findings.end());
  const auto twice = std::adjacent_find(question.findings.begin(), question.findings.end());
  if (twice != question.findings.end())
    problems_.add(entry.node->place, "the question " + entry.name + " lists the finding \"" + *twice + "\" twice");
  if (question.findings.empty() || question.findings.front().empty())
    problems_.add(entry.node->place, "the question " + entry.name + " has no findings, or an empty one");
  const auto found = std::find(question.findings.begin(), question.findings.end(), fallback);
  if (!fallback.empty() && found == question.findings.end())
    problems_.add(entry.node->place, "the default \"" + fallback + "\" is no finding of the question " + entry.name, {},
                  suggestion(fallback, question.findings));
  else if (!fallback.empty())
    question.fallback = static_cast<std::size_t>(found - question.findings.begin());
  question.first_finding = model_->findings.size();
  for (const std::string& name : question.findings) {
    Finding finding;
    finding.question = model_->questions.size();
    finding.name = question.name + "." + name;
    model_->findings.push_back(std::move(finding));
  }
  model_->question_names.push_back(question.name);
  model_->finding_names.push_back(question.findings);
  model_->questions.push_back(std::move(question));
}

void Loader::read_incompatible() {
  for (const yaml::Node& pair : items(reader_.find("incompatible"), "incompatible")) {
    std::vector<std::size_t> findings;
    for (const yaml::Node& node : items(&pair, "incompatible")) {
      const auto name = yaml::as_text(node, "a finding", problems_);
      const std::size_t finding = name ? finding_number(*name, node.place) : no_number;
      if (finding == no_number) continue;
      const Question& question = model_->questions[model_->findings[finding].question];
      if (question.fallback && finding == question.first_finding + *question.fallback)
        problems_.add(node.place, "the incompatible finding " + *name + " is a default",
                      "it is only the absence of another finding");
      findings.push_back(finding);
    }
    if (pair.is_sequence() && pair.items.size() != 2)
      problems_.add(pair.place, "an entry of `incompatible` must be two findings", "found " + std::to_string(pair.items.size()));
    if (findings.size() != 2) continue;
    if (model_->findings[findings[0]].question == model_->findings[findings[1]].question)
      problems_.add(pair.place, "these findings are of one question", "findings of one question exclude one another anyway");
    model_->findings[findings[0]].incompatible.push_back(findings[1]);
    model_->findings[findings[1]].incompatible.push_back(findings[0]);
  }
  for (Finding& finding : model_->findings) {
    auto& list = finding.incompatible;
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

}  // namespace hiple::law
