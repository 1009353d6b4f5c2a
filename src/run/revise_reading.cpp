#include "run/revise_reading.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "run/evidence_store.hpp"
#include "run/trust.hpp"

namespace hiple {

using law::Law;

namespace {

/// All that conditions may read, and what gates are measured by.
std::vector<std::string> columns_for(const PreparedRun& run) {
  std::vector<std::string> columns = run.schema.names(ColumnRole::input);
  if (run.gates)
    for (const std::string& name : trust_columns(run)) columns.push_back(name);
  return columns;
}

StoredRun read_to_revise(const PreparedRun& run, const RunDirectory& directory) {
  require_evidence(run.config);
  StoredRun stored = read_stored_run(run, directory, columns_for(run));
  check_stored_law(run, stored.decisions);
  return stored;
}

}  // namespace

RevisionReading::RevisionReading(const PreparedRun& prepared, const RunDirectory& in, std::optional<std::int32_t> held_out_since)
    : run(prepared),
      directory(in),
      stored(read_to_revise(run, directory)),
      source(read_file(run.config.law)),
      before(stored_law(run, directory, stored.decisions)),
      plain(Law::load(run.config.law, run.schema, run.engines, run.config.as_of)),
      renewed(renew_evidence(run.law, *run.evidence, stored.table)),
      cases(plain, *run.evidence, stored, held_out_since),
      now(plain, cases) {}

Law RevisionReading::read(const std::string& text) const {
  return Law::parse(text, run.config.law, run.schema, run.engines, run.config.as_of);
}

Law RevisionReading::in_force(Law law) const {
  law = law.heeding(run.evidence->store.head(), run.config.evidence.place);
  return run.law.closed_by().empty() ? std::move(law) : law.closed(run.law.closed_by());
}

std::size_t number_of_rule(const Law& law, const std::string& id) {
  const auto& rules = law.model().rules;
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const law::Rule& rule) { return rule.id == id; });
  if (found == rules.end()) throw Error("the law has no rule " + id);
  return static_cast<std::size_t>(found - rules.begin());
}

}  // namespace hiple
