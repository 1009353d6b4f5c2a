#include <fmt/format.h>

#include "report/summary.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using gate::Share;
using Rows = std::vector<std::vector<std::string>>;

/// A ratio never stands without its counts and bounds.
std::vector<std::string> share_row(const std::string& name, const Share& share) {
  return {name,
          count_text(share.count),
          count_text(share.n),
          number_text(share.ratio()),
          number_text(share.lower()),
          number_text(share.upper())};
}

std::string of_cases(const gate::Figures& figures) {
  Rows rows = {{"of cases", "count", "of", "share", "at least", "at most"}};
  rows.push_back(share_row("every answer right", figures.exact));
  rows.push_back(share_row("every question decided", figures.coverage));
  rows.push_back(share_row("cross-boundary: every finding found", figures.found));
  rows.push_back(share_row("cross-boundary: every engine consulted", figures.recall));
  rows.push_back(share_row("critical missed in silence", figures.silent));
  rows.push_back(share_row("critical missed, silent or dropped", figures.strict));
  rows.push_back(share_row("  the same, cross-boundary: silent", figures.silent_cross));
  rows.push_back(share_row("  the same, cross-boundary: either", figures.strict_cross));
  rows.push_back({"engines consulted, mean share", "", count_text(figures.cost.n), number_text(figures.cost.value()),
                  number_text(figures.cost.lower()), number_text(figures.cost.upper())});
  return text_table(rows);
}

std::string fraction(const Share& share) { return fmt::format("{}/{}", share.count, share.n); }

std::string of_questions(const gate::Figures& figures) {
  Rows rows = {{"question", "right", "wrong", "abstained", "escalated", "unknown", "silent", "strict", "over-triage"}};
  for (const gate::QuestionFigures& q : figures.questions) {
    if (!q.has_truth) {
      rows.push_back({q.question, "no truth"});
      continue;
    }
    rows.push_back({q.question, count_text(q.right), count_text(q.wrong), count_text(q.abstained), count_text(q.escalated),
                    count_text(q.unknown), fraction(q.silent), fraction(q.strict), fraction(q.over_triage)});
  }
  return text_table(rows);
}

/// Cases whose truth is missing; where they are many, also what would become of the figures if they were all misses.
std::string of_unknown(const gate::Figures& figures) {
  if (figures.unknown == 0) return {};
  std::string text = fmt::format("left out, for their truth is missing: {} of {} cases\n", count_text(figures.unknown),
                                 count_text(figures.rows));
  if (figures.unknown * 20 <= figures.rows) return text;
  const auto all_wrong = [&](const Share& share, std::uint64_t count) { return Share{count, share.n + figures.unknown}; };
  Rows rows = {{"at worst, with them", "count", "of", "share", "at least", "at most"}};
  rows.push_back(share_row("every answer right", all_wrong(figures.exact, figures.exact.count)));
  rows.push_back(share_row("critical missed in silence", all_wrong(figures.silent, figures.silent.count + figures.unknown)));
  return text + text_table(rows);
}

std::string of_gates(const std::vector<gate::Gate>& gates) {
  Rows rows = {{"gate", "counts", "value", "bound", "", "threshold", "verdict", "why"}};
  for (const gate::Gate& gate : gates)
    rows.push_back({gate.name, gate.counts, number_text(gate.value), number_text(gate.bound),
                    gate.at_most ? "<=" : ">=", number_text(gate.threshold), gate::name_of(gate.verdict), gate.why});
  return text_table(rows, {6, 7});
}

}  // namespace

std::string figures_text(const gate::Figures& figures, const std::vector<gate::Gate>& gates) {
  std::string text = of_cases(figures);
  text += "bounds are one-sided at 95 %, exact; of the mean, Hoeffding's\n";
  text += of_unknown(figures);
  text += "\n" + of_questions(figures);
  if (!gates.empty()) text += "\n" + of_gates(gates);
  return text;
}

}  // namespace hiple::report
