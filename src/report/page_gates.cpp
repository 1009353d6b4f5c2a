#include "report/chart.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Kind = Column::Kind;

Html gates_table(Ids& ids, const gate::GateReport& report) {
  std::vector<std::vector<Cell>> rows;
  for (const gate::Gate& gate : report.judged.gates) {
    Html why = Html::text(gate.why);
    if (gate.worst)
      why += html("{}were every unknown truth a miss: {}/{}, {}", gate.why.empty() ? "" : "; ", gate.worst->share.count,
                  gate.worst->share.n, gate::name_of(gate.worst->verdict));
    rows.push_back({{html("{} <small><code>{}</code></small>", gate.title, gate.name)},
                    {badge_html(gate::name_of(gate.verdict))},
                    {Html::text(gate.counts)},
                    number_cell(gate.value),
                    number_cell(gate.bound),
                    {html("{} {}", gate.at_most ? "≤" : "≥", number_text(gate.threshold)), number_text(gate.threshold)},
                    {bound_bar(gate.value, gate.bound, gate.threshold)},
                    {why}});
  }
  return table_html(
      ids,
      html("Every gate must pass. What is held against the threshold is not the value but its one-sided bound at 95 "
           "%: too few cases prove nothing, and what is not proved is not passed. In the bars, from 0 to 1: a "
           "thick stroke the value, a band to its bound, a dashed stroke the threshold"),
      {{"gate"},
       {"verdict"},
       {"counts", Kind::number},
       {"value", Kind::number},
       {"bound", Kind::number},
       {"threshold", Kind::number},
       {"0 to 1", Kind::picture},
       {"why", Kind::prose}},
      rows);
}

Cell share_cell(const gate::Share& share) {
  return {html("{}/{}", count_text(share.count), count_text(share.n)), number_text(share.ratio(), 9)};
}

Html questions_table(Ids& ids, const gate::Figures& figures) {
  std::vector<std::vector<Cell>> rows;
  for (const gate::QuestionFigures& question : figures.questions) {
    if (!question.has_truth) continue;
    rows.push_back({{name_html(question.question)},
                    count_cell(question.right),
                    count_cell(question.wrong),
                    count_cell(question.abstained),
                    count_cell(question.escalated),
                    count_cell(question.unknown),
                    share_cell(question.silent),
                    share_cell(question.strict),
                    share_cell(question.over_triage)});
  }
  if (rows.empty()) return missing_html("figures by question", "gates.yaml says of no question where its truth stands.");
  return table_html(ids,
                    html("On {} test cases, by question. Silent: a critical finding was there, and another was decided; strict: "
                         "so, or nobody was called; over-triage: nothing critical was there, and somebody was",
                         count_text(figures.rows)),
                    {{"question"},
                     {"right", Kind::number},
                     {"wrong", Kind::number},
                     {"abstained", Kind::number},
                     {"escalated", Kind::number},
                     {"truth unknown", Kind::number},
                     {"silent", Kind::number},
                     {"strict", Kind::number},
                     {"over-triage", Kind::number}},
                    rows);
}

Html risk_chart(Ids& ids, const gate::RiskCurve& risk) {
  Series series{"wrong, of those accepted", Look::solid, {}};
  std::vector<double> risks = {0};
  for (const gate::RiskPoint& point : risk.points) {
    const double share = static_cast<double>(point.wrong) / static_cast<double>(std::max<std::uint64_t>(point.accepted, 1));
    series.points.emplace_back(static_cast<double>(point.accepted) / static_cast<double>(std::max<std::uint64_t>(risk.n, 1)),
                               share);
    risks.push_back(share);
  }
  // A line of many thousand points is no better than one of a few hundred.
  constexpr std::size_t most = 400;
  if (series.points.size() > most) {
    std::vector<std::pair<double, double>> fewer;
    for (std::size_t i = 0; i < most; ++i) fewer.push_back(series.points[i * (series.points.size() - 1) / (most - 1)]);
    series.points = std::move(fewer);
  }
  Axis y = axis_of("share that is wrong", risks, false);
  y.low = 0;
  return chart_html(ids,
                    {"Risk over coverage",
                     fmt::format("Cases are accepted from the surest on. At the law's coverage of {} the line ends. Area under "
                                 "it {}, under wrong of all cases {}.",
                                 number_text(risk.coverage), number_text(risk.aurc, 5), number_text(risk.augrc, 5)),
                     {"share of cases accepted", 0, 1},
                     y,
                     {series}});
}

