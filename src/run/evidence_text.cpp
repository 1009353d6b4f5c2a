#include "run/evidence_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/date.hpp"
#include "base/text.hpp"
#include "report/text_table.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;
using evidence::CaseRecord;
using evidence::RuleRecord;
using evidence::Standing;
using evidence::Store;

/// "7.2 mU/L", as the source gave it.
std::string said(const CaseRecord& record) {
  if (record.value.empty()) return "takes it back";
  return printable(record.value + (record.unit.empty() ? "" : " " + record.unit));
}

/// "case 17, TSH: north says 7.2 mU/L (labs.csv:3); south says 9 mU/L (other.csv:2)".
std::string contradiction_text(const Store& store, const Standing& standing, const std::string& about) {
  std::vector<std::string> words;
  for (const std::size_t record : standing.records)
    words.push_back(
        fmt::format("{} says {} ({})", store.cases[record].source, said(store.cases[record]), store.origin_of_case(record)));
  return fmt::format("case {}, {}: {}", standing.case_id, about, join(words, "; "));
}

Json contradiction_json(const Store& store, const Standing& standing, const std::string& about) {
  Json json = {{"case", standing.case_id}, {"about", about}, {"says", Json::array()}};
  for (const std::size_t record : standing.records) {
    const CaseRecord& one = store.cases[record];
    json["says"].push_back(
        {{"source", one.source}, {"value", one.value}, {"unit", one.unit}, {"from", store.origin_of_case(record)}});
  }
  return json;
}

/// Lines of a kind, the first few of them.
void add_lines(std::string& text, const std::string& head, std::size_t count, std::size_t most,
               const std::function<std::string(std::size_t)>& line) {
  if (count == 0) return;
  text += head + "\n";
  for (std::size_t i = 0; i < std::min(count, most); ++i) text += "  " + line(i) + "\n";
  if (count > most) text += fmt::format("  and {} more\n", count - most);
}

