#include "evidence/import.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/date.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "table/csv_reader.hpp"
#include "table/table_reading.hpp"

namespace hiple::evidence {

namespace {

using Names = std::vector<std::string>;

const Names of_cases = {"case", "about", "value", "unit", "source", "date", "reliability"};
const Names of_rules = {"rule", "cases", "held", "source", "date", "reliability"};

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  return "\"" + printable(text.substr(0, longest)) + (text.size() > longest ? "..." : "") + "\"";
}

/// One file while it is read.
class Importer {
 public:
  Importer(const std::filesystem::path& path, const ImportContext& context, Problems& problems)
      : path_(path), context_(context), problems_(problems), reader_(path) {
    import_.file = path.filename().string();
    import_.sha256 = sha256_file(path);
  }

  Import run() {
    if (!read_header()) return {};
    while (next()) {
      if (reader_.fields().size() != columns_.size()) {
        problem(std::min(reader_.fields().size(), columns_.size()),
                "a record of " + std::to_string(reader_.fields().size()) + " fields",
                "the header has " + std::to_string(columns_.size()), "put fields that hold commas or line ends in quotes");
        continue;
      }
      about_cases_ ? read_case() : read_rule();
    }
    return std::move(import_);
  }

 private:
  /// Goes to the next record; false at the end, and where there is none that can be read.
  bool next() {
    try {
      return reader_.next();
    } catch (const InputError& error) {
      problems_.add(error);
      return false;
    }
  }

  void problem(std::size_t field, std::string what, std::string why = {}, std::string remedy = {}) {
    problems_.add(reader_.place_of(field), std::move(what), std::move(why), std::move(remedy));
    reading::stop_if_too_many(problems_, path_);
  }
  void problem(const char* column, std::string what, std::string why = {}, std::string remedy = {}) {
    problem(field_of(column), std::move(what), std::move(why), std::move(remedy));
  }

  /// Whether rows can be read at all.
  bool read_header() {
    const std::size_t before = problems_.list().size();
    if (!next()) {
      if (problems_.list().size() > before) return false;
      problems_.add(Place{path_.string()}, "the file is empty", "it should begin with the names of its columns",
                    "write " + join(of_cases, ",") + ", or " + join(of_rules, ","));
      return false;
    }
    const Names names(reader_.fields().begin(), reader_.fields().end());
    const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    about_cases_ = has("case") || !has("rule");
    const Names& wanted = about_cases_ ? of_cases : of_rules;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::find(wanted.begin(), wanted.end(), names[i]) == wanted.end())
        problem(i, "no column " + in_quotes(names[i]),
                about_cases_ ? "this is evidence about cases" : "this is evidence about rules", suggestion(names[i], wanted));
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
          names.begin() + static_cast<std::ptrdiff_t>(i))
        problem(i, "the column " + in_quotes(names[i]) + " stands twice");
    }
    for (const std::string& name : wanted)
      if (!has(name.c_str()))
        problem(names.size(), "the column \"" + name + "\" is missing", {},
                "write " + join(wanted, ",") + "; a column may be empty where there is nothing to say");
    columns_ = names;
    return problems_.list().size() == before;
  }

  [[nodiscard]] std::size_t field_of(const char* column) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
  }
  [[nodiscard]] std::string text(const char* column) const { return std::string(reader_.fields()[field_of(column)]); }

  std::optional<std::uint64_t> whole(const char* column, const char* what) {
    const std::string given = text(column);
    const auto number = parse_unsigned(given);
    if (!number)
      problem(column,
              given.empty() ? std::string(what) + " is missing" : std::string(what) + " " + in_quotes(given) + " is no number",
              "it is a whole number, without a sign or leading zeros", "correct it");
    return number;
  }

  /// What both kinds of record have.
  template <class Record>
  void read_rest(Record& record) {
    record.line = reader_.place().line;
    record.source = text("source");
    if (trim(record.source).empty() || printable(record.source) != record.source)
      problem("source",
              record.source.empty() ? "the source is missing" : "the source " + in_quotes(record.source) + " is no name",
              "evidence without a source cannot be weighed against another", "write who says so");
    const std::string date = text("date"), reliability = text("reliability");
    if (const auto day = parse_date(date); !day)
      problem("date", date.empty() ? "the date is missing" : in_quotes(date) + " is no date", {}, "write it as 2026-01-31");
    else if (*day > context_.as_of)
      problem("date", date + " is in the future", "the run's day is " + format_date(context_.as_of) + " (as_of in run.yaml)",
              "correct the date, or set as_of to the day that the run speaks of");
    else
      record.date = *day;
    if (const auto share = parse_real(reliability); !share || !(*share > 0 && *share <= 1))
      problem("reliability", reliability.empty() ? "the reliability is missing" : "a reliability of " + in_quotes(reliability),
              "it is a number over 0 and at most 1", "write 1 where the source is beyond doubt");
    else
      record.reliability = *share;
  }

  void read_case() {
    const std::size_t before = problems_.list().size();
    CaseRecord record;
    const auto id = whole("case", "the case id");
    if (id && !std::binary_search(context_.case_ids.begin(), context_.case_ids.end(), *id))
      problem("case", "there is no case " + std::to_string(*id),
              context_.case_ids.empty() ? "the run's table is empty"
                                        : "the table's cases are numbered from " + std::to_string(context_.case_ids.front()) +
                                              " to " + std::to_string(context_.case_ids.back()),
              "evidence is about cases of the run's table");
    record.case_id = id.value_or(0);
    record.about = text("about");
    record.value = text("value");
    record.unit = text("unit");
    read_subject(record);
    read_rest(record);
    if (problems_.list().size() == before) import_.cases.push_back(std::move(record));
  }

  void read_subject(const CaseRecord& record) {
    const ColumnSchema* subject = context_.terms.find(record.about);
    if (subject == nullptr) {
      const auto [why, remedy] = context_.terms.why_unknown(record.about);
      return problem(
          "about",
          record.about.empty() ? "it is not said what the evidence is about" : "evidence about " + in_quotes(record.about), why,
          remedy);
    }
    if (record.value.empty()) {
      if (!record.unit.empty()) problem("unit", "the unit " + in_quotes(record.unit) + " of no value", {}, "leave it out");
      return;
    }
    const Value value = read_value(*subject, record.value, record.unit);
    if (!value.number) problem(value.of_unit ? "unit" : "value", value.what, value.why, value.remedy);
  }

  void read_rule() {
    const std::size_t before = problems_.list().size();
    RuleRecord record;
    record.rule = text("rule");
    const Names& rules = context_.terms.rules();
    if (std::find(rules.begin(), rules.end(), record.rule) == rules.end())
      problem("rule", record.rule.empty() ? "the rule's id is missing" : "the law has no rule or law " + in_quotes(record.rule),
              {}, suggestion(record.rule, rules));
    const auto cases = whole("cases", "the number of cases"), held = whole("held", "the number of cases in which it held");
    if (cases && *cases == 0)
      problem("cases", "a study of no cases", "it says nothing of the rule", "leave the row out");
    else if (cases && held && *held > *cases)
      problem("held", std::to_string(*held) + " of " + std::to_string(*cases) + " cases",
              "it cannot hold in more cases than there are", "correct one of the numbers");
    record.cases = cases.value_or(0);
    record.held = held.value_or(0);
    read_rest(record);
    if (problems_.list().size() == before) import_.rules.push_back(std::move(record));
  }

  const std::filesystem::path& path_;
  const ImportContext& context_;
  Problems& problems_;
  CsvReader reader_;
  Import import_;
  Names columns_;
  bool about_cases_ = true;
};

