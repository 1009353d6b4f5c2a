#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "law/evaluate.hpp"

/// The words for the parts of one case's derivation. Everything is read from the evaluator that decides.
namespace hiple::law {

/// The case that is explained.
struct Subject {
  const Law::Model& law;
  const Table& table;
  const std::vector<EngineJudgments>& engines;
  const Inputs& inputs;
  std::size_t row;
  CaseResult result;
  bool given = false;  ///< somebody wrote the case down: what it gives is consulted at once

  [[nodiscard]] CaseView view() const { return {inputs, row, law, result, false}; }
  /// Why an engine is not available; empty where the caller did not say.
  [[nodiscard]] std::string absence(std::string_view engine) const;
};

/// "7.2 mU/L", "F", "true", "2026-11-30", "missing", "invalid".
std::string column_value(const Subject& subject, std::size_t column);

/// The value of a column, an engine's attribute, a panel's finding or an expression; what it lacks where it has none.
std::string value_text(const Subject& subject, const condition::Node& node);

/// "TSH is missing", "nti was not consulted" ...
std::string cause_text(const Subject& subject, const condition::Cause& cause);

/// All causes, in words, joined by ", ".
std::string causes_text(const Subject& subject, const condition::CauseSet& causes);

/// A `because` with its values filled in.
std::string fill(const Subject& subject, const std::vector<TemplatePart>& parts);

/// The shortest text that reads back as the same float.
std::string format_float(float value);

}  // namespace hiple::law
