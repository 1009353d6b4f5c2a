#include "evidence/store.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "evidence/store_check.hpp"

namespace hiple::evidence {

namespace {

std::string hash_of(const std::string& before, const Entry& entry, std::span<const CaseRecord> cases,
                    std::span<const RuleRecord> rules) {
  Sha256 hash;
  const auto day_and_trust = [&](std::int32_t date, double reliability, std::uint64_t line) {
    hash.update_number(static_cast<std::uint64_t>(static_cast<std::int64_t>(date)));
    hash.update_number(std::bit_cast<std::uint64_t>(reliability)).update_number(line);
  };
  hash.update_text(before).update_text(entry.recorded).update_text(entry.file).update_text(entry.file_sha256);
  hash.update_number(entry.cases).update_number(entry.rules);
  for (const CaseRecord& record : cases) {
    hash.update_number(record.case_id).update_text(record.about).update_text(record.value);
    hash.update_text(record.unit).update_text(record.source);
    day_and_trust(record.date, record.reliability, record.line);
  }
  for (const RuleRecord& record : rules) {
    hash.update_text(record.rule).update_number(record.cases).update_number(record.held).update_text(record.source);
    day_and_trust(record.date, record.reliability, record.line);
  }
  return hash.digest();
}

/// The entry that brought the record with this number, by their counts.
const Entry& entry_of(const std::vector<Entry>& entries, std::uint64_t Entry::*count, std::size_t record) {
  std::uint64_t seen = 0;
  for (const Entry& entry : entries) {
    seen += entry.*count;
    if (record < seen) return entry;
  }
  throw Error("a store of evidence has no record " + std::to_string(record));
}

std::string origin(const Entry& entry, std::uint64_t line) { return entry.file + ":" + std::to_string(line); }

}  // namespace

std::string Store::head() const { return entries.empty() ? sha256({}) : entries.back().hash; }
const Entry& Store::entry_of_case(std::size_t record) const { return entry_of(entries, &Entry::cases, record); }
const Entry& Store::entry_of_rule(std::size_t record) const { return entry_of(entries, &Entry::rules, record); }
std::string Store::origin_of_case(std::size_t record) const { return origin(entry_of_case(record), cases[record].line); }
std::string Store::origin_of_rule(std::size_t record) const { return origin(entry_of_rule(record), rules[record].line); }

void append(Store& store, Entry entry, std::vector<CaseRecord> cases, std::vector<RuleRecord> rules) {
  entry.cases = cases.size();
  entry.rules = rules.size();
  entry.hash = hash_of(store.head(), entry, cases, rules);
  store.entries.push_back(std::move(entry));
  std::move(cases.begin(), cases.end(), std::back_inserter(store.cases));
  std::move(rules.begin(), rules.end(), std::back_inserter(store.rules));
}

std::optional<Store> as_it_was(const Store& store, std::string_view head) {
  Store earlier;
  if (head == earlier.head()) return earlier;
  std::uint64_t cases = 0, rules = 0;
  for (const Entry& entry : store.entries) {
    earlier.entries.push_back(entry);
    cases += entry.cases;
    rules += entry.rules;
    if (entry.hash != head) continue;
    earlier.cases.assign(store.cases.begin(), store.cases.begin() + static_cast<std::ptrdiff_t>(cases));
    earlier.rules.assign(store.rules.begin(), store.rules.begin() + static_cast<std::ptrdiff_t>(rules));
    return earlier;
  }
  return std::nullopt;
}

void check_hashes(const std::filesystem::path& path, const Store& store) {
  std::uint64_t cases = 0, rules = 0;
  std::string before = Store().head();
  for (std::size_t i = 0; i < store.entries.size(); ++i) {
    const Entry& entry = store.entries[i];
    const bool fits = entry.cases <= store.cases.size() - cases && entry.rules <= store.rules.size() - rules;
    const auto own_cases = std::span(store.cases).subspan(cases, fits ? entry.cases : 0);
    const auto own_rules = std::span(store.rules).subspan(rules, fits ? entry.rules : 0);
    if (!fits || hash_of(before, entry, own_cases, own_rules) != entry.hash)
      throw InputError(Place{path.string()}, "entry " + std::to_string(i + 1) + " is not what was recorded",
                       "its records, or those before it, are not what its hash was made from", "take the file from a copy");
    cases += entry.cases;
    rules += entry.rules;
    before = entry.hash;
  }
  if (cases != store.cases.size() || rules != store.rules.size())
    throw InputError(Place{path.string()}, "holds records that belong to no entry", {}, "take the file from a copy");
}

}  // namespace hiple::evidence
