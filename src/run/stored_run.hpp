#pragma once

#include "run/collect.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// The decisions of a run and the very files that they were made from.
struct StoredRun {
  law::Decisions decisions;
  Table table;  ///< the columns and the evidence that the law reads, and `also`
  std::vector<Arrival> arrivals;
  [[nodiscard]] std::vector<law::EngineJudgments> engines() const;
};

/// Reads them and checks that judgments and inputs are those of the decisions; of evidence that has been added since, nothing is
/// seen. Throws InputError: there are no decisions, or one of the files is another now.
StoredRun read_stored_run(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::string>& also = {});

/// Throws InputError where the law of run.yaml is not the one that the decisions were made with.
void check_stored_law(const PreparedRun& run, const law::Decisions& decisions);

/// The law that the decisions were made with, from the text that stands beside them; closed, and heeding evidence, where they
/// were made so.
law::Law stored_law(const PreparedRun& run, const RunDirectory& directory, const law::Decisions& decisions);

/// The evidence that a law heeds, as it was when its head was that of the law; null where it heeds none. Throws InputError:
/// run.yaml names no evidence, or another one.
std::unique_ptr<StudyEvidence> heeded_evidence(const PreparedRun& run, const law::Law& law);

}  // namespace hiple
