#include "data/thyroid_diagnosis.hpp"

#include <algorithm>

#include "base/date.hpp"
#include "base/text.hpp"

namespace hiple::data {

namespace {

struct Letter {
  char letter;
  std::size_t question;  ///< index into thyroid_questions
  std::string_view finding;
};

constexpr std::array<Letter, 19> letters = {{{'A', 0, "hyperthyroid"},
                                             {'B', 0, "t3_toxic"},
                                             {'C', 0, "toxic_goitre"},
                                             {'D', 0, "secondary_toxic"},
                                             {'E', 0, "hypothyroid"},
                                             {'F', 0, "primary_hypothyroid"},
                                             {'G', 0, "compensated_hypothyroid"},
                                             {'H', 0, "secondary_hypothyroid"},
                                             {'I', 1, "increased"},
                                             {'J', 1, "decreased"},
                                             {'K', 2, "non_thyroidal"},
                                             {'L', 3, "consistent"},
                                             {'M', 3, "under"},
                                             {'N', 3, "over"},
                                             {'O', 4, "antithyroid_drugs"},
                                             {'P', 4, "i131"},
                                             {'Q', 4, "surgery"},
                                             {'R', 5, "discordant"},
                                             {'S', 5, "elevated_tbg"}}};
constexpr std::size_t hyper_letters = 4, state_letters = 8;  // the first ones of the list

bool is_one_of(std::string_view finding, std::size_t first, std::size_t last) {
  return std::any_of(letters.begin() + first, letters.begin() + last, [&](const Letter& l) { return l.finding == finding; });
}

/// Puts the findings of some letters into `answers`, of which `nothing` is the value so far.
void answer(std::string_view some, std::string_view nothing, std::array<std::string_view, 6>& answers, const Place& place) {
  for (const char letter : some) {
    const auto found = std::find_if(letters.begin(), letters.end(), [&](const Letter& l) { return l.letter == letter; });
    if (found == letters.end()) {
      throw InputError(
          place, "the diagnosis holds \"" + std::string(1, letter) + "\"",
          letter == 'T' ? "no published record has this letter, so no question answers it" : "it is no letter of the source",
          "look for the right file");
    }
    if (answers[found->question] != nothing) {
      throw InputError(place, "the diagnosis answers \"" + std::string(thyroid_questions[found->question]) + "\" twice",
                       "the answers of a question exclude one another");
    }
    answers[found->question] = found->finding;
  }
}

bool is_letters(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::string_view ThyroidDiagnosis::hyper() const { return is_one_of(truth[0], 0, hyper_letters) ? truth[0] : "none"; }
std::string_view ThyroidDiagnosis::hypo() const { return is_one_of(truth[0], hyper_letters, state_letters) ? truth[0] : "none"; }

ThyroidDiagnosis parse_thyroid_diagnosis(std::string_view text, const Place& place) {
  constexpr std::size_t number_digits = 9;
  const auto refuse = [&](const std::string& why) -> InputError {
    return {place, "the diagnosis is \"" + std::string(text) + "\"", why, "look for the right file"};
  };
  if (text.size() < number_digits + 3 || text[text.size() - number_digits - 2] != '[' || text.back() != ']') {
    throw refuse("letters or -, and nine digits in brackets are expected");
  }
  ThyroidDiagnosis diagnosis;
  diagnosis.letters = text.substr(0, text.size() - number_digits - 2);
  const std::string digits(text.substr(text.size() - number_digits - 1, number_digits));
  const auto number = parse_unsigned(digits);
  if (!number || !parse_date("19" + digits.substr(0, 2) + "-" + digits.substr(2, 2) + "-" + digits.substr(4, 2))) {
    throw refuse("the record's number begins with no date YYMMDD");
  }
  diagnosis.record = *number;
  diagnosis.year = 1900 + static_cast<int>(*number / 10000000);
  if (diagnosis.letters == "-") return diagnosis;
  const std::vector<std::string> sides = split(diagnosis.letters, '|');
  if (sides.size() > 2 || !std::all_of(sides.begin(), sides.end(), is_letters))
    throw refuse("its letters have another form than X, XY or X|Y");
  answer(sides.back(), "none", diagnosis.truth, place);
  if (sides.size() == 2) answer(sides.front(), "", diagnosis.also, place);
  return diagnosis;
}

}  // namespace hiple::data