std::string plural(std::uint64_t count, const std::string& one, const std::string& several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

/// What became of each record about cases.
std::vector<std::string> fates(const StudyEvidence& study) {
  const Store& store = study.store;
  std::vector<std::string> fates(store.cases.size());
  for (const std::size_t record : study.standings.unknown()) fates[record] = "unknown";
  for (const auto& [about, standings] : study.standings.all())
    for (const Standing& standing : standings)
      for (const std::size_t record : standing.records) fates[record] = standing.contradictory ? "contradictory" : "counts";
  // What is left is not seen, or its source has said something since.
  std::map<std::tuple<std::string, std::uint64_t, std::string>, std::size_t> taken_back;
  for (std::size_t i = 0; i < store.cases.size(); ++i)
    if (store.cases[i].value.empty()) taken_back[{store.cases[i].about, store.cases[i].case_id, store.cases[i].source}] = i;
  for (std::size_t i = 0; i < store.cases.size(); ++i) {
    const CaseRecord& record = store.cases[i];
    if (!fates[i].empty()) continue;
    const auto back = taken_back.find({record.about, record.case_id, record.source});
    const auto* subject = study.terms.find(record.about);
    fates[i] = record.date > study.filter.as_of                                    ? "after the run's day"
               : record.reliability < study.filter.least_reliability               ? "unreliable"
               : record.value.empty()                                              ? "takes back"
               : back != taken_back.end() && back->second > i                      ? "taken back"
               : !evidence::read_value(*subject, record.value, record.unit).number ? "unreadable"
                                                                                   : "said later";
  }
  return fates;
}

std::vector<std::string> rule_fates(const StudyEvidence& study) {
  std::vector<std::string> fates(study.store.rules.size());
  for (const auto& standing : evidence::rule_standings(study.store, study.filter))
    for (const std::size_t record : standing.records) fates[record] = standing.contradictory ? "contradictory" : "counts";
  const auto& rules = study.terms.rules();
  for (std::size_t i = 0; i < fates.size(); ++i) {
    const RuleRecord& record = study.store.rules[i];
    if (std::find(rules.begin(), rules.end(), record.rule) == rules.end()) fates[i] = "unknown";
    if (!fates[i].empty()) continue;
    fates[i] = record.date > study.filter.as_of                      ? "after the run's day"
               : record.reliability < study.filter.least_reliability ? "unreliable"
                                                                     : "said later";
  }
  return fates;
}

bool matches(const EvidenceQuery& query, const CaseRecord& record, const std::string& fate) {
  return query.rule.empty() && (!query.case_id || *query.case_id == record.case_id) &&
         (query.about.empty() || query.about == record.about) && (query.source.empty() || query.source == record.source) &&
         (!query.contradictory || fate == "contradictory");
}

bool matches(const EvidenceQuery& query, const RuleRecord& record, const std::string& fate) {
  return !query.case_id && query.about.empty() && (query.rule.empty() || query.rule == record.rule) &&
         (query.source.empty() || query.source == record.source) && (!query.contradictory || fate == "contradictory");
}

template <class Record, class Name>
void refuse_unknown(const std::string& wanted, const std::vector<Record>& records, const std::string& what, Name name) {
  if (wanted.empty()) return;
  std::set<std::string> names;
  for (const Record& record : records) names.insert(name(record));
  if (names.contains(wanted)) return;
  throw InputError(Place{"command line"}, "no evidence " + what + " \"" + printable(wanted) + "\" is recorded", {},
                   suggestion(wanted, std::vector<std::string>(names.begin(), names.end())));
}

void check_query(const Store& store, const EvidenceQuery& query) {
  refuse_unknown(query.about, store.cases, "about", [](const CaseRecord& r) { return r.about; });
  refuse_unknown(query.rule, store.rules, "about the rule", [](const RuleRecord& r) { return r.rule; });
  std::vector<std::string> sources;
  for (const CaseRecord& record : store.cases) sources.push_back(record.source);
  for (const RuleRecord& record : store.rules) sources.push_back(record.source);
  refuse_unknown(query.source, sources, "of", [](const std::string& source) { return source; });
}

Json totals(const StudyEvidence& study) {
  return {{"file", study.file.string()},
          {"entries", study.store.entries.size()},
          {"case_records", study.store.cases.size()},
          {"rule_records", study.store.rules.size()},
          {"head", study.store.head()}};
}

}  // namespace

std::string to_text(const EvidenceAdded& added, std::size_t most) {
  const Store& store = added.now.store;
  std::string text = fmt::format("evidence  {}: {} added, {} in all\n", added.now.file.string(),
                                 plural(added.cases + added.rules, "record", "records"), store.cases.size() + store.rules.size());
  text += fmt::format("head      {}\n", store.head());
  add_lines(text, plural(added.duplicates.size(), "record was", "records were") + " there already, and not added again:",
            added.duplicates.size(), most,
            [&](std::size_t i) { return added.duplicates[i].origin + " says what " + added.duplicates[i].first + " says"; });
  add_lines(
      text,
      plural(added.contradictions.size(), "contradiction", "contradictions") + ": nothing is known there, by any of the sources",
      added.contradictions.size(), most,
      [&](std::size_t i) { return contradiction_text(store, added.contradictions[i], added.abouts[i]); });
  return text;
}

std::string to_json(const EvidenceAdded& added) {
  Json json = totals(added.now);
  json["added"] = {{"cases", added.cases}, {"rules", added.rules}};
  json["duplicates"] = Json::array();
  for (const auto& duplicate : added.duplicates)
    json["duplicates"].push_back({{"at", duplicate.origin}, {"first", duplicate.first}});
  json["contradictions"] = Json::array();
  for (std::size_t i = 0; i < added.contradictions.size(); ++i)
    json["contradictions"].push_back(contradiction_json(added.now.store, added.contradictions[i], added.abouts[i]));
  return json.dump(2) + "\n";
}

