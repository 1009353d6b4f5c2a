#include "report/gates_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/summary.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string of_engines(const std::vector<gate::EngineFigures>& engines) {
  Rows rows = {{"engine", "domain", "own test rows", "judged", "right", "calibration error", "Brier"}};
  for (const gate::EngineFigures& engine : engines)
    rows.push_back({engine.engine, engine.domain, count_text(engine.rows), count_text(engine.judged), count_text(engine.right),
                    number_text(engine.ece), number_text(engine.brier)});
  return text_table(rows, {1});
}

std::string of_cost(const std::vector<gate::CostPoint>& points) {
  Rows rows = {{"engines asked", "cost", "recalled", "of", "recall"}};
  for (const gate::CostPoint& point : points)
    if (point.name != "chance")
      rows.push_back({point.name, number_text(point.cost), count_text(point.counts.count), count_text(point.counts.n),
                      number_text(point.recall)});
  return text_table(rows);
}

std::string verdict(const gate::GateReport& report) {
  // A gate judges one text of the law, which need not be the one that was settled.
  const std::string which =
      report.revisions.empty() ? "" : fmt::format(" by revision {} of the law", report.revisions.back().number);
  if (report.trusted()) return "TRUSTED: every gate is passed" + which + "\n";
  std::string open;
  for (const gate::Gate& gate : report.judged.gates)
    if (gate.verdict != gate::Verdict::pass) open += (open.empty() ? "" : ", ") + gate.name;
  if (!report.settled) open += std::string(open.empty() ? "" : ", ") + "law or gates were changed after the run began";
  if (report.seen > 0)
    open += fmt::format("{}the law was revised by evidence about {} test cases", open.empty() ? "" : ", ", report.seen);
  return "NOT TRUSTED" + which + ": " + open + "\n";
}

}  // namespace

std::string gates_text(const gate::GateReport& report) {
  const gate::Provenance& of = report.provenance;
  std::string text = fmt::format("Gates of the run {}, begun {}\n", of.name, of.started.empty() ? "n/a" : of.started);
  if (!of.closed_by.empty()) text += "It was closed by the report " + of.closed_by + ": every engine was asked.\n";
  for (const gate::AcceptedRevision& revision : report.revisions)
    text += fmt::format("The law is revision {}, accepted since: {}\n", revision.number, revision.summary);
  text += "\n" + figures_text(report.figures, report.judged, report.has_home);
  text += "\n" + of_cost(report.cost);
  text += fmt::format("\nby the least confidence of the engines asked: AURC {}, AUGRC {}, up to a coverage of {}\n",
                      number_text(report.risk.aurc, 4), number_text(report.risk.augrc, 4), number_text(report.risk.coverage));
  text += "\n" + of_engines(report.engines);
  return text + "\n" + text_table({{"root", of.root}, {"law", of.law}, {"gates", of.gates}}, {1}) + "\n" + verdict(report);
}

}  // namespace hiple::report
