#include "run/stored_run.hpp"

#include <algorithm>

#include "condition/scope.hpp"
#include "run/case_ids.hpp"
#include "run/integrate.hpp"
#include "table/slice.hpp"

namespace hiple {

namespace {

/// The judgments that the decisions were made from; an engine that was missing then is missing now.
std::vector<Arrival> stored_arrivals(const RunDirectory& directory, const law::Decisions& decisions) {
  std::vector<Arrival> arrivals;
  for (const law::EngineRecord& record : decisions.engines) {
    Arrival& arrival = arrivals.emplace_back();
    arrival.engine = record.name;
    arrival.reason = record.reason;
    if (!record.available) continue;
    const auto file = directory.judgments(record.name);
    arrival.judgments = read_judgments(file);
    arrival.sha256 = arrival.judgments->sha256;
    if (arrival.sha256 != record.judgments_sha256)
      throw InputError(Place{file.string()}, "is not what the decisions were made from", "its sha256 differs",
                       "decide again with `hiple integrate`");
  }
  return arrivals;
}

}  // namespace

std::vector<law::EngineJudgments> StoredRun::engines() const { return judgments_for_law(arrivals); }

void check_stored_law(const PreparedRun& run, const law::Decisions& decisions) {
  if (run.law.canonical() == decisions.law_text) return;
  throw InputError(Place{run.config.law.string()}, "is not the law that the decisions were made with", {},
                   "decide again with `hiple integrate`");
}

law::Law stored_law(const PreparedRun& run, const RunDirectory& directory, const law::Decisions& decisions) {
  law::Law law = law::Law::parse(decisions.law_text, directory.decisions().string() + ":/law/text", run.schema, run.engines,
                                 run.config.as_of);
  if (!decisions.evidence.empty()) law = law.heeding(decisions.evidence, run.config.evidence.place);
  return decisions.closed_by.empty() ? std::move(law) : law.closed(decisions.closed_by);
}

std::unique_ptr<StudyEvidence> heeded_evidence(const PreparedRun& run, const law::Law& law) {
  if (law.evidence().empty()) return nullptr;
  if (!run.evidence)
    throw InputError(Place{run.config.file.string()}, "names no evidence, and the decisions were made with evidence", {},
                     "name the run by the run.yaml that does, or decide again with `hiple integrate`");
  return std::make_unique<StudyEvidence>(earlier_evidence(*run.evidence, law.evidence(), run.schema, law));
}

StoredRun read_stored_run(const PreparedRun& run, const RunDirectory& directory, const std::vector<std::string>& also) {
  if (!std::filesystem::exists(directory.decisions()))
    throw InputError(Place{directory.root().string()}, "holds no decisions", {}, "run `hiple run` or `hiple integrate` first");
  StoredRun stored;
  stored.decisions = law::read_decisions(directory.decisions());
  stored.arrivals = stored_arrivals(directory, stored.decisions);
  const law::Law law = stored_law(run, directory, stored.decisions);
  const std::vector<std::string> read = law.columns();
  std::vector<std::string> wanted = read;
  wanted.insert(wanted.end(), also.begin(), also.end());
  std::erase_if(wanted, condition::is_evidence_name);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.empty()) wanted.push_back(column_of_ids(run.schema));
  stored.table = read_table(run.config.data.table, run.schema, wanted);
  const auto evidence = heeded_evidence(run, law);
  EvidenceColumns(law, evidence.get()).put_beside(stored.table);
  if (slice_sha256(stored.table, read) != stored.decisions.inputs_sha256)
    throw InputError(Place{run.config.data.table.string()}, "is not the table that the decisions were made from",
                     law.evidence().empty() ? "" : "or other evidence counts, by as_of and least_reliability of run.yaml",
                     "decide again with `hiple integrate`");
  return stored;
}

}  // namespace hiple
