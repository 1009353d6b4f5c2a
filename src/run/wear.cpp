#include "run/wear.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/date.hpp"
#include "base/text.hpp"
#include "condition/scope.hpp"
#include "engine/checkpoint.hpp"
#include "gate/bounds.hpp"
#include "gate/sequence.hpp"
#include "law/evaluate.hpp"
#include "run/learned_rows.hpp"
#include "run/rule_support.hpp"
#include "run/stored_run.hpp"
#include "table/select.hpp"
#include "table/split.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

/// Rows in the order in which cases are looked at, and what to call a place in it.
class Order {
 public:
  Order(const Table& table, const std::string& by) : table_(table) {
    if (!by.empty()) column_ = &table.column(by);
    if (column_ != nullptr) schema_ = &table.schema.columns[*table.schema.find(by)];
    for (std::uint32_t row = 0; row < table.rows(); ++row)
      if (column_ == nullptr || column_->cells[row] == Cell::known) rows_.push_back(row);
    if (column_ != nullptr)
      std::stable_sort(rows_.begin(), rows_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return column_->number(a) < column_->number(b); });
  }

  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  [[nodiscard]] std::uint64_t unordered() const { return table_.rows() - rows_.size(); }
  [[nodiscard]] std::string name(std::uint32_t row) const {
    if (column_ == nullptr) return "case " + std::to_string(table_.case_id[row]);
    const double value = column_->number(row);
    return schema_->type == ColumnType::date ? format_date(static_cast<std::int32_t>(value)) : format_real(value);
  }

 private:
  const Table& table_;
  const Column* column_ = nullptr;
  const ColumnSchema* schema_ = nullptr;
  std::vector<std::uint32_t> rows_;
};

/// Adds one case to a signal's windows.
void watch(WearSignal& signal, bool against, const std::string& name, std::size_t window) {
  if (signal.windows.empty() || signal.windows.back().n == window) {
    signal.windows.emplace_back();
    signal.begins.push_back(name);
  }
  ++signal.windows.back().n;
  ++signal.cases;
  if (!against) return;
  ++signal.windows.back().count;
  ++signal.against;
}

/// The upper bound of the share of cases whose p-value is at most `unusual` against `m` calibration rows.
double allowed_against(std::size_t m, double confidence) {
  // A little above, since a share such as 0.05 (m + 1) may fall short of a whole number by rounding.
  const auto k = static_cast<std::uint64_t>(std::floor(unusual * static_cast<double>(m + 1) + 1e-9));
  return k == 0 ? 0 : gate::upper_bound(k - 1, m, confidence);
}

/// What share of unusual cases an engine's calibration allows; 0 where it has too few rows for any to be called unusual.
double allowed_unusual(const engine::Typicality::Parameters& typicality) {
  std::size_t all = 0, classes = 0;
  for (const auto& scores : typicality.scores) all += scores.size();
  for (const std::uint8_t present : typicality.present) classes += present;
  const double confidence = 1 - 0.025 / static_cast<double>(classes + 1);
  double of_own = 0;
  bool some_are_short = false;
  for (std::size_t k = 0; k < typicality.scores.size(); ++k) {
    if (typicality.present[k] == 0) continue;
    if (typicality.scores[k].size() < engine::Typicality::few_rows)
      some_are_short = true;
    else
      of_own = std::max(of_own, allowed_against(typicality.scores[k].size(), confidence));
  }
  return of_own + (some_are_short ? allowed_against(all, confidence) : 0);
}

