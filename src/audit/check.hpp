#pragma once

#include <map>
#include <string>
#include <vector>

#include "law/given_case.hpp"
#include "law/model.hpp"

/// What can be shown of a law before it has decided anything.
namespace hiple::audit {

enum class Severity { error, warning, note };
const char* name_of(Severity severity);

struct Finding {
  Severity severity = Severity::warning;
  std::string check;             ///< "unsatisfiable", "overlap" ...
  std::vector<std::string> ids;  ///< of the rules, laws or links it is about
  Place place;
  std::string text;     ///< a sentence
  std::string witness;  ///< a case that shows it, as law/given_case.hpp reads it; empty where none can
};

/// Something that was not found out, and why.
struct NotAnalysed {
  std::string check;
  std::vector<std::string> ids;
  std::string why;
};

struct LawCheck {
  std::vector<Finding> findings;             ///< errors first, then by check and id; at most `most_listed` of one check
  std::map<std::string, std::size_t> found;  ///< of each check: how many in all
  std::vector<NotAnalysed> not_analysed;     ///< the same
  std::map<std::string, std::size_t> given_up;

  [[nodiscard]] std::size_t count(Severity severity) const;
};

struct CheckOptions {
  std::vector<std::string> domains;  ///< of each engine in the order of Model::engines; empty: each has one of its own
  /// Of columns of a table: the smallest and the largest value in it. Thresholds outside are told.
  std::map<std::string, std::pair<double, double>> data;
  std::size_t most_listed = 20;
};

/// Every check of the law, each with a case that shows it where one can. Interval reasoning first, Z3 for arithmetic. What an
/// engine says is taken to add up to 1, with its label the largest; a value outside its column's range is unknown. Aggregates,
/// agree() and findings of panels are taken for anything: what that leaves open is `not analysed`.
LawCheck check_law(const law::Law& law, const CheckOptions& options = {});

}  // namespace hiple::audit
