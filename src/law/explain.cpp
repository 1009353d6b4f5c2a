#include <fmt/core.h>

#include <algorithm>

#include "law/derivation.hpp"
#include "law/explain_answer.hpp"
#include "law/explain_engines.hpp"
#include "law/explain_graph.hpp"
#include "law/explain_json.hpp"
#include "law/explain_rules.hpp"

namespace hiple::law {

namespace {

std::size_t row_of(const Table& table, std::uint64_t case_id) {
  const auto found = std::lower_bound(table.case_id.begin(), table.case_id.end(), case_id);
  if (found == table.case_id.end() || *found != case_id) {
    const std::string range =
        table.rows() == 0 ? "it is empty"
                          : fmt::format("its cases are numbered from {} to {}", table.case_id.front(), table.case_id.back());
    throw InputError({}, fmt::format("no case {} in the table", case_id), range);
  }
  return static_cast<std::size_t>(found - table.case_id.begin());
}

}  // namespace

struct Derivation::State {
  State(const Law::Model& model, const Table& table, std::vector<EngineJudgments> words, std::size_t row)
      : engines(std::move(words)), inputs(model, table, engines), subject{model,  table, engines,
                                                                          inputs, row,   evaluate_case(model, inputs, row)} {}
  /// With a law whose home is what the case gives.
  State(const Law::Model& model, const GivenCase& given)
      : own(std::make_unique<Law::Model>(model)),
        engines(given.engines(model)),
        inputs(*own, given.table, engines),
        subject{*own, given.table, engines, inputs, 0, {}, true} {
    RouteEntry home;
    for (std::size_t i = 0; i < given.judgments.size(); ++i)
      if (given.judgments[i] != nullptr) home.engines.push_back(i);
    own->home = {home};
    subject.result = evaluate_case(*own, inputs, 0);
  }

  std::unique_ptr<Law::Model> own;
  std::vector<EngineJudgments> engines;
  Inputs inputs;
  Subject subject;
};

Derivation::Derivation(const Law::Model& law, const Table& table, std::vector<EngineJudgments> engines, std::uint64_t case_id)
    : state_(std::make_unique<State>(law, table, std::move(engines), row_of(table, case_id))) {}
Derivation::Derivation(const Law::Model& law, const GivenCase& given) : state_(std::make_unique<State>(law, given)) {}
Derivation::~Derivation() = default;

const Subject& Derivation::subject() const { return state_->subject; }

std::string Derivation::json(const std::vector<Settlement>& settlements) const { return explain_json(subject(), settlements); }
std::string Derivation::graph(const std::vector<Settlement>& settlements) const { return explain_graph(subject(), settlements); }

std::string Derivation::text(const std::string& why_not) const {
  const Subject& at = subject();
  Page page;
  page.heading(fmt::format("CASE {} under the law \"{}\"", at.table.case_id[at.row], at.law.name));
  for (const Answer& answer : at.result.answers(at.law))
    page.line(2, at.law.questions[answer.question].name + ": " + headline(at, answer));
  if (!why_not.empty()) explain_why_not(page, at, why_not);
  explain_inputs(page, at);
  explain_rounds(page, at);
  explain_judgments(page, at);
  explain_panels(page, at);
  for (const Answer& answer : at.result.answers(at.law)) explain_question(page, at, answer);
  return page.text();
}

std::string explain(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines, std::uint64_t case_id,
                    const std::string& why_not) {
  return Derivation(law.model(), table, engines, case_id).text(why_not);
}

}  // namespace hiple::law
