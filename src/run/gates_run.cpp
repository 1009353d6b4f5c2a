#include "run/gates_run.hpp"

#include <algorithm>

#include "base/date.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "law/take_rows.hpp"
#include "run/case_ids.hpp"
#include "run/cases_file.hpp"
#include "run/revise_history.hpp"
#include "run/rule_evidence.hpp"
#include "run/settled.hpp"
#include "run/stored_run.hpp"
#include "run/trust.hpp"
#include "table/split.hpp"
#include "table/take_rows.hpp"

namespace hiple {

namespace {

/// The revisions that lead from the law that was settled to this one; empty where none do.
std::vector<RevisionRecord> revisions_since(const RunDirectory& directory, const std::vector<Settled>& settled,
                                            const Settled& now) {
  if (settled.empty()) return {};
  std::vector<RevisionRecord> revisions = revisions_in_force(directory);
  std::string law = settled.front().law;
  for (const RevisionRecord& revision : revisions) {
    if (revision.parent_law_sha256 != law) return {};
    law = revision.law_sha256;
  }
  return law == now.law ? std::move(revisions) : std::vector<RevisionRecord>();
}

/// Test cases of which evidence said a finding when the last of these revisions was made.
std::uint64_t count_seen(const PreparedRun& run, const law::Law& law, const RevisionRecord& last, const Table& test) {
  const StudyEvidence evidence = earlier_evidence(*run.evidence, last.evidence, run.schema, law);
  std::uint64_t contradictory = 0, seen = 0;
  for (const auto& [id, said] : said_of_cases(law.model(), evidence.standings, contradictory))
    seen += std::binary_search(test.case_id.begin(), test.case_id.end(), id) ? 1U : 0U;
  return seen;
}

void refuse_changes(const PreparedRun& run, const RunDirectory& directory, const std::vector<Settled>& settled,
                    const Settled& now, bool is_revised) {
  Problems problems;
  const std::string remedy = "begin a run with them in another --output; --changed shows the figures, but trusts nothing";
  if (settled.empty())
    problems.add(Place{directory.build().string()}, "does not say which law and gates were settled before the run", {}, remedy);
  else if (settled.front().gates != now.gates)
    problems.add(Place{run.config.gates.string()}, "is not what was settled when the run began, " + settled.front().time,
                 "thresholds are registered before the outcome can be known", remedy);
  if (!settled.empty() && settled.front().law != now.law && !is_revised)
    problems.add(Place{run.config.law.string()}, "is not what was settled when the run began, " + settled.front().time,
                 "the law, or what it lists as critical, was changed", remedy);
  problems.throw_if_any();
}

/// What the file of truth must hold: the case ids and the labels that gates.yaml names.
Schema truth_schema(const PreparedRun& run) {
  const std::vector<std::string> ids = run.schema.names(ColumnRole::id);
  if (ids.empty())
    throw InputError(Place{run.schema.file.string()}, "has no column with the role id", "a file of truth is matched by case ids",
                     "give the table ids, or keep the truth in it");
  Schema schema;
  schema.file = run.schema.file;
  const std::vector<std::string> wanted = run.gates->columns();
  for (const ColumnSchema& column : run.schema.columns) {
    const bool is_wanted =
        column.role == ColumnRole::label && std::find(wanted.begin(), wanted.end(), column.name) != wanted.end();
    if (is_wanted || column.role == ColumnRole::id) schema.columns.push_back(column);
  }
  return schema;
}

/// Puts the file's truth into the columns of the test cases.
void take_truth(const PreparedRun& run, const std::filesystem::path& file, const Table& table, Table& test) {
  const Table truth = read_table(file, truth_schema(run));
  if (!truth.text_of_invalid.empty())
    throw InputError(Place{file.string()}, "holds a truth that cannot be", truth.text_of_invalid.front(),
                     "write a value of the schema, or leave the cell empty");
  std::vector<std::uint64_t> other, missing;
  std::set_difference(truth.case_id.begin(), truth.case_id.end(), table.case_id.begin(), table.case_id.end(),
                      std::back_inserter(other));
  std::set_difference(test.case_id.begin(), test.case_id.end(), truth.case_id.begin(), truth.case_id.end(),
                      std::back_inserter(missing));
  Problems problems;
  const Place place{file.string()};
  if (!other.empty())
    problems.add(place, "holds the truth of other cases", "the run has no case " + ids_text(other), "take these rows out");
  if (!missing.empty())
    problems.add(place, "holds no truth of test cases", "there is no row for case " + ids_text(missing),
                 "add them; a truth that is not known is an empty cell");
  problems.throw_if_any();
  std::vector<std::uint32_t> rows;
  for (std::size_t at = 0, row = 0; row < test.rows(); ++row) {
    while (truth.case_id[at] != test.case_id[row]) ++at;
    rows.push_back(static_cast<std::uint32_t>(at));
  }
  const Table matched = take_rows(truth, rows);
  for (std::size_t i = 0; i < matched.schema.columns.size(); ++i) {
    const auto own = test.schema.find(matched.schema.columns[i].name);
    if (matched.schema.columns[i].role == ColumnRole::label && own) test.columns[*own] = matched.columns[i];
  }
}

/// Ids of the training part, ascending.
std::vector<std::uint64_t> training_ids(const PreparedRun& run, const Table& table) {
  const auto division = divide(table, run.config.data.split, run.config.seed);
  std::vector<std::uint64_t> ids;
  for (std::size_t row = 0; row < division.size(); ++row)
    if (division[row] == Part::train) ids.push_back(table.case_id[row]);
  return ids;
}

}  // namespace

gate::GateReport report_gates(const PreparedRun& run, const RunDirectory& directory, const GatesRequest& request) {
  if (!run.gates)
    throw InputError(Place{run.config.file.string()}, "names no gates", "nothing says where the truth is, or what must hold",
                     "write gates: gates.yaml");
  const std::vector<Settled> settled = read_settled(directory.build());
  const Settled now = settle(run);
  const std::vector<RevisionRecord> revisions = revisions_since(directory, settled, now);
  if (!request.changed) refuse_changes(run, directory, settled, now, !revisions.empty());
  const StoredRun stored = read_stored_run(run, directory, trust_columns(run));
  const law::Law law = stored_law(run, directory, stored.decisions);
  const auto rows = test_rows(run, stored.table);
  Table test = take_rows(stored.table, rows);
  if (!request.truth.empty()) take_truth(run, request.truth, stored.table, test);
  const law::Decisions decisions = law::take_rows(stored.decisions, rows);
  const auto engines = stored.engines();
  Trust trust = measure_trust(run, law, test, decisions, engines, {.curves = true});
  if (!request.cases.empty())
    write_cases(request.cases, {run, law, test, decisions, engines, training_ids(run, stored.table), stored.decisions.root});
  gate::GateReport report;
  report.settled = !settled.empty() && (settled.front().law == now.law || !revisions.empty()) &&
                   settled.front().gates == now.gates && run.law.canonical() == stored.decisions.law_text;
  for (const RevisionRecord& revision : revisions)
    report.revisions.push_back({revision.number, revision.law_sha256, revision.summary});
  if (!revisions.empty()) report.seen = count_seen(run, law, revisions.back(), test);
  report.has_home = !run.gates->home.column.empty();
  report.provenance = {run_name_sha256(directory),
                       run.config.name,
                       settled.empty() ? std::string() : settled.front().time,
                       utc_now(),
                       law.sha256(),
                       now.gates,
                       partition_sha256(run.config),
                       stored.decisions.root,
                       request.truth.empty() ? std::string() : sha256_file(request.truth),
                       stored.decisions.closed_by};
  report.figures = std::move(trust.figures);
  report.judged = std::move(trust.judged);
  report.engines = std::move(trust.engines);
  report.cost = std::move(trust.cost);
  report.risk = std::move(trust.risk);
  return report;
}

}  // namespace hiple
