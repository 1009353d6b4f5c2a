#include "run/explain_case.hpp"

#include "audit/settle.hpp"
#include "config/yaml.hpp"
#include "law/derivation.hpp"
#include "run/graph_file.hpp"
#include "run/stored_run.hpp"

namespace hiple {

namespace {

std::string tell(const law::Derivation& derivation, const Telling& telling) {
  const auto settlements = audit::settle(derivation.subject());
  if (!telling.graph.empty()) write_graph(telling.graph, derivation.graph(settlements));
  if (telling.json) return derivation.json(settlements);
  return derivation.text(telling.why_not) + audit::settle_text(settlements);
}

}  // namespace

std::string explain_case(const PreparedRun& run, const RunDirectory& directory, std::uint64_t case_id, const Telling& telling) {
  const StoredRun stored = read_stored_run(run, directory);
  check_stored_law(run, stored.decisions);
  const law::Law law = stored_law(run, directory, stored.decisions);
  return tell(law::Derivation(law.model(), stored.table, stored.engines(), case_id), telling);
}

std::string explain_case_file(const LawSetting& setting, const std::filesystem::path& file, const Telling& telling) {
  law::Law law = load_law(setting);
  if (setting.evidence) law = law.heeding("what the case says", *setting.evidence);
  const yaml::Node node = yaml::load(file);
  Problems problems;
  const auto given = law::read_given_case(law.model(), node, problems);
  problems.throw_if_any();
  return tell(law::Derivation(law.model(), *given), telling);
}

}  // namespace hiple
