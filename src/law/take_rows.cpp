#include "law/take_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace hiple::law {

Decisions take_rows(const Decisions& decisions, std::span<const std::uint32_t> rows) {
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) != rows.end() ||
      (!rows.empty() && rows.back() >= decisions.cases()))
    throw Error("rows of decisions must ascend and exist");
  Decisions taken;
  taken.questions = decisions.questions;
  taken.findings = decisions.findings;
  taken.rules = decisions.rules;
  taken.engines = decisions.engines;
  taken.law_text = decisions.law_text;
  taken.inputs_sha256 = decisions.inputs_sha256;
  taken.closed_by = decisions.closed_by;
  const std::size_t width = decisions.questions.size(), words = decisions.words();
  taken.case_id.reserve(rows.size());
  taken.decisions.reserve(rows.size() * width);
  taken.consulted.reserve(rows.size() * words);
  for (const std::size_t row : rows) {
    taken.case_id.push_back(decisions.case_id[row]);
    taken.rounds.push_back(decisions.rounds[row]);
    for (std::size_t q = 0; q < width; ++q) taken.decisions.push_back(decisions.at(row, q));
    for (std::size_t word = 0; word < words; ++word) taken.consulted.push_back(decisions.consulted[row * words + word]);
  }
  return taken;
}

}  // namespace hiple::law