std::string list_text(const StudyEvidence& study, const EvidenceQuery& query) {
  check_query(study.store, query);
  const auto fate = fates(study), rule_fate = rule_fates(study);
  const Store& store = study.store;
  std::vector<std::vector<std::string>> cases = {{"case", "about", "says", "source", "date", "reliability", "from", "fate"}};
  std::vector<std::vector<std::string>> rules = {{"rule", "held", "source", "date", "reliability", "from", "fate"}};
  std::size_t count = 0;
  for (std::size_t i = 0; i < store.cases.size(); ++i) {
    const CaseRecord& record = store.cases[i];
    if (!matches(query, record, fate[i]) || ++count > query.most) continue;
    cases.push_back({std::to_string(record.case_id), record.about, said(record), record.source, format_date(record.date),
                     format_real(record.reliability), store.origin_of_case(i), fate[i]});
  }
  for (std::size_t i = 0; i < store.rules.size(); ++i) {
    const RuleRecord& record = store.rules[i];
    if (!matches(query, record, rule_fate[i]) || ++count > query.most) continue;
    rules.push_back({record.rule, fmt::format("{} of {}", record.held, record.cases), record.source, format_date(record.date),
                     format_real(record.reliability), store.origin_of_rule(i), rule_fate[i]});
  }
  std::string text;
  if (cases.size() > 1) text += report::text_table(cases, {1, 2, 3, 4, 6, 7});
  if (rules.size() > 1) text += (text.empty() ? "" : "\n") + report::text_table(rules, {0, 2, 3, 5, 6});
  if (count == 0) text += "no record\n";
  if (count > query.most) text += fmt::format("and {} more: --most lists them\n", count - query.most);
  return text;
}

