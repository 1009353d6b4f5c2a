#include "run/evidence_store.hpp"

#include <algorithm>

#include "base/date.hpp"
#include "base/file.hpp"
#include "run/case_ids.hpp"
#include "run/lock.hpp"

namespace hiple {

namespace {

std::vector<evidence::Import> read_files(const PreparedRun& run, const std::vector<std::filesystem::path>& files) {
  const evidence::Terms terms = terms_of(run.schema, run.law);
  const std::vector<std::uint64_t> ids = read_case_ids(run);
  Problems problems;
  std::vector<evidence::Import> imports;
  for (const auto& file : files) imports.push_back(evidence::read_import(file, {terms, ids, run.config.as_of}, problems));
  problems.throw_if_any();
  return imports;
}

}  // namespace

void require_evidence(const RunConfig& config) {
  if (!config.evidence.file.empty()) return;
  throw InputError(Place{config.file.string()}, "names no evidence", "nothing says where evidence about this study is kept",
                   "write evidence: evidence.h5");
}

StudyEvidence read_evidence(const PreparedRun& run) {
  require_evidence(run.config);
  const auto& file = run.config.evidence.file;
  return study_evidence(file, evidence::read_store(file), evidence_filter(run.config), run.schema, run.law);
}

EvidenceAdded add_evidence(const RunConfig& config, const std::vector<std::filesystem::path>& files) {
  require_evidence(config);
  const PreparedRun run = prepare_without_evidence(config);
  const auto file = std::filesystem::absolute(config.evidence.file).lexically_normal();
  const Lock lock(file.string() + ".LOCK", "the evidence");
  remove_temporaries(file);
  const bool is_new = !std::filesystem::exists(file);
  evidence::Store store = is_new ? evidence::Store() : evidence::read_store(file);
  std::vector<evidence::Import> imports = read_files(run, files);
  std::vector<evidence::Duplicate> duplicates = evidence::remove_duplicates(store, imports);
  const std::size_t old = store.cases.size();
  std::uint64_t cases = 0, rules = 0;
  for (evidence::Import& import : imports) {
    cases += import.cases.size();
    rules += import.rules.size();
    if (import.cases.empty() && import.rules.empty()) continue;
    evidence::append(store, {utc_now(), import.file, import.sha256, 0, 0, {}}, std::move(import.cases), std::move(import.rules));
  }
  if (cases + rules > 0 || is_new) evidence::write_store(file, store);
  EvidenceAdded added{cases, rules, std::move(duplicates),
                      {},    {},    study_evidence(file, std::move(store), evidence_filter(config), run.schema, run.law)};
  for (const auto& [about, standings] : added.now.standings.all())
    for (const evidence::Standing& standing : standings) {
      if (!standing.contradictory || standing.records.back() < old) continue;
      added.contradictions.push_back(standing);
      added.abouts.push_back(about);
    }
  return added;
}

bool EvidenceCheck::sound() const {
  return unknown_cases.empty() && unknown_rules.empty() && evidence.standings.unknown().empty() &&
         evidence.standings.problems().empty();
}

EvidenceCheck check_evidence(const PreparedRun& run) {
  EvidenceCheck check{read_evidence(run), {}, {}, {}};
  const std::vector<std::uint64_t> ids = read_case_ids(run);
  const evidence::Store& store = check.evidence.store;
  for (std::size_t i = 0; i < store.cases.size(); ++i)
    if (!std::binary_search(ids.begin(), ids.end(), store.cases[i].case_id)) check.unknown_cases.push_back(i);
  const auto& rules = check.evidence.terms.rules();
  for (std::size_t i = 0; i < store.rules.size(); ++i)
    if (std::find(rules.begin(), rules.end(), store.rules[i].rule) == rules.end()) check.unknown_rules.push_back(i);
  check.rule_standings = evidence::rule_standings(store, check.evidence.filter);
  return check;
}

}  // namespace hiple
