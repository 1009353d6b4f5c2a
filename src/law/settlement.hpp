#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hiple::law {

/// A set of things that are not known and that would settle a question.
struct Settling {
  std::vector<std::string> what;  ///< columns and engines
  std::string values;             ///< of them, as a case's YAML: "{FTI: 40, hypo: {none: 0.1, F: 0.9}}"
  std::string finding;            ///< that these values decide: "hypo"
  bool always = false;            ///< every value that was tried decides, whatever it decides
};

/// For a question that is not decided for want of knowledge: the smallest sets of missing values and silent engines for which
/// some values lead to a decision.
struct Settlement {
  std::string question;
  std::vector<Settling> sets;
  bool given_up = false;  ///< no set was found, and not all were tried
  std::size_t tried = 0;
};

}  // namespace hiple::law