Html cost_chart(Ids& ids, const std::vector<gate::CostPoint>& cost) {
  Series chosen{"this law, asking more and more engines", Look::points, {}, {}, {}},
      chance{"asking at random", Look::faint, {}, {}, {}};
  for (const gate::CostPoint& point : cost) {
    Series& series = point.name == "chance" ? chance : chosen;
    series.points.emplace_back(point.cost, point.recall);
    if (&series == &chosen) chosen.labels.push_back(point.name);
  }
  Chart chart{"Recall across boundaries over its cost",
              "Each point is one way to choose engines: its cost is the mean share of the engines asked, its recall the share of "
              "cross-boundary cases in which all that was needed was asked.",
              {"share of the engines asked", 0, 1.02},
              {"recall across boundaries", 0, 1.05},
              {chosen}};
  if (!chance.points.empty()) chart.series.push_back(chance);
  return chart_html(ids, chart);
}

Html cost_table(Ids& ids, const std::vector<gate::CostPoint>& cost) {
  std::vector<std::vector<Cell>> rows;
  for (const gate::CostPoint& point : cost) {
    if (point.name == "chance") continue;
    rows.push_back({{Html::text(point.name)}, number_cell(point.cost), number_cell(point.recall), share_cell(point.counts)});
  }
  return table_html(ids, html("The same in numbers"),
                    {{"engines asked"}, {"cost", Kind::number}, {"recall", Kind::number}, {"counts", Kind::number}}, rows);
}

Html boundaries_table(Ids& ids, const gate::Judged& judged) {
  std::vector<std::vector<Cell>> rows;
  for (const gate::BoundaryGate& gate : judged.boundaries) {
    Html why = Html::text(gate.why);
    if (gate.waiver)
      why +=
          html("{}waived by {}, {}: {}", gate.why.empty() ? "" : "; ", gate.waiver->by, gate.waiver->date, gate.waiver->because);
    const gate::Share& recall = gate.figures.recall;
    rows.push_back({{name_html(gate.figures.name())},
                    {gate.is_pooled ? html("in “pooled”") : badge_html(gate::name_of(gate.verdict))},
                    share_cell(recall),
                    number_cell(recall.ratio()),
                    number_cell(recall.lower()),
                    {bound_bar(recall.ratio(), recall.lower(), not_available)},
                    {why}});
  }
  return table_html(ids,
                    html("Every boundary that cases cross, the worst first: how often all that was needed beyond it was asked"),
                    {{"boundary"},
                     {"verdict"},
                     {"recalled", Kind::number},
                     {"share", Kind::number},
                     {"at least", Kind::number},
                     {"0 to 1", Kind::picture},
                     {"why", Kind::prose}},
                    rows);
}

}  // namespace

Html gates_html(Ids& ids, const Picture& picture) {
  if (!picture.gates.content) return missing_html("gates", picture.gates.missing);
  const gate::GateReport& report = *picture.gates.content;
  Html text = gates_table(ids, report) + questions_table(ids, report.figures);
  const Html risk = risk_chart(ids, report.risk);
  text += risk.empty() ? missing_html("the curve of risk over coverage", "No test case with a known truth was decided.")
                       : html("<div class=\"charts\">{}</div>\n", risk);
  if (!picture.closed.empty()) {
    text += html("<p>The earlier report that closed this partition says:</p>\n<ul>\n");
    for (const std::string& reason : picture.closed) text += html("<li>{}</li>\n", reason);
    text += html("</ul>\n");
  }
  return text;
}

Html boundaries_html(Ids& ids, const Picture& picture) {
  if (!picture.gates.content) return missing_html("boundaries", picture.gates.missing);
  const gate::GateReport& report = *picture.gates.content;
  const gate::Figures& figures = report.figures;
  if (figures.recall.n == 0)
    return missing_html("boundaries", "No test case with a known truth crosses one: there is nothing to recall.");
  Html text = html(
      "<p>{} of {} test cases cross a boundary. In {} of them all that was needed was asked; by home engines and links alone in "
      "{}.</p>\n<p><small>{}.</small></p>\n",
      count_text(figures.recall.n), count_text(figures.rows), count_text(figures.recall.count),
      count_text(figures.recall_links.count), gate::meaning_of(figures.basis, report.has_home));
  text += html("<div class=\"charts\">{}</div>\n", cost_chart(ids, report.cost));
  return text + boundaries_table(ids, report.judged) + cost_table(ids, report.cost);
}

}  // namespace hiple::report
