#include "audit/solver.hpp"

#include <algorithm>

#include "audit/witness.hpp"

namespace hiple::audit {

Solver::Solver(const law::Law::Model& law, const Variables& variables, const Translator& translator)
    : law_(law), variables_(variables), translator_(translator), arithmetic_(variables) {
  for (const Variable& variable : variables.list()) {
    domains_.push_back(variable.all);
    const bool of_engine = variable.what != Variable::What::column && variable.what != Variable::What::finding;
    engine_of_.push_back(of_engine ? variable.index : law::no_number);
  }
}

Solution Solver::solve(const std::vector<const Formula*>& goals) {
  keep_ = true;
  Solution solution;
  solution.found = satisfiable(goals);
  keep_ = false;
  solution.unverified = unverified_;
  if (solution.found == Found::yes) solution.domains = std::move(solution_);
  return solution;
}

Found Solver::satisfiable(const std::vector<const Formula*>& goals) {
  steps_ = 0;
  unverified_ = false;
  const Found found = search(goals);
  undo(0, 0);
  return found;
}

void Solver::undo(std::size_t changes, std::size_t hard) {
  for (; changes_.size() > changes; changes_.pop_back()) domains_[changes_.back().variable] = changes_.back().before;
  hard_.resize(hard);
}

bool Solver::narrow(std::size_t variable, const Domain& domain) {
  const Domain before = domains_[variable];
  if (!domains_[variable].intersect(domain)) return true;
  changes_.push_back({variable, before});
  return !domains_[variable].empty();
}

/// Whether a formula is true (or false) whatever the values that are left.
Found Solver::status(const Formula& formula) const {
  if (formula.kind == Formula::Kind::hard) return Found::unknown;
  if (formula.kind == Formula::Kind::domain) {
    if (!domains_[formula.variable].meets(formula.domain)) return Found::no;
    return domains_[formula.variable].inside(formula.domain) ? Found::yes : Found::unknown;
  }
  const Found stop = formula.kind == Formula::Kind::all ? Found::no : Found::yes;
  bool open = false;
  for (const Formula& part : formula.parts) {
    const Found found = status(part);
    if (found == stop) return stop;
    open = open || found == Found::unknown;
  }
  return open ? Found::unknown : stop == Found::no ? Found::yes : Found::no;
}

/// Applies everything that leaves no choice, until nothing changes; what is left in `open` are choices. False: it cannot be.
bool Solver::simplify(std::vector<const Formula*>& open) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<const Formula*> choices;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Formula& formula = *open[i];
      if (formula.kind == Formula::Kind::hard) {
        hard_.push_back(&formula);
      } else if (formula.kind == Formula::Kind::domain) {
        const std::size_t before = changes_.size();
        if (!narrow(formula.variable, formula.domain)) return false;
        changed = changed || changes_.size() > before;
      } else if (formula.kind == Formula::Kind::all) {
        for (const Formula& part : formula.parts) open.push_back(&part);
      } else {
        const Formula* last = nullptr;
        std::size_t live = 0;
        bool done = false;
        for (const Formula& part : formula.parts) {
          const Found found = status(part);
          done = done || found == Found::yes;
          if (found == Found::no) continue;
          ++live;
          last = &part;
        }
        if (done) continue;
        if (live == 0) return false;
        if (live == 1)
          open.push_back(last);
        else
          choices.push_back(&formula);
      }
    }
    open = std::move(choices);
  }
  return true;
}

Found Solver::search(std::vector<const Formula*> open) {
  if (++steps_ > most_steps) return Found::unknown;
  if (!simplify(open)) return Found::no;
  if (open.empty()) return leaf();
  const auto smallest = std::min_element(open.begin(), open.end(),
                                         [](const Formula* a, const Formula* b) { return a->parts.size() < b->parts.size(); });
  const Formula* const choice = *smallest;
  open.erase(smallest);
  const std::size_t changes = changes_.size(), hard = hard_.size();
  Found result = Found::no;
  for (const Formula& part : choice->parts) {
    if (status(part) == Found::no) continue;
    std::vector<const Formula*> next = open;
    next.push_back(&part);
    const Found found = search(std::move(next));
    if (found == Found::yes) return found;
    if (found == Found::unknown) result = found;
    undo(changes, hard);
    if (steps_ > most_steps) break;
  }
  return result;
}

Found Solver::leaf() {
  if (!engines_fit()) return Found::no;
  const Found found = arithmetic_fits();
  if (found != Found::yes) return found;
  if (!engines_fit()) return Found::unknown;  // Z3 knows nothing of sums of probabilities
  if (keep_) solution_ = domains_;
  return Found::yes;
}

bool Solver::engines_fit() {
  std::vector<std::size_t> engines;
  for (const Change& change : changes_)
    if (engine_of_[change.variable] != law::no_number) engines.push_back(engine_of_[change.variable]);
  std::sort(engines.begin(), engines.end());
  engines.erase(std::unique(engines.begin(), engines.end()), engines.end());
  return std::all_of(engines.begin(), engines.end(), [&](std::size_t engine) { return engine_fits(engine); });
}

/// An engine that could have judged must have a label that fits its probabilities; else it did something else.
bool Solver::engine_fits(std::size_t engine) {
  const std::size_t state = variables_.state(engine), classes = law_.engines[engine].classes.size();
  if (!domains_[state].has_code(0) || classes == 0) return true;
  for (std::size_t label = 0; label < std::min(classes, Domain::most_codes); ++label)
    if (domains_[variables_.label(engine)].has_code(label) && label_fits(engine, label)) return true;
  Domain others = Domain::first_codes(4);
  others.codes[0] &= ~std::uint64_t{1};
  return narrow(state, others);
}

bool Solver::label_fits(std::size_t engine, std::size_t label) const {
  return settle_probabilities(domains_, variables_, engine, label, law_.engines[engine].classes.size()).has_value();
}

/// Hands the arithmetic atoms of this branch to Z3, and takes its values over. Aggregates are taken for what they must be.
Found Solver::arithmetic_fits() {
  std::vector<Arithmetic::Atom> atoms;
  for (const Formula* formula : hard_) {
    const Hard& hard = translator_.hard()[formula->hard];
    if (hard.arithmetic)
      atoms.emplace_back(hard.node, formula->want);
    else
      unverified_ = true;
  }
  if (atoms.empty()) return Found::yes;
  std::vector<Arithmetic::Value> values;
  const Found found = arithmetic_.solve(atoms, domains_, values);
  for (const auto& [variable, value] : values)
    if (!narrow(variable, Domain::numbers(value, value))) return Found::unknown;
  return found;
}

}  // namespace hiple::audit
