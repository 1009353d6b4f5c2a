#include "data/thyroid.hpp"

#include <array>
#include <map>
#include <string>

#include "data/thyroid_diagnosis.hpp"
#include "table/csv_reader.hpp"
#include "table/csv_writer.hpp"

namespace hiple::data {

namespace {

/// In the order of the published file.
constexpr std::array<std::string_view, 29> attributes = {"age",
                                                         "sex",
                                                         "on_thyroxine",
                                                         "query_on_thyroxine",
                                                         "on_antithyroid_medication",
                                                         "sick",
                                                         "pregnant",
                                                         "thyroid_surgery",
                                                         "I131_treatment",
                                                         "query_hypothyroid",
                                                         "query_hyperthyroid",
                                                         "lithium",
                                                         "goitre",
                                                         "tumor",
                                                         "hypopituitary",
                                                         "psych",
                                                         "TSH_measured",
                                                         "TSH",
                                                         "T3_measured",
                                                         "T3",
                                                         "TT4_measured",
                                                         "TT4",
                                                         "T4U_measured",
                                                         "T4U",
                                                         "FTI_measured",
                                                         "FTI",
                                                         "TBG_measured",
                                                         "TBG",
                                                         "referral_source"};

void write_header(CsvWriter& writer) {
  writer.field("case").field("year");
  for (const std::string_view name : attributes) writer.field(name);
  writer.field("diagnosis").field("hyper").field("hypo");
  for (const std::string_view question : thyroid_questions) writer.field(question).field(std::string(question) + "_also");
  writer.end_record();
}

void write_record(CsvWriter& writer, std::span<const std::string_view> fields, const ThyroidDiagnosis& diagnosis) {
  writer.field(std::to_string(diagnosis.record)).field(std::to_string(diagnosis.year));
  for (const std::string_view field : fields.first(attributes.size())) writer.field(field);
  writer.field(diagnosis.letters).field(diagnosis.hyper()).field(diagnosis.hypo());
  for (std::size_t question = 0; question < thyroid_questions.size(); ++question) {
    writer.field(diagnosis.truth[question]).field(diagnosis.also[question]);
  }
  writer.end_record();
}

/// Converts record after record and gathers what is wrong.
class Converter {
 public:
  Converter(const std::filesystem::path& published, const std::filesystem::path& path) : reader_(published), writer_(path) {}

  std::size_t convert() {
    constexpr std::size_t most_problems = 20;
    write_header(writer_);
    while (reader_.next() && problems_.list().size() < most_problems) {
      try {
        convert_record();
      } catch (const InputError& error) {
        problems_.add(error);
      }
    }
    problems_.throw_if_any();
    if (places_.empty()) throw InputError(reader_.place(), "the file is empty", "records are expected");
    writer_.finish();
    return places_.size();
  }

 private:
  void convert_record() {
    const auto fields = reader_.fields();
    if (fields.size() != attributes.size() + 1) {
      throw InputError(reader_.place(), "a record of " + std::to_string(fields.size()) + " fields",
                       std::to_string(attributes.size() + 1) + " are expected: 29 attributes and the diagnosis",
                       "look for the right file");
    }
    const ThyroidDiagnosis diagnosis = parse_thyroid_diagnosis(fields.back(), reader_.place());
    const auto [first, is_new] = places_.emplace(diagnosis.record, reader_.place());
    if (!is_new) {
      throw InputError(reader_.place(), "record " + std::to_string(diagnosis.record) + " stands twice",
                       "first at " + first->second.text());
    }
    write_record(writer_, fields, diagnosis);
  }

  CsvReader reader_;
  CsvWriter writer_;
  std::map<std::uint64_t, Place> places_;
  Problems problems_;
};

}  // namespace

std::size_t convert_thyroid(const std::filesystem::path& published, const std::filesystem::path& path) {
  return Converter(published, path).convert();
}

}  // namespace hiple::data