/// All that a record says; the same for records that say the same. No text holds a zero byte.
std::string key_of(const CaseRecord& record) {
  std::string key = "case " + std::to_string(record.case_id);
  for (const std::string& text : {record.about, record.value, record.unit, record.source}) key += '\0' + text;
  return key + '\0' + std::to_string(record.date) + ' ' + format_real(record.reliability);
}

std::string key_of(const RuleRecord& record) {
  return "rule " + record.rule + '\0' + record.source + '\0' + std::to_string(record.cases) + ' ' + std::to_string(record.held) +
         ' ' + std::to_string(record.date) + ' ' + format_real(record.reliability);
}

using Origins = std::unordered_map<std::string, std::string>;

template <class Record>
void take_out(std::vector<Record>& records, const std::string& file, Origins& seen, std::vector<Duplicate>& duplicates) {
  std::erase_if(records, [&](const Record& record) {
    const std::string origin = file + ":" + std::to_string(record.line);
    const auto [first, is_new] = seen.try_emplace(key_of(record), origin);
    if (!is_new) duplicates.push_back({origin, first->second});
    return !is_new;
  });
}

}  // namespace

Import read_import(const std::filesystem::path& path, const ImportContext& context, Problems& problems) {
  std::optional<Importer> importer;
  try {
    importer.emplace(path, context, problems);
  } catch (const InputError& error) {
    problems.add(error);
    return {};
  }
  return importer->run();
}

std::vector<Duplicate> remove_duplicates(const Store& store, std::vector<Import>& imports) {
  Origins seen;
  for (std::size_t i = 0; i < store.cases.size(); ++i) seen.try_emplace(key_of(store.cases[i]), store.origin_of_case(i));
  for (std::size_t i = 0; i < store.rules.size(); ++i) seen.try_emplace(key_of(store.rules[i]), store.origin_of_rule(i));
  std::vector<Duplicate> duplicates;
  for (Import& import : imports) {
    take_out(import.cases, import.file, seen, duplicates);
    take_out(import.rules, import.file, seen, duplicates);
  }
  return duplicates;
}

}  // namespace hiple::evidence
