#include <fmt/format.h>

#include <algorithm>

#include "audit/checker.hpp"
#include "audit/mutants.hpp"
#include "base/text.hpp"

namespace hiple::audit {

using condition::Node;
using condition::Op;
using condition::Truth;

namespace {

/// Whether a node reads what domains cannot say: aggregates and findings of panels.
bool is_open(const Node& node) {
  return !node.groups.empty() || node.op == Op::finding || std::any_of(node.operands.begin(), node.operands.end(), is_open);
}

/// "x in [0, 10]" for each column that an atom reads.
std::vector<std::string> ranges_of(const Node& node, const Variables& variables) {
  std::vector<std::string> texts;
  if (node.op == Op::column && !variables[variables.column(node.index)].all.coded) {
    const Domain& all = variables[variables.column(node.index)].all;
    texts.push_back(fmt::format("{} in [{}, {}]", node.name, format_real(all.low), format_real(all.high)));
  }
  for (const Node& operand : node.operands)
    for (std::string& text : ranges_of(operand, variables)) texts.push_back(std::move(text));
  return texts;
}

/// A finding that must not be (or must be) `name`, read in a place that must be true.
bool denies(const Node& node, const std::string& question, const std::string& finding, bool positive) {
  if (node.op == Op::negation) return denies(node.operands[0], question, finding, !positive);
  if (is_connective(node))
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](const Node& each) { return denies(each, question, finding, positive); });
  if (node.op != Op::equal && node.op != Op::not_equal && node.op != Op::in_set) return false;
  const Node& side = node.operands[0].op == Op::finding ? node.operands[0] : node.operands[1];
  if (side.op != Op::finding || side.member != question) return false;
  const bool names = std::any_of(node.operands.begin(), node.operands.end(),
                                 [&](const Node& literal) { return literal.op == Op::text && literal.text == finding; });
  // TRUE where the panel found something else: != it, or == another.
  return (node.op == Op::not_equal) == positive ? names : !names && positive;
}

}  // namespace

void Checker::find_parts() {
  for (const std::size_t i : rules_) parts_.push_back({"rule", id(i), &law_.rules[i].when, law_.rules[i].place});
  for (const law::LawEntry& entry : law_.laws) parts_.push_back({"law", entry.id, &entry.when, entry.place});
  for (const law::Link& link : law_.links) parts_.push_back({"link", link.id, &link.when, {}});
  for (std::size_t i = 0; i < law_.home.size(); ++i)
    if (law_.home[i].when) parts_.push_back({"route entry", std::to_string(i + 1), &*law_.home[i].when, {}});
  for (const law::Critical& critical : law_.critical)
    if (critical.suspect.root().op != Op::boolean)
      parts_.push_back({"suspect of", law_.findings[critical.finding].name, &critical.suspect, {}});
}

void Checker::check_part(const Part& part) {
  const Node& root = part.when->root();
  Translator translator(law_, variables_);
  const Formula yes = translator.translate(root, Want::yes), no = translator.translate(root, Want::no);
  Solver solver(law_, variables_, translator);
  const Solution fires = solver.solve({&yes});
  if (fires.found == Found::no)
    report(Severity::error, "unsatisfiable", {part.id}, part.place, part.name() + " can never be TRUE");
  else if (fires.found == Found::unknown)
    give_up("unsatisfiable", {part.id}, "the search for a case where it is TRUE was given up");
  if (fires.found == Found::yes) {
    const law::GivenCase given = case_of(fires);
    const FullReading reading(law_, scopes_, given);
    const bool shown = reading.truth(root) == Truth::yes;
    if (!shown)
      give_up("unsatisfiable", {part.id},
              is_open(root) ? "it reads several engines at once, or findings of panels: no case was found where it is TRUE"
                            : "the case that was found loses to rounding");
    const Found silent = solver.satisfiable({&no});
    if (silent == Found::no && part.kind != "route entry")
      report(Severity::warning, "tautology", {part.id}, part.place, part.name() + " is TRUE wherever what it reads is known",
             shown ? text_of(given) : "");
    if (silent == Found::unknown) give_up("tautology", {part.id}, "the search for a case where it is FALSE was given up");
  }
  check_atoms(part);
}

void Checker::check_atoms(const Part& part) {
  const Node& root = part.when->root();
  for (const Path& path : atoms_of(root)) {
    const Node& atom = at(root, path);
    if (atom.op != Op::known && !is_open(atom)) check_atom(part, atom);
  }
}

/// Under the schema's ranges, and then under those of the data, where they are given.
void Checker::check_atom(const Part& part, const Node& atom) {
  const auto check = [&](const Variables& variables, const std::string& whose, Severity severity) {
    Translator translator(law_, variables);
    const Formula yes = translator.translate(atom, Want::yes), no = translator.translate(atom, Want::no);
    Solver solver(law_, variables, translator);
    const bool never = solver.satisfiable({&yes}) == Found::no, always = solver.satisfiable({&no}) == Found::no;
    if (!never && !always) return false;
    const auto ranges = ranges_of(atom, variables);
    std::string text =
        fmt::format("{}: {} is {} wherever it is known", part.name(), condition::print(atom), never ? "FALSE" : "TRUE");
    if (!ranges.empty()) text += "; " + whose + " has " + join(ranges, ", ");
    report(severity, "threshold", {part.id}, part.place, text);
    return true;
  };
  if (check(variables_, "the schema", Severity::warning) || options_.data.empty()) return;
  Variables narrowed = variables_;
  for (std::size_t i = 0; i < law_.columns.size(); ++i) {
    const auto found = options_.data.find(law_.columns[i]);
    if (found != options_.data.end()) narrowed.limit(narrowed.column(i), found->second.first, found->second.second);
  }
  check(narrowed, "the data", Severity::note);
}

/// A rule that needs a panel to have found something else than what it claims.
void Checker::check_own_head(const law::Rule& rule) {
  const std::string& name = law_.findings[rule.finding].name;
  const std::size_t dot = name.find('.');
  if (!denies(rule.when.root(), name.substr(0, dot), name.substr(dot + 1), true)) return;
  report(Severity::warning, "head negated", {rule.id}, rule.place,
         "the rule " + rule.id + " claims " + name +
             " where a panel's finding for the same question is another: a conflict by itself");
}

}  // namespace hiple::audit
