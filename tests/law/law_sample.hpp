#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "law/evaluate.hpp"
#include "law/law.hpp"

namespace hiple::law {

/// An engine's word on the one case of a sample; its classes are none, p, q.
struct Word {
  JudgmentStatus status = JudgmentStatus::judged;
  std::string label = "p";
  float confidence = 0.9F;
  float typicality = 0.5F;
};

/// Whole columns a, b, c, d and a real column TBG; engines with the classes none, p, q.
class LawSample {
 public:
  /// The question q with X, Y, Z and none, and no default, unless told otherwise.
  std::string questions = "[{name: q, findings: [none, X, Y, Z]}]";
  std::string more;  ///< lines of law.yaml beside name, questions and rules
  std::vector<std::string> rules;
  std::vector<std::string> engines;
  std::vector<std::string> home;  ///< empty: all

  [[nodiscard]] static Schema schema() {
    Schema schema;
    for (const char* name : {"a", "b", "c", "d"}) {
      ColumnSchema column;
      column.name = name;
      column.type = ColumnType::integer;
      schema.columns.push_back(column);
    }
    ColumnSchema real;
    real.name = "TBG";
    schema.columns.push_back(real);
    return schema;
  }

  /// With a default for q, findings none and X.
  LawSample& with_default() {
    questions = "[{name: q, findings: [none, X], default: none}]";
    return *this;
  }

  [[nodiscard]] std::string text() const {
    std::string text = "law: 1\nname: sample\nquestions: " + questions + "\n";
    if (!rules.empty()) text += "rules:\n";
    for (const std::string& rule : rules) text += "  - {" + rule + "}\n";
    if (!home.empty())
      text += "route: {home: [{engines: [" + joined(home) + "]}]" + route_rest + "}\n";
    else if (!route_rest.empty())
      text += "route: {" + route_rest.substr(2) + "}\n";
    return text + more + "\n";
  }
  std::string route_rest;  ///< ", broaden: []"

  [[nodiscard]] Law law(std::int32_t as_of = 20000) const {
    std::vector<EngineDescription> descriptions;
    for (const std::string& name : engines) descriptions.push_back({name, {"none", "p", "q"}});
    return Law::parse(text(), "law.yaml", schema(), descriptions, as_of);
  }

  [[nodiscard]] static Table table(const std::map<std::string, double>& values) {
    Table table;
    table.schema = schema();
    table.case_id = {7};
    for (const ColumnSchema& column : table.schema.columns) {
      const auto found = values.find(column.name);
      const double value = found == values.end() ? 0 : found->second;
      Column cells;
      if (column.type == ColumnType::integer)
        cells.values = std::vector<std::int64_t>{static_cast<std::int64_t>(value)};
      else
        cells.values = std::vector<double>{value};
      cells.cells = {found == values.end() ? Cell::missing : Cell::known};
      table.columns.push_back(cells);
    }
    return table;
  }

  [[nodiscard]] static Judgments judgments(const std::string& name, const Word& word) {
    Judgments judgments;
    judgments.engine = name;
    judgments.classes = {"none", "p", "q"};
    judgments.case_id = {7};
    judgments.status = {word.status};
    judgments.typicality = {word.typicality};
    judgments.confidence = {word.confidence};
    for (std::uint16_t i = 0; i < 3; ++i) {
      const bool said = judgments.classes[i] == word.label;
      if (said) judgments.label = {i};
      judgments.probability.push_back(said ? word.confidence : (1 - word.confidence) / 2);
    }
    if (word.status != JudgmentStatus::judged) judgments.label = {no_label};
    return judgments;
  }

  /// Decides the case. Engines without a word are not available.
  [[nodiscard]] CaseResult run(const std::map<std::string, double>& values, const std::map<std::string, Word>& words = {}) const {
    const Law own = law();
    std::map<std::string, Judgments> files;
    for (const auto& [name, word] : words) files[name] = judgments(name, word);
    std::vector<EngineJudgments> given;
    for (const auto& [name, file] : files) given.push_back({name, &file, {}, {}});
    const Table cells = table(values);
    const Inputs inputs(own.model(), cells, given);
    return evaluate_case(own.model(), inputs, 0);
  }

  /// "decide X firm", "decide X", "abstain conflict", "escalate law to endo": the answer to one question, or the first.
  [[nodiscard]] std::string answer(const std::map<std::string, double>& values, const std::map<std::string, Word>& words = {},
                                   std::size_t question = 0) const {
    const Law own = law();
    return said(own, run(values, words), question);
  }

  [[nodiscard]] static std::string said(const Law& law, const CaseResult& result, std::size_t question = 0) {
    const Answer& answer = result.answers(law.model())[question];
    std::string text = name_of(answer.status) + " ";
    if (answer.status == Status::decide) {
      const std::string& finding = law.model().findings[answer.finding].name;
      return text + finding.substr(finding.find('.') + 1) + (answer.firm ? " firm" : "");
    }
    text += name_of(answer.reason);
    for (const std::string& to : answer.to) text += " to " + to;
    return text;
  }

  [[nodiscard]] std::vector<std::string> causes(const std::map<std::string, double>& values,
                                                const std::map<std::string, Word>& words = {}) const {
    const Law own = law();
    const CaseResult result = run(values, words);
    return own.model().causes().texts(result.answers(own.model())[0].causes);
  }

 private:
  [[nodiscard]] static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }
};

}  // namespace hiple::law