WearSignal typicality_of(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                         const Arrival& arrival, const Table& table, const std::vector<Part>& parts, const Order& order,
                         std::size_t window) {
  WearSignal signal;
  signal.name = "typicality";
  if (!arrival.judgments) {
    signal.why = "it has not judged";
    return signal;
  }
  if (engine.is_command() || !std::filesystem::exists(directory.checkpoint(engine.name))) {
    signal.why = "how many cases it takes for unusual in its own domain is not known here";
    return signal;
  }
  signal.allowed = allowed_unusual(engine::read_checkpoint(directory.checkpoint(engine.name)).typicality);
  if (signal.allowed <= 0 || signal.allowed >= 1) {
    signal.why = "it has too few calibration rows to call a case unusual";
    return signal;
  }
  std::vector<bool> own(table.rows());
  for (const std::uint32_t row : select_rows(table, engine.cases, engine.cases_place, run.config.as_of)) own[row] = true;
  const std::vector<Part> unlearned = division_for(table, parts, engine, run.config);
  const Judgments& judgments = *arrival.judgments;
  for (const std::uint32_t row : order.rows()) {
    if (!own[row] || unlearned[row] != Part::test) continue;
    const auto found = std::lower_bound(judgments.case_id.begin(), judgments.case_id.end(), table.case_id[row]);
    if (found == judgments.case_id.end() || *found != table.case_id[row]) continue;
    const auto entry = static_cast<std::size_t>(found - judgments.case_id.begin());
    const JudgmentStatus status = judgments.status[entry];
    if (status != JudgmentStatus::judged && status != JudgmentStatus::abstained) continue;
    watch(signal, judgments.typicality[entry] <= static_cast<float>(unusual), order.name(row), window);
  }
  if (signal.cases == 0) signal.why = "no case of its domain is in the test part";
  return signal;
}

/// What evidence says of each question in each case: number of a finding, by case.
std::map<std::uint64_t, std::vector<std::size_t>> findings_by_evidence(const law::Law::Model& law,
                                                                       const evidence::Standings& standings) {
  std::map<std::uint64_t, std::vector<std::size_t>> said;
  for (std::size_t q = 0; q < law.questions.size(); ++q)
    for (const evidence::Standing& standing : standings.of(law.questions[q].name))
      if (!standing.contradictory)
        said.try_emplace(standing.case_id, law.questions.size(), law::no_number).first->second[q] =
            law.questions[q].first_finding + static_cast<std::size_t>(standing.value);
  return said;
}

/// Which rules speak by an engine's word and can be held against evidence.
struct Readers {
  std::vector<std::vector<std::size_t>> rules;  ///< of each engine of the law
  std::vector<double> allowed;                  ///< of each: the share of wrong cases of its least precise rule
};

Readers readers_of(const law::Law::Model& law) {
  Readers readers{std::vector<std::vector<std::size_t>>(law.engines.size()), std::vector<double>(law.engines.size())};
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    const law::Rule& rule = law.rules[i];
    if (rule.fallback || !rule.in_force || rule.suspended) continue;
    const auto columns = rule.when.columns();
    if (std::any_of(columns.begin(), columns.end(), condition::is_evidence_name)) continue;
    const auto read = rule.when.engines();
    const double wrong = 1 - rule.precision.value_or(law.precision.value_or(usual_precision));
    for (std::size_t e = 0; e < law.engines.size(); ++e) {
      if (!read.contains(law.engines[e].name)) continue;
      readers.rules[e].push_back(i);
      readers.allowed[e] = std::max(readers.allowed[e], wrong);
    }
  }
  return readers;
}

/// Evidence about what rules said by the word of each engine of the law.
std::vector<WearSignal> evidence_of(const PreparedRun& run, const law::Law& law, const StoredRun& stored, const Order& order,
                                    std::size_t window) {
  const law::Law::Model& model = law.model();
  const Readers readers = readers_of(model);
  std::vector<WearSignal> signals(model.engines.size());
  for (std::size_t e = 0; e < signals.size(); ++e) {
    signals[e].name = "evidence";
    signals[e].allowed = readers.allowed[e];
    if (readers.rules[e].empty()) signals[e].why = "no rule in force that evidence could be held against reads it";
    if (!run.evidence) signals[e].why = "the run names no evidence";
  }
  if (!run.evidence) return signals;
  const auto said = findings_by_evidence(model, run.evidence->standings);
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : order.rows())
    if (said.contains(stored.table.case_id[row])) rows.push_back(row);
  const auto engines = stored.engines();
  const law::Inputs inputs(model, stored.table, engines);
  law::Evaluator evaluator(model, inputs);
  for (const std::uint32_t row : rows) {
    const auto& rules = evaluator.run(row).panels[model.root].rules;
    const auto& findings = said.at(stored.table.case_id[row]);
    for (std::size_t e = 0; e < signals.size(); ++e) {
      bool spoke = false, wrong = false;
      for (const std::size_t rule : readers.rules[e]) {
        const std::size_t finding = findings[model.findings[model.rules[rule].finding].question];
        if (finding == law::no_number || rules[rule].stand.value != condition::Truth::yes) continue;
        spoke = true;
        wrong = wrong || finding != model.rules[rule].finding;
      }
      if (spoke) watch(signals[e], wrong, order.name(row), window);
    }
  }
  for (WearSignal& signal : signals)
    if (signal.cases == 0 && signal.why.empty()) signal.why = "there is no evidence about what rules said by its word";
  return signals;
}

