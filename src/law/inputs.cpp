#include "law/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "table/select.hpp"

namespace hiple::law {

namespace {

constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

Place place_of(const EngineJudgments& engine) { return {"judgments of " + engine.name, 0, 0}; }

condition::Voice::State state_of(JudgmentStatus status) {
  switch (status) {
    case JudgmentStatus::judged:
      return condition::Voice::State::judged;
    case JudgmentStatus::abstained:
      return condition::Voice::State::abstained;
    case JudgmentStatus::invalid:
      return condition::Voice::State::invalid;
    default:
      return condition::Voice::State::unavailable;
  }
}

/// Conditions were typed, converted and numbered for one schema.
bool same_column(const ColumnSchema& a, const ColumnSchema& b) {
  return a.type == b.type && a.unit == b.unit && a.values == b.values && b.role == ColumnRole::input;
}

bool is_fraction(float value) { return (value >= 0) & (value <= 1); }  // false for what is not a number

}  // namespace

Inputs::Inputs(const Law::Model& law, const Table& table, const std::vector<EngineJudgments>& engines)
    : law_(&law),
      table_(&table),
      columns_(law.columns.size()),
      judgments_(law.engines.size()),
      entry_(law.engines.size()),
      label_(law.engines.size()),
      probability_(law.engines.size()) {
  add_columns();
  std::vector<std::string> seen;
  for (const EngineJudgments& engine : engines) {
    if (std::find(seen.begin(), seen.end(), engine.name) != seen.end())
      throw InputError(place_of(engine), "the engine is given twice");
    seen.push_back(engine.name);
    add_engine(engine);
  }
}

void Inputs::add_columns() {
  Problems problems;
  for (std::size_t i = 0; i < law_->columns.size(); ++i) {
    if (!law_->column_is_read[i]) continue;
    const std::string& name = law_->columns[i];
    const auto found = table_->schema.find(name);
    if (!found || *found >= table_->columns.size() || table_->columns[*found].cells.size() != table_->rows()) {
      problems.add({table_->schema.file.string(), 0, 0}, "the table lacks the column \"" + name + "\", which the law reads");
      continue;
    }
    if (!same_column(law_->column_schemas[i], table_->schema.columns[*found]))
      problems.add(table_->schema.columns[*found].place,
                   "the column \"" + name + "\" is not the one that the law was checked against",
                   "its type, unit or values differ", "load the law with the schema of the table");
    columns_[i] = &table_->columns[*found];
    check_whole(*columns_[i], name, problems);
  }
  problems.throw_if_any();
}

void Inputs::check_whole(const Column& column, const std::string& name, Problems& problems) const {
  const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values);
  if (whole == nullptr) return;
  const auto is_inexact = [&](std::size_t row) {
    // Between the bounds without a branch: what is below the lower one is a very large number.
    const auto above = static_cast<std::uint64_t>((*whole)[row]) + static_cast<std::uint64_t>(largest_exact);
    return (above > 2 * static_cast<std::uint64_t>(largest_exact)) & (column.cells[row] == Cell::known);
  };
  bool any = false;  // without a branch a case
  for (std::size_t row = 0; row < whole->size(); ++row) any |= is_inexact(row);
  for (std::size_t row = 0; any && row < whole->size(); ++row) {
    if (!is_inexact(row)) continue;
    problems.add({table_->schema.file.string(), 0, 0},
                 "case " + std::to_string(case_id(row)) + ": " + name + " is " + std::to_string((*whole)[row]),
                 "the law compares whole numbers exactly up to 2^53 only", "make it a category, or divide it");
    return;
  }
}

void Inputs::add_engine(const EngineJudgments& engine) {
  const auto& known = law_->engines;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.name == engine.name; });
  if (found == known.end()) {
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const EngineDescription& each : known) names.push_back(each.name);
    throw InputError(place_of(engine), "the law does not know this engine", {}, suggestion(engine.name, names));
  }
  if (engine.judgments == nullptr) return;
  const auto number = static_cast<std::size_t>(found - known.begin());
  check_entries(engine);
  match_classes(number, engine);
  if (law_->needs_probability[number] && engine.judgments->probability.empty() && engine.judgments->size() > 0)
    throw InputError(place_of(engine), "the file leaves the probabilities out",
                     "the law reads " + engine.name + ".probability[...]", "set `probabilities: all` for this engine");
  judgments_[number] = engine.judgments;
  align(number, *engine.judgments);
}

