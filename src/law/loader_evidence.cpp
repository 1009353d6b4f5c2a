#include <algorithm>

#include "condition/lexer.hpp"
#include "law/evidence_column.hpp"
#include "law/loader.hpp"
#include "table/select.hpp"

namespace hiple::law {

/// Remembers every NAME of an evidence.NAME in a text: which evidence a law can read at most.
void Loader::note_mentioned(const yaml::Node& node) {
  const std::string_view text = node.text, word = condition::evidence_word;
  const auto after_blanks = [&](std::size_t at) { return std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at)) {
    at = after_blanks(at + word.size());
    if (at == text.size() || text[at] != '.') continue;
    at = after_blanks(at + 1);
    std::size_t end = at;
    while (end < text.size() && condition::is_plain_name(text.substr(at, end + 1 - at))) ++end;
    mentioned_.emplace(text.substr(at, end - at));
  }
  for (const yaml::Entry& entry : node.entries) note_mentioned(entry.value);
  for (const yaml::Node& item : node.items) note_mentioned(item);
}

/// What conditions may call evidence.NAME: input columns and questions. Only what the law mentions gets a column, in ascending
/// order of names.
void Loader::add_evidence() {
  std::map<std::string, ColumnSchema> about;
  for (std::size_t i = 0; i < model_->first_evidence; ++i) about[model_->columns[i]] = evidence_of(model_->column_schemas[i]);
  for (const Question& question : model_->questions) {
    if (about.try_emplace(question.name, evidence_of(question)).second) continue;
    about.erase(question.name);
    input_scope_.unreadable[condition::evidence_name(question.name)] = "it is the name of an input column and of a question";
  }
  for (const ColumnSchema& column : schema_.columns)
    if (column.role != ColumnRole::input && !about.contains(column.name))
      input_scope_.unreadable[condition::evidence_name(column.name)] = "its role in the schema is \"" +
                                                                       std::string(name_of(column.role)) +
                                                                       "\": evidence is about input columns and questions";
  for (const auto& [name, column] : about) {
    const bool mentioned = mentioned_.contains(name);
    const std::size_t number = mentioned ? add_evidence_column(*model_, column) : no_number;
    input_scope_.evidence[name] = {number, kind_of(column.type), column.unit, column.values};
  }
}

}  // namespace hiple::law
