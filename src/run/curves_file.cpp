#include "run/curves_file.hpp"

#include <cmath>

#include "base/file.hpp"
#include "base/text.hpp"
#include "gate/bounds.hpp"
#include "h5/h5.hpp"
#include "table/csv_writer.hpp"

namespace hiple {

namespace {

/// One curve: columns of one length, each numbers or texts.
struct Curve {
  std::string name;
  std::vector<std::pair<std::string, std::vector<double>>> numbers;
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;

  template <class Rows, class Value>
  void number(const std::string& column, const Rows& rows, Value value) {
    auto& values = numbers.emplace_back(column, std::vector<double>{}).second;
    for (const auto& row : rows) values.push_back(static_cast<double>(value(row)));
  }
  template <class Rows, class Value>
  void text(const std::string& column, const Rows& rows, Value value) {
    auto& values = texts.emplace_back(column, std::vector<std::string>{}).second;
    for (const auto& row : rows) values.push_back(value(row));
  }
};

template <class Rows, class Of>
void add_share(Curve& curve, const Rows& rows, Of of) {
  curve.number("count", rows, [&](const auto& row) { return of(row).count; });
  curve.number("n", rows, [&](const auto& row) { return of(row).n; });
  curve.number("share", rows, [&](const auto& row) { return of(row).ratio(); });
  curve.number("lower", rows, [&](const auto& row) { return of(row).lower(); });
  curve.number("upper", rows, [&](const auto& row) { return of(row).upper(); });
  curve.number("wilson_lower", rows,
               [&](const auto& row) { return gate::wilson(of(row).bound_count(), of(row).bound_n()).first; });
  curve.number("wilson_upper", rows,
               [&](const auto& row) { return gate::wilson(of(row).bound_count(), of(row).bound_n()).second; });
}

Curve cost_of(const gate::GateReport& report) {
  Curve curve{"cost", {}, {}};
  curve.text("name", report.cost, [](const auto& point) { return point.name; });
  curve.number("cost", report.cost, [](const auto& point) { return point.cost; });
  curve.number("recall", report.cost, [](const auto& point) { return point.recall; });
  curve.number("count", report.cost, [](const auto& point) { return point.counts.count; });
  curve.number("n", report.cost, [](const auto& point) { return point.counts.n; });
  return curve;
}

Curve risk_of(const gate::GateReport& report) {
  Curve curve{"risk", {}, {}};
  const auto& points = report.risk.points;
  curve.number("score", points, [](const auto& point) { return point.score; });
  curve.number("accepted", points, [](const auto& point) { return point.accepted; });
  curve.number("wrong", points, [](const auto& point) { return point.wrong; });
  curve.number("n", points, [&](const auto&) { return report.risk.n; });
  return curve;
}

Curve reliability_of(const gate::GateReport& report) {
  Curve curve{"reliability", {}, {}};
  std::vector<std::pair<std::string, gate::EngineFigures::Bin>> rows;
  for (const gate::EngineFigures& engine : report.engines)
    for (const gate::EngineFigures::Bin& bin : engine.bins) rows.emplace_back(engine.engine, bin);
  curve.text("engine", rows, [](const auto& row) { return row.first; });
  curve.number("count", rows, [](const auto& row) { return row.second.count; });
  curve.number("right", rows, [](const auto& row) { return row.second.right; });
  curve.number("confidence", rows, [](const auto& row) { return row.second.confidence; });
  return curve;
}

Curve boundaries_of(const gate::GateReport& report) {
  Curve curve{"boundaries", {}, {}};
  const auto& rows = report.judged.boundaries;
  curve.text("boundary", rows, [](const auto& row) { return row.figures.name(); });
  curve.text("panel", rows, [](const auto& row) { return row.figures.panel; });
  curve.text("verdict", rows, [](const auto& row) { return row.is_pooled ? std::string("pooled") : gate::name_of(row.verdict); });
  curve.text("waived_by", rows,
             [](const auto& row) { return row.waiver ? row.waiver->by + ", " + row.waiver->date : std::string(); });
  add_share(curve, rows, [](const auto& row) { return row.figures.recall; });
  return curve;
}

Curve levels_of(const gate::GateReport& report) {
  Curve curve{"levels", {}, {}};
  curve.text("panel", report.figures.levels, [](const auto& row) { return row.panel; });
  curve.number("level", report.figures.levels, [](const auto& row) { return row.level; });
  add_share(curve, report.figures.levels, [](const auto& row) { return row.recall; });
  return curve;
}

/// What is no number is an empty field.
void write_csv(const std::filesystem::path& path, const Curve& curve) {
  CsvWriter file(path);
  for (const auto& [name, values] : curve.texts) file.field(name);
  for (const auto& [name, values] : curve.numbers) file.field(name);
  file.end_record();
  const std::size_t rows = curve.texts.empty() ? curve.numbers.at(0).second.size() : curve.texts[0].second.size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (const auto& [name, values] : curve.texts) file.field(values[row]);
    for (const auto& [name, values] : curve.numbers) file.field(std::isnan(values[row]) ? "" : format_real(values[row]));
    file.end_record();
  }
  file.finish();
}

void write_h5(const std::filesystem::path& path, const std::vector<Curve>& curves, const gate::GateReport& report) {
  h5::Writer file(path, "hiple curves", 1);
  for (const Curve& curve : curves) {
    file.group("/" + curve.name);
    for (const auto& [name, values] : curve.texts) file.write(curve.name + "/" + name, values);
    for (const auto& [name, values] : curve.numbers) file.write(curve.name + "/" + name, values);
  }
  file.attribute("/", "run", report.provenance.name);
  file.attribute("/", "root", report.provenance.root);
  file.attribute("/", "basis", gate::name_of(report.figures.basis));
  file.attribute("/", "trusted", static_cast<std::uint8_t>(report.trusted() ? 1 : 0));
  file.attribute("/risk", "aurc", report.risk.aurc);
  file.attribute("/risk", "augrc", report.risk.augrc);
  file.attribute("/risk", "coverage", report.risk.coverage);
  file.group("/confusion");
  for (const gate::EngineFigures& engine : report.engines) {
    const std::string name = "/confusion/engines/" + engine.engine;
    file.write(name + "/counts", engine.confusion, engine.classes.size() + 1);
    file.write(name + "/classes", engine.classes);
    file.attribute(name, "ece", engine.ece);
    file.attribute(name, "brier", engine.brier);
  }
  for (const gate::QuestionFigures& question : report.figures.questions) {
    if (!question.has_truth) continue;
    const std::string name = "/confusion/questions/" + question.question;
    file.write(name + "/counts", question.confusion, question.findings.size() + 2);
    file.write(name + "/findings", question.findings);
  }
  file.finish();
}

}  // namespace

void write_curves(const std::filesystem::path& folder, const gate::GateReport& report) {
  const std::vector<Curve> curves = {cost_of(report), risk_of(report), reliability_of(report), boundaries_of(report),
                                     levels_of(report)};
  make_folder(folder);
  for (const Curve& curve : curves) write_csv(folder / (curve.name + ".csv"), curve);
  write_h5(folder / "curves.h5", curves, report);
}

}  // namespace hiple
