#include <map>

#include "base/error.hpp"
#include "evidence/store.hpp"
#include "evidence/store_check.hpp"
#include "h5/h5.hpp"

namespace hiple::evidence {

namespace {

constexpr const char* format = "hiple evidence";
constexpr std::uint32_t version = 1;

template <class Value, class Record, class Field>
std::vector<Value> column(const std::vector<Record>& records, Field Record::*field) {
  std::vector<Value> values;
  values.reserve(records.size());
  for (const Record& record : records) values.push_back(record.*field);
  return values;
}

/// Texts that come again and again, such as names of sources: each once, and a number a record.
class Texts {
 public:
  template <class Record>
  void write(h5::Writer& file, const std::string& name, const std::vector<Record>& records, std::string Record::*field) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(records.size());
    for (const Record& record : records) numbers.push_back(number_of(record.*field));
    file.write(name, numbers);
  }
  void finish(h5::Writer& file) const { file.write("texts", texts_); }

 private:
  std::uint32_t number_of(const std::string& text) {
    const auto [found, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return found->second;
  }

  std::vector<std::string> texts_;
  std::map<std::string, std::uint32_t> numbers_;
};

/// A file that is read, and what is said about it when it is wrong.
class Source {
 public:
  explicit Source(const std::filesystem::path& path) : file_(path, format, version), texts_(file_.read_texts("texts")) {}

  template <h5::Element T>
  [[nodiscard]] std::vector<T> numbers(const std::string& name, std::size_t count) const {
    std::vector<T> values = file_.read<T>(name);
    if (values.size() != count) refuse(name, "has " + std::to_string(values.size()) + " rows, not " + std::to_string(count));
    return values;
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& name, std::size_t count) const {
    std::vector<std::string> values;
    values.reserve(count);
    for (const std::uint32_t number : numbers<std::uint32_t>(name, count)) {
      if (number >= texts_.size()) refuse(name, "names a text that is not there");
      values.push_back(texts_[number]);
    }
    return values;
  }
  [[nodiscard]] std::size_t rows(const std::string& name) const { return file_.shape(name).at(0); }

 private:
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
    throw InputError(Place{file_.path().string()}, name + " " + why, "the file is damaged", "take it from a copy");
  }

  h5::Reader file_;
  std::vector<std::string> texts_;
};

/// Puts a column's values into the field of each record.
template <class Record, class Field, class Value>
void fill(std::vector<Record>& records, Field Record::*field, std::vector<Value> values) {
  for (std::size_t i = 0; i < records.size(); ++i) records[i].*field = std::move(values[i]);
}

void write_entries(h5::Writer& file, Texts& texts, const std::vector<Entry>& entries) {
  texts.write(file, "entries/recorded", entries, &Entry::recorded);
  texts.write(file, "entries/file", entries, &Entry::file);
  texts.write(file, "entries/file_sha256", entries, &Entry::file_sha256);
  file.write("entries/cases", column<std::uint64_t>(entries, &Entry::cases));
  file.write("entries/rules", column<std::uint64_t>(entries, &Entry::rules));
  texts.write(file, "entries/hash", entries, &Entry::hash);
}

void write_cases(h5::Writer& file, Texts& texts, const std::vector<CaseRecord>& cases) {
  file.write("cases/case_id", column<std::uint64_t>(cases, &CaseRecord::case_id));
  texts.write(file, "cases/about", cases, &CaseRecord::about);
  texts.write(file, "cases/value", cases, &CaseRecord::value);
  texts.write(file, "cases/unit", cases, &CaseRecord::unit);
  texts.write(file, "cases/source", cases, &CaseRecord::source);
  file.write("cases/date", column<std::int32_t>(cases, &CaseRecord::date));
  file.write("cases/reliability", column<double>(cases, &CaseRecord::reliability));
  file.write("cases/line", column<std::uint64_t>(cases, &CaseRecord::line));
}

void write_rules(h5::Writer& file, Texts& texts, const std::vector<RuleRecord>& rules) {
  texts.write(file, "rules/rule", rules, &RuleRecord::rule);
  file.write("rules/cases", column<std::uint64_t>(rules, &RuleRecord::cases));
  file.write("rules/held", column<std::uint64_t>(rules, &RuleRecord::held));
  texts.write(file, "rules/source", rules, &RuleRecord::source);
  file.write("rules/date", column<std::int32_t>(rules, &RuleRecord::date));
  file.write("rules/reliability", column<double>(rules, &RuleRecord::reliability));
  file.write("rules/line", column<std::uint64_t>(rules, &RuleRecord::line));
}

std::vector<Entry> read_entries(const Source& source) {
  std::vector<Entry> entries(source.rows("entries/cases"));
  fill(entries, &Entry::recorded, source.texts("entries/recorded", entries.size()));
  fill(entries, &Entry::file, source.texts("entries/file", entries.size()));
  fill(entries, &Entry::file_sha256, source.texts("entries/file_sha256", entries.size()));
  fill(entries, &Entry::cases, source.numbers<std::uint64_t>("entries/cases", entries.size()));
  fill(entries, &Entry::rules, source.numbers<std::uint64_t>("entries/rules", entries.size()));
  fill(entries, &Entry::hash, source.texts("entries/hash", entries.size()));
  return entries;
}

std::vector<CaseRecord> read_cases(const Source& source) {
  std::vector<CaseRecord> cases(source.rows("cases/case_id"));
  fill(cases, &CaseRecord::case_id, source.numbers<std::uint64_t>("cases/case_id", cases.size()));
  fill(cases, &CaseRecord::about, source.texts("cases/about", cases.size()));
  fill(cases, &CaseRecord::value, source.texts("cases/value", cases.size()));
  fill(cases, &CaseRecord::unit, source.texts("cases/unit", cases.size()));
  fill(cases, &CaseRecord::source, source.texts("cases/source", cases.size()));
  fill(cases, &CaseRecord::date, source.numbers<std::int32_t>("cases/date", cases.size()));
  fill(cases, &CaseRecord::reliability, source.numbers<double>("cases/reliability", cases.size()));
  fill(cases, &CaseRecord::line, source.numbers<std::uint64_t>("cases/line", cases.size()));
  return cases;
}

std::vector<RuleRecord> read_rules(const Source& source) {
  std::vector<RuleRecord> rules(source.rows("rules/rule"));
  fill(rules, &RuleRecord::rule, source.texts("rules/rule", rules.size()));
  fill(rules, &RuleRecord::cases, source.numbers<std::uint64_t>("rules/cases", rules.size()));
  fill(rules, &RuleRecord::held, source.numbers<std::uint64_t>("rules/held", rules.size()));
  fill(rules, &RuleRecord::source, source.texts("rules/source", rules.size()));
  fill(rules, &RuleRecord::date, source.numbers<std::int32_t>("rules/date", rules.size()));
  fill(rules, &RuleRecord::reliability, source.numbers<double>("rules/reliability", rules.size()));
  fill(rules, &RuleRecord::line, source.numbers<std::uint64_t>("rules/line", rules.size()));
  return rules;
}

}  // namespace

void write_store(const std::filesystem::path& path, const Store& store) {
  check_hashes(path, store);
  h5::Writer file(path, format, version);
  Texts texts;
  write_entries(file, texts, store.entries);
  write_cases(file, texts, store.cases);
  write_rules(file, texts, store.rules);
  texts.finish(file);
  file.finish();
}

Store read_store(const std::filesystem::path& path) {
  const Source source(path);
  Store store{read_entries(source), read_cases(source), read_rules(source)};
  check_hashes(path, store);
  return store;
}

}  // namespace hiple::evidence
