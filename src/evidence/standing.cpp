#include "evidence/standing.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "table/cell_reader.hpp"

namespace hiple::evidence {

namespace {

/// Records of one case about one thing, by source and in the order in which they came: those that count.
std::vector<std::size_t> counting(const Store& store, std::span<const std::size_t> records) {
  std::vector<std::size_t> counts;
  for (std::size_t begin = 0; begin < records.size();) {
    const std::string& source = store.cases[records[begin]].source;
    std::size_t end = begin, first = begin;
    for (; end < records.size() && store.cases[records[end]].source == source; ++end)
      if (store.cases[records[end]].value.empty()) first = end + 1;  // it took back all that it had said
    std::int32_t latest = 0;
    for (std::size_t i = first; i < end; ++i)
      latest = i == first ? store.cases[records[i]].date : std::max(latest, store.cases[records[i]].date);
    for (std::size_t i = first; i < end; ++i)
      if (store.cases[records[i]].date == latest) counts.push_back(records[i]);
    begin = end;
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

bool is_seen(const Filter& filter, std::int32_t date, double reliability) {
  return date >= filter.since && date <= filter.as_of && reliability >= filter.least_reliability;
}

}  // namespace

std::optional<double> Standings::read(const Store& store, const ColumnSchema& subject, std::size_t record) {
  const CaseRecord& said = store.cases[record];
  const Value value = read_value(subject, said.value, said.unit);
  if (!value.number)
    problems_.add(Place{path_.string()},
                  "record " + std::to_string(record + 1) + ", from " + store.origin_of_case(record) +
                      ", cannot be read any more: " + value.what,
                  value.why,
                  "restore what schema and law knew, or add a row of the same source with an empty value: it takes it back");
  return value.number;
}

void Standings::settle(const Store& store, const ColumnSchema& subject, std::vector<std::size_t> records) {
  Standing standing{store.cases[records.front()].case_id, {}, false, 0};
  double low = 0, high = 0;
  for (const std::size_t record : records) {
    const auto value = read(store, subject, record);
    if (!value) continue;
    low = standing.records.empty() ? *value : std::min(low, *value);
    high = standing.records.empty() ? *value : std::max(high, *value);
    standing.records.push_back(record);
  }
  if (standing.records.empty()) return;
  standing.contradictory = !is_same(subject, low, high);
  standing.value = standing.contradictory ? 0 : low;
  standings_[store.cases[records.front()].about].push_back(std::move(standing));
}

Standings::Standings(const Store& store, const Terms& terms, const Filter& filter, const std::filesystem::path& path)
    : path_(path) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < store.cases.size(); ++i) {
    const CaseRecord& record = store.cases[i];
    if (terms.find(record.about) == nullptr)
      unknown_.push_back(i);
    else if (is_seen(filter, record.date, record.reliability))
      order.push_back(i);
  }
  const auto key = [&](std::size_t i) {
    const CaseRecord& record = store.cases[i];
    return std::tie(record.about, record.case_id, record.source);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t begin = 0; begin < order.size();) {
    const CaseRecord& first = store.cases[order[begin]];
    std::size_t end = begin;
    while (end < order.size() && store.cases[order[end]].about == first.about && store.cases[order[end]].case_id == first.case_id)
      ++end;
    std::vector<std::size_t> records = counting(store, std::span(order).subspan(begin, end - begin));
    if (!records.empty()) settle(store, *terms.find(first.about), std::move(records));
    begin = end;
  }
}

std::vector<RuleStanding> rule_standings(const Store& store, const Filter& filter) {
  std::map<std::pair<std::string, std::string>, RuleStanding> by_source;
  for (std::size_t i = 0; i < store.rules.size(); ++i) {
    const RuleRecord& record = store.rules[i];
    if (!is_seen(filter, record.date, record.reliability)) continue;
    RuleStanding& standing = by_source[{record.rule, record.source}];
    const bool is_later = standing.records.empty() || record.date > store.rules[standing.records.front()].date;
    if (!is_later && record.date < store.rules[standing.records.front()].date) continue;
    if (is_later) {
      standing = {record.rule, record.source, {i}, false, record.cases, record.held};
    } else {
      standing.records.push_back(i);
      standing.contradictory = standing.contradictory || record.cases != standing.cases || record.held != standing.held;
    }
  }
  std::vector<RuleStanding> standings;
  for (auto& [key, standing] : by_source) {
    if (standing.contradictory) standing.cases = standing.held = 0;
    standings.push_back(std::move(standing));
  }
  return standings;
}

std::span<const Standing> Standings::of(const std::string& about) const {
  const auto found = standings_.find(about);
  return found == standings_.end() ? std::span<const Standing>() : found->second;
}

std::size_t Standings::contradictions() const {
  std::size_t count = 0;
  for (const auto& [about, list] : standings_)
    count += static_cast<std::size_t>(std::count_if(list.begin(), list.end(), [](const Standing& s) { return s.contradictory; }));
  return count;
}

Column column_of(const ColumnSchema& subject, std::span<const Standing> standings, std::span<const std::uint64_t> case_ids) {
  Column column = make_column(subject);
  column.cells.assign(case_ids.size(), Cell::missing);
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        values.assign(case_ids.size(), T{});
        auto at = standings.begin();
        for (std::size_t row = 0; row < case_ids.size(); ++row) {
          while (at != standings.end() && at->case_id < case_ids[row]) ++at;
          if (at == standings.end()) return;
          if (at->case_id != case_ids[row]) continue;
          column.cells[row] = at->contradictory ? Cell::invalid : Cell::known;
          if (!at->contradictory) values[row] = static_cast<T>(at->value);
        }
      },
      column.values);
  return column;
}

}  // namespace hiple::evidence
