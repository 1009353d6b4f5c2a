#include "audit/suggest.hpp"

#include "audit/solver.hpp"

namespace hiple::audit {

using condition::Node;
using condition::Truth;

namespace {

struct Question {
  const char* list;
  std::vector<Want> original;
  Want mutant;
  Truth truth;
};

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"fires", {Want::yes}, Want::no, Truth::yes},
      {"silent", {Want::no}, Want::yes, Truth::no},
      {"fires", {Want::yes}, Want::not_yes, Truth::yes},
      {"silent", {Want::no}, Want::not_no, Truth::no},
      {"unknown", {Want::not_yes, Want::not_no}, Want::yes, Truth::unknown},
      {"unknown", {Want::not_yes, Want::not_no}, Want::no, Truth::unknown},
  };
  return all;
}

}  // namespace

law::GivenCase Suggester::short_case(const std::vector<Domain>& domains) const {
  law::GivenCase given = make_witness(law_, variables_, domains, Values::tight);
  for (std::size_t i = 0; i < law_.columns.size(); ++i) {
    const bool boolean = law_.column_schemas[i].type == ColumnType::boolean && !law_.is_evidence(i);
    if (boolean && domains[variables_.column(i)].has_code(0)) law::set_cell(given.table.columns[i], 0);
  }
  return given;
}

std::string Suggester::against(const Node& original, const Node& mutant) const {
  for (const Question& question : questions()) {
    Translator translator(law_, variables_);
    std::vector<Formula> formulas;
    for (const Want want : question.original) formulas.push_back(translator.translate(original, want));
    formulas.push_back(translator.translate(mutant, question.mutant));
    Solver solver(law_, variables_, translator);
    std::vector<const Formula*> goals;
    for (const Formula& formula : formulas) goals.push_back(&formula);
    const Solution solution = solver.solve(goals);
    if (solution.found != Found::yes) continue;
    const law::GivenCase given = short_case(solution.domains);
    const FullReading reading(law_, scopes_, given);
    if (reading.truth(original) != question.truth || reading.truth(mutant) == question.truth) continue;
    return std::string(question.list) + ": " + law::to_short_yaml(law_, given);
  }
  return {};
}

std::string Suggester::defeated(std::size_t rule, std::size_t by) const {
  Translator translator(law_, variables_);
  std::vector<Formula> formulas;
  const auto want = [&](std::size_t index, Want what) {
    formulas.push_back(translator.translate(law_.rules[index].when.root(), what));
  };
  want(rule, Want::yes);
  want(by, Want::yes);
  for (const std::size_t other : law_.rules[rule].beaten_by)
    if (other != by) want(other, Want::no);
  for (const std::size_t other : law_.rules[by].beaten_by) want(other, Want::no);
  Solver solver(law_, variables_, translator);
  std::vector<const Formula*> goals;
  for (const Formula& formula : formulas) goals.push_back(&formula);
  const Solution solution = solver.solve(goals);
  if (solution.found != Found::yes) return {};
  const law::GivenCase given = short_case(solution.domains);
  const law::RuleResult result = FullReading(law_, scopes_, given).rule(rule);
  if (result.when.value != Truth::yes || result.stand.value != Truth::no) return {};
  return law_.rules[rule].id + ", defeated: " + law::to_short_yaml(law_, given);
}

bool Suggester::can_be_unknown(const Node& node) const {
  Translator translator(law_, variables_);
  const Formula not_yes = translator.translate(node, Want::not_yes), not_no = translator.translate(node, Want::not_no);
  Solver solver(law_, variables_, translator);
  return solver.satisfiable({&not_yes, &not_no}) != Found::no;
}

}  // namespace hiple::audit
