#include "law/consult.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "law/model.hpp"
#include "table/select.hpp"

namespace hiple::law {

namespace {

bool was_asked(const Inputs& inputs, std::size_t engine, std::size_t row) {
  const std::uint32_t entry = inputs.entries(engine)[row];
  return entry == Inputs::no_entry || inputs.judgments(engine)->status[entry] != JudgmentStatus::not_asked;
}

/// What a home condition sees of a row: columns alone.
class HomeView : public condition::View {
 public:
  HomeView(const Law::Model& law, const Table& table) : columns_(law.columns.size(), nullptr) {
    for (std::size_t i = 0; i < law.columns.size(); ++i) {
      const auto found = table.schema.find(law.columns[i]);
      if (found && table.columns.at(*found).cells.size() == table.rows()) columns_[i] = &table.columns[*found];
    }
  }
  void go_to(std::size_t row) { row_ = row; }
  [[nodiscard]] bool has(std::size_t column) const { return columns_[column] != nullptr; }
  [[nodiscard]] condition::Field column(std::size_t index) const override { return field_of(*columns_[index], row_); }

 private:
  std::vector<const Column*> columns_;
  std::size_t row_ = 0;
};

}  // namespace

std::uint64_t Consultation::open() const {
  std::uint64_t count = 0;
  for (const auto& cases : unasked) count += cases.size();
  return count;
}

void consult(const Law& law, const ColumnarLaw& columnar, const Inputs& inputs, std::size_t rounds, Consultation& to) {
  const std::size_t engines = law.model().engines.size(), words = (engines + 63) / 64;
  to.unasked.resize(engines);
  ColumnarEvaluator evaluator(columnar, inputs);
  std::vector<std::uint8_t> taken(ColumnarEvaluator::most_cases);
  std::vector<std::uint64_t> consulted(ColumnarEvaluator::most_cases * words);
  for (std::size_t first = 0; first < inputs.cases(); first += ColumnarEvaluator::most_cases) {
    const std::size_t count = std::min(ColumnarEvaluator::most_cases, inputs.cases() - first);
    std::fill(consulted.begin(), consulted.end(), 0);
    evaluator.consult(first, count, rounds, {nullptr, taken.data(), consulted.data()});
    for (std::size_t i = 0; i < count; ++i) to.goes_on = to.goes_on || (rounds > 0 && taken[i] == rounds);
    for (std::size_t engine = 0; engine < engines; ++engine) {
      if (inputs.judgments(engine) == nullptr) continue;  // it cannot be asked
      for (std::size_t i = 0; i < count; ++i) {
        if (((consulted[i * words + engine / 64] >> (engine % 64)) & 1) == 0) continue;
        if (was_asked(inputs, engine, first + i)) {
          ++to.asked;
        } else {
          to.unasked[engine].push_back(inputs.case_id(first + i));
        }
      }
    }
  }
  to.goes_on = to.goes_on || (rounds == 0 && inputs.cases() > 0);
}

std::uint64_t count_unasked(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines) {
  const Inputs inputs(law.model(), table, engines);
  const ColumnarLaw columnar(law.model());
  for (std::size_t rounds = 0;; ++rounds) {
    Consultation found;
    consult(law, columnar, inputs, rounds, found);
    if (found.open() > 0 || !found.goes_on) return found.open();
  }
}

std::vector<std::string> home_columns(const Law& law) {
  std::set<std::string> names;
  for (const RouteEntry& entry : law.model().home)
    if (entry.when) names.merge(entry.when->columns());
  return {names.begin(), names.end()};
}

std::vector<std::uint32_t> home_rows(const Law& law, const Table& table, const std::string& engine) {
  const Law::Model& model = law.model();
  std::vector<std::uint32_t> rows;
  const auto found = std::find_if(model.engines.begin(), model.engines.end(), [&](const auto& e) { return e.name == engine; });
  if (model.home.empty() || found == model.engines.end()) return all_rows(table);
  const auto number = static_cast<std::size_t>(found - model.engines.begin());
  HomeView view(model, table);
  for (const std::string& name : home_columns(law)) {
    const auto at = std::find(model.columns.begin(), model.columns.end(), name) - model.columns.begin();
    if (!view.has(static_cast<std::size_t>(at)))
      throw InputError({table.schema.file.string(), 0, 0}, "the table lacks the column \"" + name + "\"",
                       "the law's route reads it to tell which engines are asked first");
  }
  std::vector<bool> is_home;
  for (const RouteEntry& entry : model.home)
    is_home.push_back(std::find(entry.engines.begin(), entry.engines.end(), number) != entry.engines.end());
  condition::CauseSet causes;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    view.go_to(row);
    const auto taken = std::find_if(model.home.begin(), model.home.end(), [&](const RouteEntry& entry) {
      causes.clear();
      return !entry.when || entry.when->evaluate(view, causes) == condition::Truth::yes;
    });
    // Where no entry is taken, all engines are home.
    if (taken == model.home.end() || is_home[static_cast<std::size_t>(taken - model.home.begin())]) rows.push_back(row);
  }
  return rows;
}

}  // namespace hiple::law
