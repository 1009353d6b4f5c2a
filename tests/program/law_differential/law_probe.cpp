// Says what the law decides, in JSON, for test_law_differential.py. Each line of standard input is one law:
//   {"law": path, "heeds": bool, "columns": [{name, type, unit, values, evidence}], "engines": [{name, classes}],
//    "cases": [{"columns": [null | "invalid" | number], "judgments": [{status, label, probability, typicality}]}]}
// with columns and engines by position. Each line of standard output answers one: {"error": text}, or
// {"cases": [...], "root": sha256, "law": sha256, "firm_tried": number, "judged": number, "judgeable": number}.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"
#include "law/consult.hpp"
#include "law/evaluate.hpp"

namespace {

using nlohmann::json;
using namespace hiple;

/// Of the table: with the columns of evidence.
Schema read_schema(const json& columns) {
  const std::map<std::string, ColumnType> types = {
      {"real", ColumnType::real}, {"int", ColumnType::integer}, {"text", ColumnType::category}, {"bool", ColumnType::boolean}};
  Schema schema;
  for (const json& column : columns) {
    ColumnSchema& entry = schema.columns.emplace_back();
    entry.name = column.at("name");
    entry.type = types.at(column.at("type"));
    entry.unit = column.value("unit", "");
    entry.values = column.value("values", std::vector<std::string>{});
  }
  return schema;
}

/// What the law is told: evidence is no column of the table.
Schema without_evidence(Schema schema) {
  std::erase_if(schema.columns, [](const ColumnSchema& column) { return condition::is_evidence_name(column.name); });
  return schema;
}

template <class T>
Column read_column(const json& cases, std::size_t index) {
  Column column;
  std::vector<T> values;
  for (const json& entry : cases) {
    const json& cell = entry.at("columns").at(index);
    column.cells.push_back(cell.is_null() ? Cell::missing : cell.is_string() ? Cell::invalid : Cell::known);
    values.push_back(column.cells.back() == Cell::known ? cell.get<T>() : T{});
  }
  column.values = std::move(values);
  return column;
}

Table read_table(const Schema& schema, const json& cases) {
  Table table;
  table.schema = schema;
  for (std::size_t row = 0; row < cases.size(); ++row) table.case_id.push_back(row + 1);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    switch (schema.columns[i].type) {
      case ColumnType::real:
        table.columns.push_back(read_column<double>(cases, i));
        break;
      case ColumnType::integer:
        table.columns.push_back(read_column<std::int64_t>(cases, i));
        break;
      case ColumnType::boolean:
        table.columns.push_back(read_column<std::uint8_t>(cases, i));
        break;
      case ColumnType::category:
      case ColumnType::date:
        table.columns.push_back(read_column<std::int32_t>(cases, i));
        break;
    }
  }
  return table;
}

/// An engine without a word on a case has no entry for it, and no file at all where it has no word on any.
Judgments read_judgments(const law::EngineDescription& engine, const json& cases, std::size_t index) {
  const std::map<std::string, JudgmentStatus> statuses = {
      {"judged", JudgmentStatus::judged}, {"abstained", JudgmentStatus::abstained}, {"invalid", JudgmentStatus::invalid}};
  Judgments judgments;
  judgments.engine = engine.name;
  judgments.classes = engine.classes;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const json& word = cases[row].at("judgments").at(index);
    if (word.at("status") == "absent") continue;
    const bool judged = word.at("status") == "judged";
    const std::uint16_t label = word.at("label");
    judgments.case_id.push_back(row + 1);
    judgments.status.push_back(statuses.at(word.at("status")));
    judgments.label.push_back(judged ? label : no_label);
    judgments.confidence.push_back(word.at("probability").at(label));
    for (const json& p : word.at("probability")) judgments.probability.push_back(p);
    judgments.typicality.push_back(word.at("typicality"));
  }
  return judgments;
}

json answer_of(const law::Law::Model& model, const law::Answer& answer) {
  std::vector<std::string> rules;
  for (const std::size_t record : answer.cited) rules.push_back(model.records.at(record).id);
  json finding;
  if (answer.finding != law::no_number) {
    const std::string& name = model.findings.at(answer.finding).name;
    finding = name.substr(name.find('.') + 1);
  }
  return {{"status", law::name_of(answer.status)},
          {"finding", finding},
          {"reason", law::name_of(answer.reason)},
          {"firm", answer.firm},
          {"rules", rules},
          {"to", answer.to},
          {"causes", model.causes().texts(answer.causes)}};
}