void judge(Wear& wear) {
  std::vector<WearSignal*> measured;
  std::vector<double> probabilities;
  for (EngineWear& engine : wear.engines)
    for (WearSignal& signal : engine.signals) {
      if (!signal.why.empty()) continue;
      // Rules that may never be wrong: one case says so.
      const bool never = signal.allowed <= 0;
      signal.drift = gate::rise_above(signal.windows, never ? 1e-12 : signal.allowed);
      measured.push_back(&signal);
      probabilities.push_back(gate::probability_at_any_look(signal.drift.log_evidence));
    }
  const std::vector<bool> shown = gate::refuted(probabilities);
  for (std::size_t i = 0; i < measured.size(); ++i) measured[i]->shown = shown[i];
}

void check_by(const Schema& schema, const std::string& by) {
  if (by.empty()) return;
  const auto found = schema.find(by);
  std::vector<std::string> names;
  for (const ColumnSchema& column : schema.columns)
    if (column.type == ColumnType::date || column.type == ColumnType::integer || column.type == ColumnType::real)
      if (column.role != ColumnRole::ignore) names.push_back(column.name);
  if (!found) throw InputError(Place{schema.file.string()}, "no column " + by, {}, suggestion(by, names));
  const ColumnSchema& column = schema.columns[*found];
  if (std::find(names.begin(), names.end(), by) == names.end())
    throw InputError(
        column.place, "cases cannot be ordered by " + by,
        "it is a column of type " + std::string(name_of(column.type)) + " with role " + std::string(name_of(column.role)),
        "name a date or a number, or leave --by out");
}

}  // namespace

bool EngineWear::worn() const {
  return std::any_of(signals.begin(), signals.end(), [](const WearSignal& signal) { return signal.shown; });
}

std::size_t Wear::worn() const {
  return static_cast<std::size_t>(std::count_if(engines.begin(), engines.end(), [](const EngineWear& e) { return e.worn(); }));
}

Wear measure_wear(const PreparedRun& run, const RunDirectory& directory, const WearSettings& settings) {
  check_by(run.schema, settings.by);
  std::vector<std::string> also;
  for (const ColumnSchema& column : run.schema.columns)
    if (column.role == ColumnRole::input || column.role == ColumnRole::label) also.push_back(column.name);
  const StoredRun stored = read_stored_run(run, directory, also);
  const law::Law law = stored_law(run, directory, stored.decisions);
  const std::vector<Part> parts = divide(stored.table, run.config.data.split, run.config.seed);
  const bool by_id = settings.by.empty() || run.schema.columns[*run.schema.find(settings.by)].role == ColumnRole::id;
  const Order order(stored.table, by_id ? "" : settings.by);
  Wear wear;
  wear.by = settings.by;
  wear.window = settings.window;
  wear.unordered = order.unordered();
  const auto by_evidence = evidence_of(run, law, stored, order, settings.window);
  for (const EngineConfig& engine : run.config.engines) {
    EngineWear& one = wear.engines.emplace_back();
    one.engine = engine.name;
    const auto arrival = std::find_if(stored.arrivals.begin(), stored.arrivals.end(),
                                      [&](const Arrival& each) { return each.engine == engine.name; });
    one.signals.push_back(arrival == stored.arrivals.end()
                              ? WearSignal{"typicality", 0, 0, 0, {}, {}, {}, false, "the law does not read it"}
                              : typicality_of(run, directory, engine, *arrival, stored.table, parts, order, settings.window));
    const auto& known = law.model().engines;
    const auto number = std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.name == engine.name; });
    one.signals.push_back(by_evidence[static_cast<std::size_t>(number - known.begin())]);
  }
  judge(wear);
  return wear;
}

}  // namespace hiple
