#include "law/law.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "law/evidence_column.hpp"
#include "law/loader.hpp"

namespace hiple::law {

Law::Law(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Law::~Law() = default;
Law::Law(Law&&) noexcept = default;
Law& Law::operator=(Law&&) noexcept = default;

Law Law::load(const std::filesystem::path& path, const Schema& schema, const std::vector<EngineDescription>& engines,
              std::int32_t as_of) {
  const yaml::Node root = yaml::load(path);
  return Law(Loader(root, path, schema, engines, as_of).run());
}

Law Law::parse(std::string_view text, const std::filesystem::path& path, const Schema& schema,
               const std::vector<EngineDescription>& engines, std::int32_t as_of) {
  const yaml::Node root = yaml::parse(text, path.string());
  return Law(Loader(root, path, schema, engines, as_of).run());
}

Law Law::activating(Activation which) const {
  auto model = std::make_unique<Model>(*model_);
  model->closed_by.clear();
  if (which == Activation::all) model->home.clear();
  if (which == Activation::home) model->links.clear();
  model->broaden.clear();
  return Law(std::move(model));
}

Law Law::capped(std::size_t rounds) const {
  auto model = std::make_unique<Model>(*model_);
  model->max_rounds = std::min(model->max_rounds, rounds);
  return Law(std::move(model));
}

Law Law::closed(const std::string& report) const {
  if (report.empty()) throw Error("a law is closed by a report");
  Law law = activating(Activation::all);
  law.model_->closed_by = report;
  return law;
}

Law Law::heeding(const std::string& head, const Place& place) const {
  if (head.empty()) throw Error("a law heeds evidence that has a head");
  auto model = std::make_unique<Model>(*model_);
  model->evidence = head;
  model->heeded.clear();
  Problems problems;
  for (const Question& question : model->questions) {
    const auto end = model->columns.begin() + static_cast<std::ptrdiff_t>(model->first_evidence);
    if (std::find(model->columns.begin(), end, question.name) != end)
      problems.add(place, "evidence about " + question.name + " could mean an input column or a question", {},
                   "rename the question in the law");
    const std::size_t column = add_evidence_column(*model, evidence_of(question));
    model->column_is_read[column] = true;
    model->heeded.push_back({column, model->vocabulary.causes.evidence(model->columns[column])});
  }
  problems.throw_if_any();
  return Law(std::move(model));
}

const std::string& Law::evidence() const { return model_->evidence; }
const std::string& Law::closed_by() const { return model_->closed_by; }
const std::string& Law::canonical() const { return model_->canonical; }
std::string Law::sha256() const { return hiple::sha256(model_->canonical); }
const std::vector<std::string>& Law::questions() const { return model_->question_names; }
const std::vector<std::vector<std::string>>& Law::findings() const { return model_->finding_names; }

std::vector<std::string> Law::columns() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model_->columns.size(); ++i)
    if (model_->column_is_read[i]) names.push_back(model_->columns[i]);
  return names;
}

std::vector<ColumnSchema> Law::evidence_columns() const {
  std::vector<ColumnSchema> columns;
  for (std::size_t i = model_->first_evidence; i < model_->columns.size(); ++i)
    if (model_->column_is_read[i]) columns.push_back(model_->column_schemas[i]);
  return columns;
}

std::vector<std::string> Law::critical() const {
  std::vector<std::string> names;
  for (const Critical& critical : model_->critical) names.push_back(model_->findings[critical.finding].name);
  return names;
}

std::vector<std::string> Law::covered_by(const std::string& critical) const {
  std::vector<std::string> names;
  for (const Critical& entry : model_->critical) {
    if (model_->findings[entry.finding].name != critical) continue;
    for (const std::size_t finding : entry.covered_by) names.push_back(model_->findings[finding].name);
  }
  return names;
}

std::string Law::default_of(const std::string& question) const {
  for (const Question& each : model_->questions)
    if (each.name == question && each.fallback) return each.findings[*each.fallback];
  return {};
}

}  // namespace hiple::law
