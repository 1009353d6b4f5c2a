#include "gate/gate_report.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"

namespace hiple::gate {

namespace {

using Json = nlohmann::json;  // keys ascend; NaN becomes null

Json to_json(const Share& share) {
  Json json = {
      {"count", share.count}, {"n", share.n}, {"share", share.ratio()}, {"lower", share.lower()}, {"upper", share.upper()}};
  if (share.clusters > 0) json["clusters"] = {{"count", share.cluster_count}, {"n", share.clusters}};
  return json;
}

Json to_json(const Mean& mean) {
  return {{"n", mean.n}, {"mean", mean.value()}, {"lower", mean.lower()}, {"upper", mean.upper()}};
}

/// Rows of a flat array.
Json rows_of(const std::vector<std::uint64_t>& values, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t i = 0; columns > 0 && i < values.size(); i += columns)
    rows.push_back(std::vector<std::uint64_t>(values.begin() + static_cast<std::ptrdiff_t>(i),
                                              values.begin() + static_cast<std::ptrdiff_t>(i + columns)));
  return rows;
}

Json to_json(const QuestionFigures& question) {
  Json json = {{"question", question.question}, {"coverage", to_json(question.decided)}, {"has_truth", question.has_truth}};
  if (!question.has_truth) return json;
  json["unknown"] = question.unknown;
  json["right"] = question.right;
  json["wrong"] = question.wrong;
  json["abstained"] = question.abstained;
  json["escalated"] = question.escalated;
  json["silent"] = to_json(question.silent);
  json["strict"] = to_json(question.strict);
  json["over_triage"] = to_json(question.over_triage);
  json["selective_risk"] = to_json(question.selective_risk());
  json["findings"] = question.findings;
  json["confusion"] = rows_of(question.confusion, question.findings.size() + 2);
  return json;
}

Json to_json(const BoundaryGate& gate) {
  Json json = {{"boundary", gate.figures.name()}, {"recall", to_json(gate.figures.recall)}, {"panel", gate.figures.panel}};
  if (!gate.is_pooled) json["verdict"] = name_of(gate.verdict);
  if (!gate.why.empty()) json["why"] = gate.why;
  if (gate.waiver) json["waived"] = {{"by", gate.waiver->by}, {"date", gate.waiver->date}, {"because", gate.waiver->because}};
  return json;
}

Json to_json(const Gate& gate) {
  Json json = {
      {"gate", gate.name},   {"counts", gate.counts},       {"at_most", gate.at_most}, {"value", gate.value},
      {"bound", gate.bound}, {"threshold", gate.threshold}, {"why", gate.why},         {"verdict", name_of(gate.verdict)}};
  if (gate.worst)
    json["worst_case"] = {
        {"share", to_json(gate.worst->share)}, {"bound", gate.worst->bound}, {"verdict", name_of(gate.worst->verdict)}};
  return json;
}

Json figures_json(const GateReport& report) {
  const Figures& f = report.figures;
  Json json = {{"rows", f.rows},
               {"unknown", f.unknown},
               {"clusters", f.clusters},
               {"exact", to_json(f.exact)},
               {"coverage", to_json(f.coverage)},
               {"selective_risk", to_json(f.selective_risk)},
               {"generalised_risk", to_json(f.generalised_risk)},
               {"silent", to_json(f.silent)},
               {"strict", to_json(f.strict)},
               {"silent_cross", to_json(f.silent_cross)},
               {"strict_cross", to_json(f.strict_cross)},
               {"found", to_json(f.found)},
               {"retention", to_json(f.retention)},
               {"cost", to_json(f.cost)}};
  json["against_flat"] = {{"worse", to_json(f.against_flat.worse)},
                          {"better", to_json(f.against_flat.better)},
                          {"difference", f.against_flat.value()},
                          {"lower", f.against_flat.lower()},
                          {"upper", f.against_flat.upper()}};
  Json& cross = json["cross_boundary"];
  cross = {{"basis", name_of(f.basis)}, {"meaning", meaning_of(f.basis, report.has_home)}, {"recall", to_json(f.recall)}};
  cross["recall_by_links"] = to_json(f.recall_links);
  cross["pairs"] = {{"count", f.pairs.count},          {"n", f.pairs.n},
                    {"share", f.pairs.ratio()},        {"lower", f.pairs_interval.lower},
                    {"upper", f.pairs_interval.upper}, {"resamples", f.pairs_interval.resamples}};
  cross["levels"] = Json::array();
  for (const LevelFigures& level : f.levels)
    cross["levels"].push_back({{"panel", level.panel}, {"level", level.level}, {"recall", to_json(level.recall)}});
  json["questions"] = Json::array();
  for (const QuestionFigures& question : f.questions) json["questions"].push_back(to_json(question));
  return json;
}

Json to_json(const EngineFigures& engine) {
  Json json = {{"engine", engine.engine}, {"domain", engine.domain},   {"classes", engine.classes},
               {"rows", engine.rows},     {"unknown", engine.unknown}, {"judged", engine.judged},
               {"right", engine.right},   {"ece", engine.ece},         {"brier", engine.brier}};
  json["confusion"] = rows_of(engine.confusion, engine.classes.size() + 1);
  json["reliability"] = Json::array();
  for (const EngineFigures::Bin& bin : engine.bins)
    json["reliability"].push_back({{"count", bin.count}, {"right", bin.right}, {"confidence", bin.confidence}});
  return json;
}

Json to_json(const Provenance& p) {
  return {{"run", p.run},     {"name", p.name},          {"started", p.started},     {"written", p.written},
          {"law", p.law},     {"gates", p.gates},        {"partition", p.partition}, {"root", p.root},
          {"truth", p.truth}, {"closed_by", p.closed_by}};
}

std::string hash_of(Json json) {
  json.erase("sha256");
  return sha256(json.dump());
}

}  // namespace

