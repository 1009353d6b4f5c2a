#include "run/law_diff_run.hpp"

#include "run/stored_run.hpp"

namespace hiple {

audit::LawDiff diff_laws(const PreparedRun& run, const RunDirectory& directory, const std::filesystem::path& before,
                         const std::filesystem::path& after) {
  const law::Law old_law = law::Law::load(before, run.schema, run.engines, run.config.as_of);
  const law::Law new_law = law::Law::load(after, run.schema, run.engines, run.config.as_of);
  std::vector<std::string> columns = old_law.columns();
  for (const std::string& name : new_law.columns()) columns.push_back(name);
  const StoredRun stored = read_stored_run(run, directory, columns);
  return audit::diff_laws(old_law, new_law, stored.table, stored.engines());
}

}  // namespace hiple
