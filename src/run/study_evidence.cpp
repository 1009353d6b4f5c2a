#include "run/study_evidence.hpp"

#include "condition/scope.hpp"
#include "law/model.hpp"

namespace hiple {

evidence::Terms terms_of(const Schema& schema, const law::Law& law) {
  std::vector<evidence::QuestionTerms> questions;
  for (std::size_t i = 0; i < law.questions().size(); ++i) questions.push_back({law.questions()[i], law.findings()[i]});
  std::vector<std::string> rules;
  for (const law::Rule& rule : law.model().rules)
    if (!rule.fallback) rules.push_back(rule.id);
  for (const law::LawEntry& entry : law.model().laws) rules.push_back(entry.id);
  return {schema, questions, std::move(rules)};
}

StudyEvidence study_evidence(const std::filesystem::path& file, evidence::Store store, const evidence::Filter& filter,
                             const Schema& schema, const law::Law& law) {
  evidence::Terms terms = terms_of(schema, law);
  evidence::Standings standings(store, terms, filter, file);
  return {file, std::move(terms), filter, std::move(store), std::move(standings)};
}

StudyEvidence earlier_evidence(const StudyEvidence& evidence, const std::string& head, const Schema& schema,
                               const law::Law& law) {
  auto store = evidence::as_it_was(evidence.store, head);
  if (!store)
    throw InputError(Place{evidence.file.string()}, "does not hold the evidence that the decisions were made with",
                     "no entry of it has the hash " + head,
                     "name the evidence of that run, or decide again with `hiple integrate`");
  return study_evidence(evidence.file, std::move(*store), evidence.filter, schema, law);
}

EvidenceColumns::EvidenceColumns(const law::Law& law, const StudyEvidence* evidence)
    : columns_(law.evidence_columns()), evidence_(evidence) {
  if (evidence_ != nullptr) evidence_->standings.problems().throw_if_any();
}

Schema EvidenceColumns::beside(Schema schema) const {
  for (const ColumnSchema& column : columns_)
    if (!schema.find(column.name)) schema.columns.push_back(column);
  return schema;
}

void EvidenceColumns::put_beside(Table& table) const {
  for (const ColumnSchema& column : columns_) {
    if (table.schema.find(column.name)) continue;
    const std::string about = condition::evidence_about(column.name);
    const auto standings = evidence_ == nullptr ? std::span<const evidence::Standing>() : evidence_->standings.of(about);
    table.columns.push_back(evidence::column_of(column, standings, table.case_id));
    table.schema.columns.push_back(column);
  }
}

}  // namespace hiple