json case_of(const law::Law::Model& model, const law::CaseResult& result) {
  json questions, active = json::array();
  for (const law::Answer& answer : result.answers(model)) {
    questions[model.questions.at(answer.question).name] = answer_of(model, answer);
  }
  for (std::size_t i = 0; i < model.engines.size(); ++i) {
    if (result.active.at(i)) active.push_back(model.engines[i].name);
  }
  return {{"questions", questions},
          {"active", active},
          {"rounds", result.rounds},
          {"broadened", result.broadened},
          {"capped", result.capped}};
}

/// decide() takes all cases at once: it must say the same as one case alone.
void check_same(const law::Law::Model& model, const law::Decisions& all, std::size_t row, const law::CaseResult& one) {
  for (std::size_t question = 0; question < model.questions.size(); ++question) {
    const law::Decision& decision = all.at(row, question);
    const law::Answer& answer = one.answers(model).at(question);
    const bool decided = answer.finding != law::no_number;
    const std::size_t finding = decided ? answer.finding - model.questions[question].first_finding : law::no_index;
    const bool firm = (decision.flags & law::flag::firm) != 0, capped = (decision.flags & law::flag::capped) != 0;
    if (decision.status != answer.status || decision.reason != answer.reason || decision.finding != finding ||
        firm != answer.firm || capped != one.capped || ((decision.flags & law::flag::critical) != 0) != answer.critical ||
        ((decision.flags & law::flag::broadened) != 0) != one.broadened ||
        ((decision.flags & law::flag::escalated) != 0) != (answer.status == law::Status::escalate) ||
        decision.rule != (answer.cited.empty() ? law::no_rule_index : answer.cited.front()) || all.rounds[row] != one.rounds) {
      throw Error(fmt::format("decide() and evaluate_case() differ in row {}, question {}: {}", row,
                              model.questions[question].name, answer_of(model, answer).dump()));
    }
  }
  for (std::size_t i = 0; i < model.engines.size(); ++i) {
    if (((all.consulted[row * all.words() + i / 64] >> (i % 64)) & 1) != (one.active[i] ? 1U : 0U)) {
      throw Error(fmt::format("decide() and evaluate_case() differ in the engines of row {}", row));
    }
  }
}

/// More cases than the request has: every cell and every judgment of one of its cases, at random. What an engine says of cases
/// that the table lacks, and the order in which it lists its classes, must not matter.
struct Mixture {
  Mixture(const Table& table, const std::vector<Judgments>& all, std::size_t rows) {
    mixed.schema = table.schema;
    for (std::size_t row = 0; row < rows; ++row) mixed.case_id.push_back(3 * row + 1 + row % 2);
    for (const Column& column : table.columns) mixed.columns.push_back(mix(column, table.rows(), rows));
    for (const Judgments& file : all) judgments.push_back(mix(file, table.rows(), rows));
  }

  std::size_t draw(std::size_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  }

  Column mix(const Column& column, std::size_t cases, std::size_t rows) {
    Column result;
    std::visit(
        [&](const auto& values) {
          auto taken = values;
          taken.clear();
          for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t from = draw(cases);
            taken.push_back(values[from]);
            result.cells.push_back(column.cells[from]);
          }
          result.values = std::move(taken);
        },
        column.values);
    return result;
  }

  Judgments mix(const Judgments& file, std::size_t cases, std::size_t rows) {
    Judgments result;
    result.engine = file.engine;
    result.classes = {file.classes.rbegin(), file.classes.rend()};
    const std::size_t classes = file.classes.size();
    for (std::size_t row = 0; row < rows; ++row) {
      const auto found = std::find(file.case_id.begin(), file.case_id.end(), draw(cases) + 1);
      if (found == file.case_id.end()) continue;
      const auto from = static_cast<std::size_t>(found - file.case_id.begin());
      result.case_id.push_back(row % 10 == 0 ? 3 * row : mixed.case_id[row]);
      const std::uint16_t label = file.label[from];
      result.label.push_back(label == no_label ? label : static_cast<std::uint16_t>(classes - 1 - label));
      result.confidence.push_back(file.confidence[from]);
      result.typicality.push_back(file.typicality[from]);
      result.status.push_back(file.status[from]);
      for (std::size_t i = classes; i-- > 0;) result.probability.push_back(file.probability[from * classes + i]);
    }
    return result;
  }

  std::uint64_t state = 1;
  Table mixed;
  std::vector<Judgments> judgments;
};

