#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/yaml.hpp"
#include "law/law.hpp"

namespace hiple::law {

/// One case that somebody wrote down: for a rule's tests, for the witness of a check, for `hiple explain --case-file`.
///
///     {TSH: 7.1, pregnant: true, seen: 2026-01-31, hypo: {none: 0.1, F: 0.9}, nti: abstained}
///
/// A key is an input column, an engine, or evidence that the law reads (`evidence.TSH: 7.4`). A column that is left out, or is
/// `missing` or null, is missing; a boolean that is left out is false, unless it is evidence. `invalid` is a value that the table
/// reader would refuse, and of evidence `contradictory` one that its sources do not agree on. An engine that is left out is not
/// available; `abstained` and `invalid` are words too. An engine that judged has its probabilities by class (left out: 0; the
/// label is the largest, the first of equals), or is written in full:
///
///     hypo: {label: F, confidence: 0.9, typicality: 0.4, probability: {none: 0.1, F: 0.9}}
///     load: {value: 7.5, typicality: 0.4}            # an engine that predicts a number
///     nti: {status: abstained, typicality: 0.001}
struct GivenCase {
  Table table;                                        ///< one case, number 1, every input column
  std::vector<std::unique_ptr<Judgments>> judgments;  ///< one an engine of the law; null: not available

  [[nodiscard]] std::vector<EngineJudgments> engines(const Law::Model& law) const;
};

/// Every problem is reported at its place, and then there is no case: names that are not known, with the nearest; values of
/// another type or outside the schema's range; probabilities that do not add up to 1 within 0.001.
std::optional<GivenCase> read_given_case(const Law::Model& law, const yaml::Node& node, Problems& problems);

/// A case without anything known: every column missing, booleans too, no engine available.
GivenCase empty_case(const Law::Model& law);

/// Makes the only cell of a column known.
void set_cell(Column& column, double value);

/// The columns and engines that the law reads as one line of YAML that reads back as the same case; what is missing is written
/// out as null.
std::string to_yaml(const Law::Model& law, const GivenCase& given);
/// The same without what is left out anyway: missing columns, booleans that are false, engines that are not available.
std::string to_short_yaml(const Law::Model& law, const GivenCase& given);

}  // namespace hiple::law
