#include "run/law_diff_run.hpp"

#include "law/consult.hpp"
#include "run/stored_run.hpp"

namespace hiple {

namespace {

/// What was never judged cannot be compared.
void refuse_unasked(const law::Law& law, const std::filesystem::path& file, const StoredRun& stored) {
  const std::uint64_t unasked = law::count_unasked(law, stored.table, stored.engines());
  if (unasked == 0) return;
  throw InputError(Place{file.string()},
                   "consults engines about " + std::to_string(unasked) + " judgments that they did not make",
                   "the run judges on demand, and its law did not ask for them",
                   "name this law in run.yaml and run `hiple integrate --judge`, then compare");
}

/// The law heeding what the decisions heeded, with that evidence beside the table.
law::Law heeding(const PreparedRun& run, law::Law law, StoredRun& stored) {
  const std::string& head = stored.decisions.evidence;
  if (!head.empty()) law = law.heeding(head, run.config.evidence.place);
  const auto evidence = heeded_evidence(run, law);
  EvidenceColumns(law, evidence.get()).put_beside(stored.table);
  return law;
}

}  // namespace

audit::LawDiff diff_laws(const PreparedRun& run, const RunDirectory& directory, const std::filesystem::path& before,
                         const std::filesystem::path& after) {
  law::Law old_law = law::Law::load(before, run.schema, run.engines, run.config.as_of);
  law::Law new_law = law::Law::load(after, run.schema, run.engines, run.config.as_of);
  std::vector<std::string> columns = old_law.columns();
  for (const std::string& name : new_law.columns()) columns.push_back(name);
  StoredRun stored = read_stored_run(run, directory, columns);
  old_law = heeding(run, std::move(old_law), stored);
  new_law = heeding(run, std::move(new_law), stored);
  refuse_unasked(old_law, before, stored);
  refuse_unasked(new_law, after, stored);
  return audit::diff_laws(old_law, new_law, stored.table, stored.engines());
}

}  // namespace hiple
