#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hiple::data {

/// The questions that a thyroid record's letters answer.
inline constexpr std::array<std::string_view, 6> thyroid_questions = {"state",       "binding",   "illness",
                                                                      "replacement", "treatment", "assay"};

/// A diagnosis, taken apart. Of "X|Y" ("consistent with X, more likely Y") the truth is Y; X is kept beside it, because it is
/// right together with Y and wrong alone. A question without a letter has the answer `none`, and nothing beside it.
struct ThyroidDiagnosis {
  std::string letters;       ///< as published, "-" for none
  std::uint64_t record = 0;  ///< nine digits: YYMMDD and a counter
  int year = 0;              ///< 19YY
  std::array<std::string_view, 6> truth = {"none", "none", "none", "none", "none", "none"};  ///< one a question
  std::array<std::string_view, 6> also = {};  ///< what X says, one a question; empty where it says nothing

  /// The truth of `state` as the target of one of the two engines that share it: `none` where it is the other's.
  [[nodiscard]] std::string_view hyper() const;
  [[nodiscard]] std::string_view hypo() const;
};

/// Reads "GK[850101001]". The letter T (elevated hormones) is refused, as no record of the published file has it and so no
/// question does. Throws InputError at `place`: another form, an unknown letter, two letters of one question, no such date.
ThyroidDiagnosis parse_thyroid_diagnosis(std::string_view text, const Place& place);

}  // namespace hiple::data
