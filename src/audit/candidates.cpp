#include "audit/candidates.hpp"

#include <algorithm>

#include "audit/formula.hpp"
#include "audit/witness.hpp"
#include "law/given_judgment.hpp"

namespace hiple::audit {

using condition::Kind;
using condition::Node;
using condition::Op;

Candidates::Candidates(const law::Law::Model& law) : law_(law), variables_(law), cuts_(variables_.list().size()) {
  for (const law::Rule& rule : law.rules) {
    if (!rule.in_force) continue;
    visit(rule.when.root());
    if (rule.suspended) visit(rule.suspended->root());
  }
  for (const law::LawEntry& entry : law.laws) visit(entry.when.root());
  for (const law::Critical& critical : law.critical) visit(critical.suspect.root());
  for (const law::Link& link : law.links) visit(link.when.root());
}

void Candidates::visit(const Node& node) {
  for (const Node& operand : node.operands) {
    visit(operand);
    const bool is_number = operand.kind == Kind::integer || operand.kind == Kind::real || operand.kind == Kind::date;
    if (!is_number || (operand.op != Op::column && operand.op != Op::attribute)) continue;
    const std::size_t variable = operand.op == Op::column ? variables_.column(operand.index) : variables_.attribute(operand);
    for (const Node& other : node.operands)
      if (const auto constant = constant_of(other)) cuts_[variable].insert(*constant);
  }
  for (const auto& group : node.groups)
    for (const Node& member : group) visit(member);
}

std::vector<double> Candidates::numbers(std::size_t variable) const {
  const Domain& all = variables_[variable].all;
  std::set<double> values;
  double last = all.low;
  for (const double cut : cuts_[variable]) {
    const double below = variables_.next(variable, cut, false);
    if (last <= below) values.insert(round_number(last, below));
    values.insert(cut);
    last = variables_.next(variable, cut, true);
  }
  if (last <= all.high) values.insert(round_number(last, all.high));
  std::vector<double> list;
  for (const double value : values)
    if (value >= all.low && value <= all.high && list.size() < most) list.push_back(value);
  return list;
}

std::vector<double> Candidates::of_column(std::size_t column) const {
  const Domain& all = variables_[variables_.column(column)].all;
  if (!all.coded) return numbers(variables_.column(column));
  std::vector<double> values;
  for (std::size_t code = 0; code < Domain::most_codes && values.size() < most; ++code)
    if (all.has_code(code)) values.push_back(static_cast<double>(code));
  return values;
}

std::vector<std::shared_ptr<Judgments>> Candidates::of_engine(std::size_t engine) const {
  const law::EngineDescription& description = law_.engines[engine];
  const std::size_t classes = description.classes.size();
  std::vector<std::shared_ptr<Judgments>> words;
  if (classes == 0) {
    for (const double value : numbers(variables_.value(engine))) {
      words.push_back(law::make_judgment(description, JudgmentStatus::judged));
      words.back()->value = {static_cast<float>(value)};
    }
    return words;
  }
  const auto add = [&](std::size_t code, float own) {
    std::vector<float> probability(classes, 0.0F);
    probability[code] = own;
    if (classes > 1) probability[code == 0 ? 1 : 0] += 1 - own;
    std::shared_ptr<Judgments> word = law::make_judgment(description, JudgmentStatus::judged);
    const auto best = std::max_element(probability.begin(), probability.end());
    word->label = {static_cast<std::uint16_t>(best - probability.begin())};
    word->confidence = {*best};
    word->probability = std::move(probability);
    if (words.size() < most) words.push_back(std::move(word));
  };
  for (std::size_t code = 0; code < classes; ++code) add(code, 1);
  for (std::size_t code = 0; code < classes && classes > 1; ++code) {
    const std::size_t variable = variables_.probability(engine, code);
    std::set<double> cuts = cuts_[variable];
    cuts.insert(cuts_[variables_.confidence(engine)].begin(), cuts_[variables_.confidence(engine)].end());
    for (const double cut : cuts)
      for (const double value : {cut, variables_.next(variable, cut, false)})
        if (value >= 0 && value <= 1) add(code, static_cast<float>(value));
  }
  return words;
}

}  // namespace hiple::audit