/// Files were checked when they were read; judgments may also come from memory.
void Inputs::check_entries(const EngineJudgments& engine) const {
  const Judgments& judgments = *engine.judgments;
  const std::size_t size = judgments.size(), classes = judgments.classes.size();
  const bool sizes =
      judgments.status.size() == size && judgments.typicality.size() == size &&
      (classes == 0 ? judgments.value.size() == size : judgments.label.size() == size && judgments.confidence.size() == size) &&
      (judgments.probability.empty() || judgments.probability.size() == size * classes);
  if (!sizes || size >= no_entry) throw InputError(place_of(engine), "the arrays do not have one entry a case");
  const auto is_judged = [&](std::size_t i) { return judgments.status[i] == JudgmentStatus::judged; };
  const auto out_of_order = [&](std::size_t i) { return i > 0 && judgments.case_id[i] <= judgments.case_id[i - 1]; };
  const auto no_class = [&](std::size_t i) { return classes > 0 && (is_judged(i) & (judgments.label[i] >= classes)); };
  const auto no_share = [&](std::size_t i) {
    const bool spoke = judgments.status[i] <= JudgmentStatus::abstained;
    return (classes > 0 && (is_judged(i) & !is_fraction(judgments.confidence[i]))) |
           (spoke & !is_fraction(judgments.typicality[i]));
  };
  const auto not_finite = [&](std::size_t i) { return classes == 0 && (is_judged(i) & !std::isfinite(judgments.value[i])); };
  const auto refuse = [&](std::size_t i, const char* problem) {
    throw InputError(place_of(engine), problem, "at case " + std::to_string(judgments.case_id[i]));
  };
  // First without leaving a loop, and without a branch a case: most files are as they should be.
  bool any = false;
  for (std::size_t i = 1; i < size; ++i) any |= judgments.case_id[i] <= judgments.case_id[i - 1];
  if (classes > 0)
    for (std::size_t i = 0; i < size; ++i) any |= no_class(i) | no_share(i);
  else
    for (std::size_t i = 0; i < size; ++i) any |= no_share(i) | not_finite(i);
  for (std::size_t i = 0; any && i < size; ++i) {
    if (out_of_order(i)) refuse(i, "case ids are not ascending");
    if (no_class(i)) refuse(i, "a label is no class");
    if (no_share(i)) refuse(i, "a confidence or typicality is outside [0, 1]");
    if (not_finite(i)) refuse(i, "a value is not finite");
  }
}

/// The classes must be the same; where their order differs, labels and probabilities are brought into the law's.
void Inputs::match_classes(std::size_t number, const EngineJudgments& engine) {
  const std::vector<std::string>& wanted = law_->engines[number].classes;
  const std::vector<std::string>& given = engine.judgments->classes;
  if (wanted == given) return;
  std::vector<std::string> a = wanted, b = given;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a != b)
    throw InputError(place_of(engine), "the classes are not those the law was checked against",
                     "the file has " + join(given, ", ") + "; the law expects " + join(wanted, ", "));
  for (const std::string& name : given)
    label_[number].push_back(static_cast<std::uint16_t>(std::find(wanted.begin(), wanted.end(), name) - wanted.begin()));
  const std::vector<float>& probability = engine.judgments->probability;
  probability_[number].resize(probability.size());
  for (std::size_t i = 0; i < probability.size(); ++i)
    probability_[number][i - i % given.size() + label_[number][i % given.size()]] = probability[i];
}

void Inputs::align(std::size_t number, const Judgments& judgments) {
  std::vector<std::uint32_t>& entry = entry_[number];
  if (judgments.case_id == table_->case_id) {  // as engines leave it that judged the whole table
    entry.resize(cases());
    std::iota(entry.begin(), entry.end(), 0U);
    return;
  }
  entry.assign(cases(), no_entry);
  std::size_t at = 0;
  for (std::size_t row = 0; row < cases(); ++row) {
    while (at < judgments.size() && judgments.case_id[at] < case_id(row)) ++at;
    if (at < judgments.size() && judgments.case_id[at] == case_id(row)) entry[row] = static_cast<std::uint32_t>(at);
  }
}

std::span<const float> Inputs::probabilities(std::size_t engine) const {
  if (judgments_[engine] == nullptr) return {};
  return label_[engine].empty() ? judgments_[engine]->probability : probability_[engine];
}

condition::Field Inputs::field(std::size_t row, std::size_t column) const { return field_of(*columns_[column], row); }

condition::Voice Inputs::voice(std::size_t row, std::size_t engine) const {
  condition::Voice voice;
  const Judgments* judgments = judgments_[engine];
  const std::uint32_t entry = judgments == nullptr ? no_entry : entry_[engine][row];
  if (entry == no_entry) return voice;
  voice.state = state_of(judgments->status[entry]);
  if (voice.state == condition::Voice::State::unavailable || voice.state == condition::Voice::State::invalid) return voice;
  voice.typicality = judgments->typicality[entry];
  if (voice.state == condition::Voice::State::abstained) return voice;
  const std::size_t classes = judgments->classes.size();
  if (classes == 0) {
    voice.value = judgments->value[entry];
    return voice;
  }
  const bool reordered = !label_[engine].empty();
  voice.label = reordered ? label_[engine][judgments->label[entry]] : judgments->label[entry];
  voice.confidence = judgments->confidence[entry];
  const std::span<const float> probability = probabilities(engine);
  if (!probability.empty()) voice.probability = probability.subspan(entry * classes, classes);
  return voice;
}

}  // namespace hiple::law
