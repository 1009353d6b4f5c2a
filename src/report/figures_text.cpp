#include <fmt/format.h>

#include <algorithm>

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

std::string recalled(gate::Basis basis) {
  return basis == gate::Basis::counterfactual ? "cross-boundary: the flat decision given"
                                              : "cross-boundary: every engine consulted";
}

/// The worst first; those with too few cases are counted within "pooled".
std::string of_boundaries(const std::vector<gate::BoundaryGate>& boundaries) {
  if (boundaries.empty()) return {};
  constexpr std::size_t shown = 16;
  Rows rows = {{"boundary", "recalled", "of", "share", "at least", "verdict", "why"}};
  for (std::size_t i = 0; i < std::min(shown, boundaries.size()); ++i) {
    const gate::BoundaryGate& gate = boundaries[i];
    const Share& recall = gate.figures.recall;
    std::string why = gate.why;
    if (gate.waiver) why += (why.empty() ? "" : "; ") + fmt::format("waived by {}, {}", gate.waiver->by, gate.waiver->date);
    rows.push_back({gate.figures.name(), count_text(recall.count), count_text(recall.n), number_text(recall.ratio()),
                    number_text(recall.lower()), gate.is_pooled ? "" : gate::name_of(gate.verdict), why});
  }
  std::string text = text_table(rows, {5, 6});
  if (boundaries.size() > shown) text += fmt::format("... and {} more boundaries\n", boundaries.size() - shown);
  return text;
}

std::string of_levels(const std::vector<gate::LevelFigures>& levels) {
  if (levels.size() < 2) return {};
  Rows rows = {{"boundaries within", "level", "recalled", "of", "share", "at least"}};
  for (const gate::LevelFigures& level : levels)
    rows.push_back({level.panel, std::to_string(level.level), count_text(level.recall.count), count_text(level.recall.n),
                    number_text(level.recall.ratio()), number_text(level.recall.lower())});
  return text_table(rows);
}

std::string of_cases(const gate::Figures& figures) {
  Rows rows = {{"of cases", "count", "of", "share", "at least", "at most"}};
  rows.push_back(share_row("every answer right", figures.exact));
  rows.push_back(share_row("every question decided", figures.coverage));
  rows.push_back(share_row("wrong, of those decided", figures.selective_risk));
  rows.push_back(share_row("decided and wrong", figures.generalised_risk));
  if (figures.retention.n > 0 || figures.against_flat.worse.n > 0)
    rows.push_back(share_row("right where all engines are right", figures.retention));
  rows.push_back(share_row("cross-boundary: every finding found", figures.found));
  rows.push_back(share_row(recalled(figures.basis), figures.recall));
  if (figures.recall_links.n > 0) rows.push_back(share_row("  by home engines and links alone", figures.recall_links));
  rows.push_back({"  pairs of them", count_text(figures.pairs.count), count_text(figures.pairs.n),
                  number_text(figures.pairs.ratio()), number_text(figures.pairs_interval.lower),
                  number_text(figures.pairs_interval.upper)});
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

/// Cases whose truth is missing; where they are many, also what would become of the gates if they were all misses.
std::string of_unknown(const gate::Figures& figures, const gate::Judged& judged) {
  if (figures.unknown == 0) return {};
  std::string text = fmt::format("left out, for their truth is missing: {} of {} cases\n", count_text(figures.unknown),
                                 count_text(figures.rows));
  Rows rows = {{"at worst, with them", "count", "of", "share", "at least", "at most", "verdict"}};
  if (figures.unknown * 20 > figures.rows)
    rows.push_back(share_row("every answer right", {figures.exact.count, figures.exact.n + figures.unknown}));
  for (const gate::Gate& gate : judged.gates) {
    if (!gate.worst) continue;
    rows.push_back(share_row(gate.title, gate.worst->share));
    rows.back().push_back(gate::name_of(gate.worst->verdict));
  }
  return rows.size() > 1 ? text + text_table(rows, {6}) : text;
}

std::string of_gates(const std::vector<gate::Gate>& gates) {
  Rows rows = {{"gate", "counts", "value", "bound", "", "threshold", "verdict", "why"}};
  for (const gate::Gate& gate : gates)
    rows.push_back({gate.name, gate.counts, number_text(gate.value), number_text(gate.bound),
                    gate.at_most ? "<=" : ">=", number_text(gate.threshold), gate::name_of(gate.verdict), gate.why});
  return text_table(rows, {6, 7});
}

}  // namespace

std::string figures_text(const gate::Figures& figures, const gate::Judged& judged, bool has_home) {
  std::string text = of_cases(figures);
  text += "bounds are one-sided at 95 %, exact; of the mean, Hoeffding's; of pairs, by drawing cases again\n";
  if (figures.clusters > 0)
    text += fmt::format("bounds are of {} clusters: one miss makes its cluster a miss\n", count_text(figures.clusters));
  text += gate::meaning_of(figures.basis, has_home) + "\n";
  text += of_unknown(figures, judged);
  text += "\n" + of_questions(figures);
  if (const std::string boundaries = of_boundaries(judged.boundaries); !boundaries.empty()) text += "\n" + boundaries;
  if (const std::string levels = of_levels(figures.levels); !levels.empty()) text += "\n" + levels;
  if (!judged.gates.empty()) text += "\n" + of_gates(judged.gates);
  return text;
}

}  // namespace hiple::report
