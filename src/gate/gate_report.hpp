#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gate/curves.hpp"
#include "gate/engine_figures.hpp"
#include "gate/figures.hpp"
#include "gate/verdict.hpp"

namespace hiple::gate {

/// What a report is about: whose gates, measured on what.
struct Provenance {
  std::string run;        ///< sha256 that names one start of one run directory
  std::string name;       ///< of the run, as run.yaml says
  std::string started;    ///< UTC: when law and gates were settled
  std::string written;    ///< UTC
  std::string law;        ///< sha256 of its canonical text, with critical findings and what covers them
  std::string gates;      ///< sha256 of the canonical text of gates.yaml
  std::string partition;  ///< sha256 over the engines' identities
  std::string root;       ///< of the decisions
  std::string truth;      ///< sha256 of the file of truth, or empty where the table held it
  std::string closed_by;  ///< sha256 of the report that had closed the run, or empty
};

/// A revision of the law that was accepted after the run began.
struct AcceptedRevision {
  std::uint64_t number = 0;
  std::string law;      ///< sha256 of its canonical text
  std::string summary;  ///< what was accepted
};

/// Everything that `hiple gates` says.
struct GateReport {
  Provenance provenance;
  bool has_home = false;  ///< gates.yaml annotates the home engines
  bool settled = true;    ///< law and gates are those that were settled when the run began, or the law is a revision of that one
  std::vector<AcceptedRevision> revisions;  ///< that lead from the law that was settled to the one that is judged
  std::uint64_t seen = 0;                   ///< test cases about which there was evidence that these revisions were made from
  Figures figures;
  Judged judged;
  std::vector<EngineFigures> engines;
  std::vector<CostPoint> cost;
  RiskCurve risk;

  [[nodiscard]] bool trusted() const { return settled && seen == 0 && judged.passed(); }
};

/// Canonical: keys ascending, and the same for the same figures; `sha256` is that of the compact text without it.
std::string to_json(const GateReport& report);

/// What another run needs to know of a report.
struct StoredReport {
  Provenance provenance;
  bool trusted = false;
  std::vector<std::string> open;  ///< "cbr: NOT_EVALUABLE", of each gate that is not passed
  std::string sha256;
};

/// Throws InputError: no file, no report, or its sha256 does not fit its content.
StoredReport read_report(const std::filesystem::path& path);

}  // namespace hiple::gate
