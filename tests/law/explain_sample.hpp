#pragma once

#include <string>
#include <vector>

#include "law/law.hpp"

namespace hiple::law {

/// A small law of medicine with everything that a derivation can show.
inline constexpr const char* sample_law = R"(law: 1
name: small thyroid
questions:
  - {name: state, findings: [none, hyper, hypo, subclinical], default: none}
  - {name: illness, findings: [none, non_thyroidal]}
critical: {critical: 1, findings: [{finding: state.hyper, to: endocrinologist, suspect: 'known(TSH) and TSH < 1 [mU/L]'}]}
laws:
  - id: L-1
    title: a possible thyrotoxicosis is looked at
    when: 'hyper_engine.probability["hyper"] >= 0.5 and hyper_engine.label != "hyper"'
    escalate: state
    to: endocrinologist
    because: "it gives {hyper_engine.probability[\"hyper\"]}"
panels:
  - {name: illness_panel, members: [nti], answers: [illness]}
  - {name: root, members: [hypo_engine, hyper_engine, illness_panel]}
rules:
  - id: A-1
    title: Suppressed TSH with a high index
    when: 'hyper_engine.label == "hyper" and TSH < 0.3 [mU/L]'
    then: state.hyper
  - id: F-1
    title: High TSH with a low index
    version: 3
    when: 'hypo_engine.label == "hypo" and hypo_engine.confidence >= 0.75 and TSH > 6 [mU/L] and (FTI <= 65 or sex == "F")'
    then: state.hypo
    overrides: [G-1]
    because: "TSH {TSH}, index {FTI}, seen {seen}; the engine says {hypo_engine.label} at {hypo_engine.confidence}"
  - {id: G-1, when: 'TSH > 6 [mU/L]', then: state.subclinical}
  - {id: G-2, when: 'T3 > 4 [nmol/L] and not pregnant', then: state.subclinical}
  - {id: G-3, status: retired, when: 'true', then: state.subclinical}
  - {id: K-1, panel: illness_panel, when: 'nti.label == "ill"', then: illness.non_thyroidal}
  - {id: K-2, when: 'count(root, each.judged) >= 3', then: illness.none}
links:
  - {id: X-1, from: hypo_engine, to: nti, when: 'T3 <= 1.1 [nmol/L] or TSH > 6 [mU/L]', because: "a TSH of {TSH} can be illness on top"}
route:
  home: [{when: 'TSH > 4 [mU/L]', engines: [hypo_engine]}, {engines: [hyper_engine]}]
  broaden: [needed, all]
  max_rounds: 4
)";

/// A table of three cases (11, 12, 14) and the judgments that go with it.
struct ExplainSample {
  Schema schema;
  Table table;
  std::vector<EngineDescription> descriptions = {
      {"hypo_engine", {"none", "hypo"}}, {"hyper_engine", {"none", "hyper"}}, {"nti", {"none", "ill"}}};
  Judgments hypo, hyper;

  ExplainSample() {
    using Cells = std::vector<Cell>;
    const Cell known = Cell::known, missing = Cell::missing, invalid = Cell::invalid;
    add("TSH", ColumnType::real, std::vector<double>{7.25, 0.1, 0}, Cells{known, known, missing}).unit = "mU/L";
    add("FTI", ColumnType::real, std::vector<double>{60, 200, 0}, Cells{known, known, invalid});
    add("T3", ColumnType::real, std::vector<double>{0, 5, 1}, Cells{missing, known, known}).unit = "nmol/L";
    add("sex", ColumnType::category, std::vector<std::int32_t>{1, 0, 0}, Cells(3, known)).values = {"F", "M"};
    add("pregnant", ColumnType::boolean, std::vector<std::uint8_t>{0, 1, 0}, Cells(3, known));
    add("seen", ColumnType::date, std::vector<std::int32_t>{20000, 20001, 0}, Cells{known, known, missing});
    table.case_id = {11, 12, 14};
    table.schema = schema;
    hypo = judgments("hypo_engine", {"none", "hypo"}, {1, 0, no_label}, {0.875F, 0.75F, 0},
                     {JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::abstained});
    hyper = judgments("hyper_engine", {"none", "hyper"}, {0, 1, 0}, {0.9375F, 0.625F, 0.5F},
                      {JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::judged});
  }

  [[nodiscard]] Law law() const { return Law::parse(sample_law, "law.yaml", schema, descriptions, 20500); }

  [[nodiscard]] std::vector<EngineJudgments> engines() const {
    return {{"hypo_engine", &hypo, "", ""}, {"hyper_engine", &hyper, "", ""}, {"nti", nullptr, "out of memory", ""}};
  }

 private:
  ColumnSchema& add(const std::string& name, ColumnType type, Column::Values values, std::vector<Cell> cells) {
    table.columns.push_back({std::move(values), std::move(cells)});
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = name;
    column.type = type;
    return column;
  }

  static Judgments judgments(const std::string& engine, std::vector<std::string> classes, std::vector<std::uint16_t> label,
                             std::vector<float> confidence, std::vector<JudgmentStatus> status) {
    Judgments j;
    j.engine = engine;
    j.classes = std::move(classes);
    j.case_id = {11, 12, 14};
    for (std::size_t row = 0; row < 3; ++row) {
      const bool second = label[row] == 1;
      j.probability.push_back(second ? 1 - confidence[row] : confidence[row]);
      j.probability.push_back(second ? confidence[row] : 1 - confidence[row]);
    }
    j.label = std::move(label);
    j.confidence = std::move(confidence);
    j.typicality = {0.5F, 0.25F, 0.0625F};
    j.status = std::move(status);
    return j;
  }
};

}  // namespace hiple::law
