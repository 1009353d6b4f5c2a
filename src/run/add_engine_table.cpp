#include "run/add_engine_table.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "run/case_ids.hpp"
#include "run/check_columns.hpp"
#include "run/identity.hpp"
#include "run/learned_rows.hpp"
#include "table/split.hpp"

namespace hiple {

namespace {

void check_same_cases(const PreparedRun& run, const std::vector<std::uint64_t>& decided) {
  const std::vector<std::uint64_t> ids = read_case_ids(run);
  std::vector<std::uint64_t> gone, other;
  std::ranges::set_difference(decided, ids, std::back_inserter(gone));
  std::ranges::set_difference(ids, decided, std::back_inserter(other));
  const Place place{run.config.data.table.string()};
  Problems problems;
  if (!gone.empty())
    problems.add(place, "lacks cases of the run: " + ids_text(gone), "every version of a run decides the same cases",
                 "give the table with all of them");
  if (!other.empty())
    problems.add(place, "holds cases that the run does not have: " + ids_text(other),
                 "every engine would have to judge them, and no other engine's files may change",
                 "leave them out, or make a run of its own from this table");
  problems.throw_if_any();
}

bool same_cell(const Column& a, const Column& b, std::size_t row) {
  return a.cells[row] == b.cells[row] && (a.cells[row] != Cell::known || a.number(row) == b.number(row));
}

/// "; first in case 17", where the table that the run was made from is still there to compare with.
std::string first_change(const PreparedRun& run, const RunConfig& held, const Table& now, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::equivalent(held.data.table, run.config.data.table, error) || error) return {};
  try {
    const std::vector<std::string> wanted = {name};
    const Table before = read_table(held.data.table, load_schema(held.data.schema), wanted);
    if (before.case_id != now.case_id) return {};
    for (std::size_t row = 0; row < now.rows(); ++row)
      if (!same_cell(before.column(name), now.column(name), row)) return "; first in case " + std::to_string(now.case_id[row]);
  } catch (const InputError&) {
    // It is not what it was: then nothing can be said of single cases.
  }
  return {};
}

NewerTable check_retrained(const PreparedRun& run, const RunConfig& held, const RunDirectory& directory,
                           const EngineConfig& engine) {
  const Table table = read_table(run.config.data.table, run.schema, columns_of(run.config, engine, run.schema));
  NewerTable newer;
  Problems problems;
  for (const std::string& name : changed_columns(directory, run, engine, slices_for(run, engine, table))) {
    if (name == engine.target) {
      newer.labels_changed = true;
      continue;
    }
    problems.add(Place{run.config.data.table.string()},
                 "column " + name + " is not what engine " + engine.name + " learned from" + first_change(run, held, table, name),
                 "a case keeps its values; only its label, " + engine.target + ", may have become known since",
                 "give the values that the run was made from, or make a run of its own from this table");
  }
  problems.throw_if_any();
  const auto division = divide(table, run.config.data.split, run.config.seed);
  (void)division_for(table, division, engine, run.config);
  newer.learned = learned_besides(table, division, engine, run.config).size();
  return newer;
}

}  // namespace

NewerTable check_newer_table(const PreparedRun& run, const RunConfig& held, const RunDirectory& directory,
                             const std::vector<std::uint64_t>& decided, const std::string& retrain) {
  check_same_cases(run, decided);
  return retrain.empty() ? NewerTable{} : check_retrained(run, held, directory, run.engine(retrain));
}

}  // namespace hiple