std::string to_json(const GateReport& report) {
  Json json = {{"hiple gates", 1}, {"trusted", report.trusted()}, {"settled", report.settled}};
  json["of"] = to_json(report.provenance);
  json["revisions"] = Json::array();
  for (const AcceptedRevision& revision : report.revisions)
    json["revisions"].push_back({{"revision", revision.number}, {"law", revision.law}, {"summary", revision.summary}});
  json["seen"] = report.seen;
  json["figures"] = figures_json(report);
  json["gates"] = Json::array();
  for (const Gate& gate : report.judged.gates) json["gates"].push_back(to_json(gate));
  json["boundaries"] = Json::array();
  for (const BoundaryGate& gate : report.judged.boundaries) json["boundaries"].push_back(to_json(gate));
  json["engines"] = Json::array();
  for (const EngineFigures& engine : report.engines) json["engines"].push_back(to_json(engine));
  json["cost_curve"] = Json::array();
  for (const CostPoint& point : report.cost)
    json["cost_curve"].push_back({{"name", point.name},
                                  {"cost", point.cost},
                                  {"recall", point.recall},
                                  {"count", point.counts.count},
                                  {"n", point.counts.n}});
  json["risk"] = {
      {"aurc", report.risk.aurc}, {"augrc", report.risk.augrc}, {"coverage", report.risk.coverage}, {"n", report.risk.n}};
  json["sha256"] = hash_of(json);
  return json.dump(1) + "\n";
}

StoredReport read_report(const std::filesystem::path& path) {
  const Place place{path.string()};
  StoredReport report;
  try {
    const Json json = Json::parse(read_file(path));
    if (json.at("hiple gates") != 1)
      throw InputError(place, "is a report of another version", {}, "make it again with `hiple gates --out`");
    report.sha256 = json.at("sha256");
    if (hash_of(json) != report.sha256)
      throw InputError(place, "was changed after it was written", "its sha256 does not fit its content",
                       "make it again with `hiple gates --out`");
    const Json& of = json.at("of");
    Provenance& p = report.provenance;
    for (const auto& [key, value] : {std::pair{"run", &p.run},
                                     {"name", &p.name},
                                     {"started", &p.started},
                                     {"written", &p.written},
                                     {"law", &p.law},
                                     {"gates", &p.gates},
                                     {"partition", &p.partition},
                                     {"root", &p.root},
                                     {"truth", &p.truth},
                                     {"closed_by", &p.closed_by}})
      *value = of.at(key);
    report.trusted = json.at("trusted");
    for (const Json& gate : json.at("gates")) {
      const std::string verdict = gate.at("verdict");
      if (verdict != name_of(Verdict::pass)) report.open.push_back(std::string(gate.at("gate")) + ": " + verdict);
    }
    if (const std::uint64_t seen = json.value("seen", std::uint64_t{0}); seen > 0)
      report.open.push_back("the law was revised by evidence about " + std::to_string(seen) + " test cases");
    if (!json.at("settled").get<bool>()) report.open.emplace_back("law or gates were changed after the run had begun");
  } catch (const Json::exception& error) {
    throw InputError(place, "is no report of gates", error.what(), "make one with `hiple gates DIR --out FILE`");
  }
  return report;
}

}  // namespace hiple::gate