std::vector<law::EngineJudgments> words_of(const std::vector<Judgments>& judgments) {
  std::vector<law::EngineJudgments> words;
  for (const Judgments& file : judgments)
    words.push_back({.name = file.engine, .judgments = file.size() > 0 ? &file : nullptr, .reason = "it died", .sha256 = ""});
  return words;
}

/// Every missing cell gets a value of its column. Evidence that the law heeds stays as it stands.
Table completed(const law::Law& law, const Table& table, Mixture& random) {
  Table full = table;
  for (std::size_t i = 0; i < full.columns.size(); ++i) {
    Column& column = full.columns[i];
    const auto& heeded = law.model().heeded;
    if (std::any_of(heeded.begin(), heeded.end(),
                    [&](const auto& evidence) { return law.model().columns[evidence.column] == table.schema.columns[i].name; }))
      continue;
    std::vector<std::size_t> known;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (column.cells[row] == Cell::known) known.push_back(row);
    for (std::size_t row = 0; row < table.rows() && !known.empty(); ++row) {
      if (column.cells[row] != Cell::missing) continue;
      const std::size_t from = known[random.draw(known.size())];
      std::visit([&](auto& values) { values[row] = values[from]; }, column.values);
      column.cells[row] = Cell::known;
    }
  }
  return full;
}

/// For the judgments as they stand, no completion of missing values changes a firm decision, if the engines that were consulted
/// still are. How many decisions were tried.
std::size_t check_firm(const law::Law& law, const law::Decisions& before, const law::Decisions& after) {
  std::size_t tried = 0;
  for (std::size_t row = 0; row < before.cases(); ++row) {
    bool consulted = true;
    for (std::size_t word = 0; word < before.words(); ++word)
      consulted =
          consulted && (before.consulted[row * before.words() + word] & ~after.consulted[row * before.words() + word]) == 0;
    for (std::size_t question = 0; question < before.questions.size() && consulted; ++question) {
      const law::Decision &a = before.at(row, question), &b = after.at(row, question);
      if ((a.flags & law::flag::firm) == 0) continue;
      ++tried;
      if (b.status == law::Status::decide && b.finding == a.finding) continue;
      throw Error(fmt::format("a firm decision changed with more data: row {}, question {}", row, law.questions()[question]));
    }
  }
  return tried;
}

/// Lets an engine's judgment of a case be seen.
void reveal(const Judgments& all, std::uint64_t id, Judgments& seen) {
  const auto at = std::lower_bound(all.case_id.begin(), all.case_id.end(), id);
  if (at == all.case_id.end() || *at != id) return;
  const auto entry = static_cast<std::size_t>(at - all.case_id.begin());
  seen.status[entry] = all.status[entry];
}

/// Engines that judge only what the law asks for, home cases first, lead to the same root, and are asked about nothing but what
/// they are consulted about. How many judgments were made of how many.
std::pair<std::size_t, std::size_t> check_on_demand(const law::Law& law, const Table& table,
                                                    const std::vector<Judgments>& judgments, const law::Decisions& dense) {
  std::vector<Judgments> seen = judgments;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    std::fill(seen[i].status.begin(), seen[i].status.end(), JudgmentStatus::not_asked);
    for (const std::uint32_t row : law::home_rows(law, table, seen[i].engine)) reveal(judgments[i], table.case_id[row], seen[i]);
  }
  const auto words = words_of(seen);
  const law::ColumnarLaw columnar(law.model());
  for (std::size_t rounds = 0;;) {
    law::Consultation found;
    law::consult(law, columnar, law::Inputs(law.model(), table, words), rounds, found);
    if (rounds == 0 && found.open() > 0) throw Error("the law asks homes about cases that are not home");
    if (found.open() == 0 && !found.goes_on) break;
    if (found.open() == 0 && ++rounds > 256) throw Error("the law asks without end");
    for (std::size_t e = 0; e < found.unasked.size(); ++e)
      for (std::size_t i = 0; i < seen.size(); ++i)
        if (seen[i].engine == law.model().engines[e].name)
          for (const std::uint64_t id : found.unasked[e]) reveal(judgments[i], id, seen[i]);
  }
  if (law::decide(law, table, words).root != dense.root) throw Error("on demand the root is another");
  std::size_t made = 0, possible = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto& engines = dense.engines;
    const auto engine = static_cast<std::size_t>(
        std::find_if(engines.begin(), engines.end(), [&](const auto& e) { return e.name == seen[i].engine; }) - engines.begin());
    for (std::size_t entry = 0; entry < seen[i].size(); ++entry) {
      const bool asked = seen[i].status[entry] != JudgmentStatus::not_asked;
      const auto row = std::find(table.case_id.begin(), table.case_id.end(), seen[i].case_id[entry]) - table.case_id.begin();
      if (static_cast<std::size_t>(row) == table.rows()) continue;
      const std::uint64_t word = dense.consulted[static_cast<std::size_t>(row) * dense.words() + engine / 64];
      if (asked != (((word >> (engine % 64)) & 1) != 0))
        throw Error("an engine was asked about other cases than it is consulted on");
      made += asked ? 1 : 0;
      ++possible;
    }
  }
  return {made, possible};
}