std::string list_json(const StudyEvidence& study, const EvidenceQuery& query) {
  check_query(study.store, query);
  const auto fate = fates(study), rule_fate = rule_fates(study);
  const Store& store = study.store;
  Json json = totals(study);
  json["cases"] = Json::array();
  json["rules"] = Json::array();
  const auto rest = [](const auto& record, const std::string& from, const std::string& fate_of) {
    return Json{{"source", record.source},
                {"date", format_date(record.date)},
                {"reliability", record.reliability},
                {"from", from},
                {"fate", fate_of}};
  };
  for (std::size_t i = 0; i < store.cases.size(); ++i) {
    const CaseRecord& record = store.cases[i];
    if (!matches(query, record, fate[i])) continue;
    Json entry = {{"case", record.case_id}, {"about", record.about}, {"value", record.value}, {"unit", record.unit}};
    entry.update(rest(record, store.origin_of_case(i), fate[i]));
    entry["recorded"] = store.entry_of_case(i).recorded;
    json["cases"].push_back(std::move(entry));
  }
  for (std::size_t i = 0; i < store.rules.size(); ++i) {
    const RuleRecord& record = store.rules[i];
    if (!matches(query, record, rule_fate[i])) continue;
    Json entry = {{"rule", record.rule}, {"cases", record.cases}, {"held", record.held}};
    entry.update(rest(record, store.origin_of_rule(i), rule_fate[i]));
    entry["recorded"] = store.entry_of_rule(i).recorded;
    json["rules"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

namespace {

/// Of all records: what it is about, and its standing.
std::vector<std::pair<std::string, const Standing*>> contradictions_of(const StudyEvidence& study) {
  std::vector<std::pair<std::string, const Standing*>> list;
  for (const auto& [about, standings] : study.standings.all())
    for (const Standing& standing : standings)
      if (standing.contradictory) list.emplace_back(about, &standing);
  return list;
}

std::string rule_contradiction(const Store& store, const evidence::RuleStanding& standing) {
  std::vector<std::string> words;
  for (const std::size_t record : standing.records)
    words.push_back(
        fmt::format("{} of {} ({})", store.rules[record].held, store.rules[record].cases, store.origin_of_rule(record)));
  return fmt::format("rule {}, {} says of one day: {}", standing.rule, standing.source, join(words, "; "));
}

std::vector<evidence::RuleStanding> rule_contradictions(const EvidenceCheck& check) {
  std::vector<evidence::RuleStanding> list;
  for (const auto& standing : check.rule_standings)
    if (standing.contradictory) list.push_back(standing);
  return list;
}

std::string record_text(const Store& store, std::size_t record) {
  const CaseRecord& one = store.cases[record];
  return fmt::format("{}: case {}, {}: {}", store.origin_of_case(record), one.case_id, one.about, said(one));
}

}  // namespace

std::string to_text(const EvidenceCheck& check, std::size_t most) {
  const StudyEvidence& study = check.evidence;
  const Store& store = study.store;
  std::string text = fmt::format("evidence  {}: {} about cases, {} about rules, in {}\n", study.file.string(),
                                 plural(store.cases.size(), "record", "records"), plural(store.rules.size(), "record", "records"),
                                 plural(store.entries.size(), "entry", "entries"));
  text += fmt::format("head      {}: every record is what was recorded\n", store.head());
  for (const auto& [about, standings] : study.standings.all())
    text += fmt::format("{:<10}stands in {}\n", about + "  ", plural(standings.size(), "case", "cases"));
  const auto contradictions = contradictions_of(study);
  add_lines(text,
            plural(contradictions.size(), "contradiction", "contradictions") + ": nothing is known there, by any of the sources",
            contradictions.size(), most,
            [&](std::size_t i) { return contradiction_text(store, *contradictions[i].second, contradictions[i].first); });
  const auto of_rules = rule_contradictions(check);
  add_lines(text, plural(of_rules.size(), "contradiction", "contradictions") + " about rules: these sources say nothing",
            of_rules.size(), most, [&](std::size_t i) { return rule_contradiction(store, of_rules[i]); });
  const auto& unknown = study.standings.unknown();
  add_lines(text, "not seen, since neither schema nor law knows what it is about: " + plural(unknown.size(), "record", "records"),
            unknown.size(), most, [&](std::size_t i) { return record_text(store, unknown[i]); });
  add_lines(text, "about cases that the table does not have: " + plural(check.unknown_cases.size(), "record", "records"),
            check.unknown_cases.size(), most, [&](std::size_t i) { return record_text(store, check.unknown_cases[i]); });
  add_lines(text, "about rules that the law does not have: " + plural(check.unknown_rules.size(), "record", "records"),
            check.unknown_rules.size(), most, [&](std::size_t i) {
              const std::size_t record = check.unknown_rules[i];
              return store.origin_of_rule(record) + ": " + store.rules[record].rule;
            });
  const auto& problems = study.standings.problems().list();
  add_lines(text, "cannot be read: " + plural(problems.size(), "record", "records"), problems.size(), most,
            [&](std::size_t i) { return problems[i].text(); });
  return text;
}

std::string to_json(const EvidenceCheck& check) {
  const StudyEvidence& study = check.evidence;
  Json json = totals(study);
  json["sound"] = check.sound();
  json["standing"] = Json::object();
  for (const auto& [about, standings] : study.standings.all()) json["standing"][about] = standings.size();
  json["contradictions"] = Json::array();
  for (const auto& [about, standing] : contradictions_of(study))
    json["contradictions"].push_back(contradiction_json(study.store, *standing, about));
  json["rule_contradictions"] = Json::array();
  for (const auto& standing : rule_contradictions(check))
    json["rule_contradictions"].push_back({{"rule", standing.rule}, {"source", standing.source}});
  json["unknown"] = study.standings.unknown().size();
  json["unknown_cases"] = check.unknown_cases.size();
  json["unknown_rules"] = check.unknown_rules.size();
  json["unreadable"] = Json::array();
  for (const Problem& problem : study.standings.problems().list()) json["unreadable"].push_back(problem.text());
  return json.dump(2) + "\n";
}

}  // namespace hiple
