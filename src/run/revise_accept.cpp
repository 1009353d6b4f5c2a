#include "run/revise_accept.hpp"

#include <algorithm>
#include <iterator>

#include "base/date.hpp"
#include "base/file.hpp"
#include "law/cone.hpp"
#include "law/decide_again.hpp"
#include "run/revise_status.hpp"
#include "run/revise_text.hpp"

namespace hiple {

using law::Law;

namespace {

std::uint64_t count_changes(const law::Decisions& a, const law::Decisions& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.decisions.size(); ++i) {
    const law::Decision &x = a.decisions[i], &y = b.decisions[i];
    if (x.status != y.status || x.reason != y.reason || x.finding != y.finding || x.flags != y.flags) ++count;
  }
  return count;
}

/// The law beside its decisions, able to stand alone: with critical.yaml, and without the path of a schema.
void write_law(const RevisionReading& from, std::uint64_t number, const Proposal& proposal) {
  LawText text(proposal.text, from.run.config.law);
  const yaml::Node* critical = text.find_top("critical");
  if (critical != nullptr && critical->is_scalar()) {
    write_file(from.directory.revision_critical(number), read_file(from.run.config.law.parent_path() / critical->text));
    text.set_top("critical", "critical.yaml");
  }
  text.remove_top("schema");
  write_file(from.directory.revision_law(number), text.text());
}

/// Only the cone of the revision, and cases about which evidence says something else now.
law::Decisions derive(const RevisionReading& from, const Law& law, int threads, RevisionRecord& record) {
  const auto engines = from.stored.engines();
  const auto cone = law::cone_of(from.before, law, from.stored.table, engines, threads);
  std::vector<std::uint32_t> rows;
  std::set_union(cone.begin(), cone.end(), from.renewed.begin(), from.renewed.end(), std::back_inserter(rows));
  record.derived_again = rows.size();
  law::Leaves leaves(from.stored.decisions, threads);
  law::DecideOptions options{.threads = threads, .inputs_sha256 = {}};
  if (from.renewed.empty() && law.columns() == from.before.columns()) options.inputs_sha256 = from.stored.decisions.inputs_sha256;
  return law::decide_again(law, from.stored.decisions, leaves, rows, from.stored.table, engines, options);
}

void complete(const RevisionReading& from, const Proposal& proposal, const Law& law, const law::Decisions& decisions,
              RevisionRecord& record) {
  record.time = utc_now();
  record.proposal = proposal.id;
  record.rule = proposal.rule;
  record.kind = proposal.kind;
  record.summary = proposal.summary;
  record.changed = proposal.changed;
  record.law_sha256 = law.sha256();
  record.parent_law_sha256 = from.before.sha256();
  record.evidence = law.evidence();
  record.root = decisions.root;
  record.parent_root = from.stored.decisions.root;
  record.cases = decisions.cases();
  record.answers_changed = count_changes(from.stored.decisions, decisions);
  if (record.parent > 0) {
    const RevisionRecord parent = read_revision(from.directory, record.parent);
    record.base_law = parent.base_law;
    record.base_sha256 = parent.base_sha256;
  } else {
    record.base_law = std::filesystem::absolute(from.run.config.law).lexically_normal();
    record.base_sha256 = law_files_sha256(from.run.config.law);
  }
}

}  // namespace

RevisionRecord accept_revision(const RevisionReading& from, const Proposal& proposal, int threads,
                               const std::function<void(const std::string&)>& written) {
  const RunDirectory& directory = from.directory;
  const auto tell = [&](const std::string& what) {
    if (written) written(what);
  };
  RevisionRecord record;
  record.engines = engine_files(from.run, directory);
  record.parent = current_revision(directory);
  record.number = next_revision(directory);
  remove_temporaries(directory.decisions());
  make_folder(directory.revision(record.number));
  write_law(from, record.number, proposal);
  const auto file = directory.revision_law(record.number);
  const Law law = from.in_force(Law::load(file, from.run.schema, from.run.engines, from.run.config.as_of));
  if (law.canonical() != from.read(proposal.text).canonical())
    throw Error("the law that was written is not the one that was proposed");
  tell("law");
  const law::Decisions decisions = derive(from, law, threads, record);
  law::write_decisions(directory.revision_decisions(record.number), decisions);
  tell("decisions");
  if (engine_files(from.run, directory) != record.engines)
    throw Error("an engine's files changed while the law was revised; nothing was accepted");
  complete(from, proposal, law, decisions, record);
  write_revision(directory, record);
  tell("record");
  keep_original(directory);
  make_current(directory, record.number);
  tell("pointer");
  tell_status(directory, decisions, to_text(record, directory));
  return record;
}

}  // namespace hiple