/// What was tried of a law beside the cases of the request.
struct Tried {
  std::size_t firm = 0, judged = 0, judgeable = 0;
};

/// Many cases at once, and each alone; then with missing values filled in, and with engines that judge on demand.
Tried check_many(const law::Law& law, const Table& table, const std::vector<Judgments>& judgments) {
  if (table.rows() == 0) return {};
  Mixture many(table, judgments, 150);
  const std::vector<law::EngineJudgments> words = words_of(many.judgments);
  const law::Decisions all = law::decide(law, many.mixed, words);
  const law::Inputs inputs(law.model(), many.mixed, words);
  law::Evaluator evaluator(law.model(), inputs);
  for (std::size_t row = 0; row < many.mixed.rows(); ++row) check_same(law.model(), all, row, evaluator.run(row));
  Tried tried;
  for (int i = 0; i < 3; ++i) tried.firm += check_firm(law, all, law::decide(law, completed(law, many.mixed, many), words));
  std::tie(tried.judged, tried.judgeable) = check_on_demand(law, many.mixed, many.judgments, all);
  return tried;
}

/// A derivation has a line for each question, and none that is too wide.
void check_explained(const law::Law& law, const std::string& text) {
  for (const std::string& name : law.questions()) {
    if (text.find("\nQUESTION " + name + ": ") == std::string::npos) throw Error("explain() says nothing of " + name);
  }
  for (const std::string& line : split(text, '\n')) {
    if (line.size() > 100) throw Error("explain() writes a line that is too wide: " + line);
  }
}

json answer_law(const json& request, const Schema& schema, const std::vector<law::EngineDescription>& engines) {
  law::Law law = law::Law::load(request.at("law").get<std::string>(), without_evidence(schema), engines, 0);
  if (request.at("heeds")) law = law.heeding("random", {});
  const json& cases = request.at("cases");
  const Table table = read_table(schema, cases);
  std::vector<Judgments> judgments;
  for (std::size_t i = 0; i < engines.size(); ++i) judgments.push_back(read_judgments(engines[i], cases, i));
  const std::vector<law::EngineJudgments> words = words_of(judgments);
  const Tried tried = check_many(law, table, judgments);
  const law::Decisions all = law::decide(law, table, words, {.threads = 2});
  const law::Inputs inputs(law.model(), table, words);
  json answers = json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const law::CaseResult result = law::evaluate_case(law.model(), inputs, row);
    check_same(law.model(), all, row, result);
    answers.push_back(case_of(law.model(), result));
    const auto& rules = law.model().rules;
    check_explained(law, law::explain(law, table, words, row + 1, rules.empty() ? "" : rules[row % rules.size()].id));
  }
  return {{"cases", answers},         {"root", all.root},       {"law", law.sha256()},
          {"firm_tried", tried.firm}, {"judged", tried.judged}, {"judgeable", tried.judgeable}};
}

json answer(const json& request) {
  try {
    const Schema schema = read_schema(request.at("columns"));
    std::vector<law::EngineDescription> engines;
    for (const json& engine : request.at("engines")) engines.push_back({engine.at("name"), engine.at("classes")});
    return answer_law(request, schema, engines);
  } catch (const InputError& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(json::parse(line)).dump() << '\n';
}
