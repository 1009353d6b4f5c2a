#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "run/revise.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;

std::string agreement_text(const Agreement& agreement) {
  return fmt::format("{} right, {} wrong, {} undecided", agreement.right, agreement.wrong, agreement.undecided);
}

std::string lines(const std::vector<std::string>& texts, const char* name) {
  std::string text;
  for (const std::string& each : texts) text += fmt::format("    {:<12} {}\n", name, each);
  return text;
}

std::string proposal_text(const Proposal& proposal, std::size_t most) {
  std::string text = fmt::format("  {}\n    {}\n", proposal.id, proposal.summary);
  for (const ShownPrecision& shown : proposal.shown)
    text += fmt::format("    {:<12} {} for {}: {} of {} held out, at least {:.3f}, required {}: {}\n", "precision", shown.rule,
                        shown.finding, shown.held, shown.cases, shown.lower, format_real(shown.required),
                        shown.shown ? "shown" : "NOT SHOWN");
  text +=
      fmt::format("    {:<12} {}; as it is: {}\n", "held out", agreement_text(proposal.after), agreement_text(proposal.before));
  text += fmt::format("    {:<12} {} of {} decided otherwise, {} not decided any more\n", "cornerstones", proposal.broken.size(),
                      proposal.cornerstones, proposal.lost);
  text += fmt::format("    {:<12} {}\n", "edits", proposal.edits);
  text += lines(proposal.dropped_examples, "example goes");
  text += lines(proposal.notes, "note");
  const auto critical =
      std::count_if(proposal.diff.changes.begin(), proposal.diff.changes.end(), [](const auto& c) { return c.critical; });
  text += fmt::format("    {:<12} {} of {} answers change, {} of them critical\n", "decisions", proposal.diff.different,
                      proposal.diff.answers, critical);
  for (std::size_t i = 0; i < std::min(most, proposal.diff.changes.size()); ++i) {
    const audit::AnswerChange& change = proposal.diff.changes[i];
    text += fmt::format("      {}case {}, {}: {} -> {}\n", change.critical ? "CRITICAL " : "", change.case_id, change.question,
                        change.before, change.after);
  }
  if (proposal.diff.changes.size() > most) text += fmt::format("      and {} more\n", proposal.diff.changes.size() - most);
  return text + (proposal.refused.empty() ? fmt::format("    {:<12} hiple revise DIR --accept {}\n", "accept", proposal.id)
                                          : lines(proposal.refused, "REFUSED"));
}

/// What the files of a folder take, in MB.
double megabytes_of(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  return static_cast<double>(bytes) / 1e6;
}

Json json_of(const Agreement& agreement) {
  return {{"right", agreement.right}, {"wrong", agreement.wrong}, {"undecided", agreement.undecided}};
}

Json json_of(const Proposal& proposal) {
  Json json = {{"id", proposal.id},
               {"kind", proposal.kind},
               {"summary", proposal.summary},
               {"changed", proposal.changed},
               {"edits", proposal.edits},
               {"shown", Json::array()},
               {"before", json_of(proposal.before)},
               {"after", json_of(proposal.after)},
               {"cornerstones", {{"cases", proposal.cornerstones}, {"broken", proposal.broken}, {"lost", proposal.lost}}},
               {"dropped_examples", proposal.dropped_examples},
               {"conflicts", proposal.conflicts},
               {"notes", proposal.notes},
               {"broken_gates", proposal.broken_gates},
               {"decisions", Json::parse(audit::to_json(proposal.diff))},
               {"refused", proposal.refused},
               {"law", proposal.text}};
  for (const ShownPrecision& shown : proposal.shown)
    json["shown"].push_back({{"rule", shown.rule},
                             {"finding", shown.finding},
                             {"required", shown.required},
                             {"cases", shown.cases},
                             {"held", shown.held},
                             {"lower", shown.lower},
                             {"shown", shown.shown}});
  return json;
}

}  // namespace

std::string to_text(const std::vector<Contradiction>& contradictions, std::size_t most) {
  if (contradictions.empty()) return "evidence contradicts no rule and no law\n";
  std::string text;
  for (const Contradiction& found : contradictions) {
    const RuleSupport& support = found.support;
    text += fmt::format("{}{} ({}), version {}\n", text.empty() ? "" : "\n", support.id, support.finding, support.version);
    for (const SupportGroup& group : support.groups)
      if (group.cases > 0)
        text += fmt::format("  {}: right in {} of {}, {:.3f} to {:.3f} at every look; required {}: {}\n",
                            group.source.empty() ? "cases" : printable(group.source), group.held, group.cases, group.lower,
                            group.upper, format_real(support.required), name_of(group.support));
    if (found.is_law)
      text += "  ESCALATE to " + join(found.to, ", ") + ": a law is never revised by evidence, a person must look at it\n";
    for (const Proposal& proposal : found.proposals) text += proposal_text(proposal, most);
  }
  return text;
}

std::string to_json(const std::vector<Contradiction>& contradictions) {
  Json json = {{"contradicted", Json::array()}};
  for (const Contradiction& found : contradictions) {
    Json entry = {{"id", found.support.id},
                  {"finding", found.support.finding},
                  {"version", found.support.version},
                  {"required", found.support.required},
                  {"law", found.is_law},
                  {"evidence", Json::array()},
                  {"proposals", Json::array()}};
    if (found.is_law) entry["escalate"] = found.to;
    for (const SupportGroup& group : found.support.groups)
      if (group.cases > 0)
        entry["evidence"].push_back({{"source", group.source},
                                     {"cases", group.cases},
                                     {"held", group.held},
                                     {"lower", group.lower},
                                     {"upper", group.upper},
                                     {"verdict", name_of(group.support)}});
    for (const Proposal& proposal : found.proposals) entry["proposals"].push_back(json_of(proposal));
    json["contradicted"].push_back(std::move(entry));
  }
  return json.dump(1) + "\n";
}

std::string to_text(const RevisionRecord& record, const RunDirectory& directory) {
  std::string text = fmt::format("revision   {} of {}: {}\n", record.number, record.parent, record.summary);
  text += fmt::format("law        {}, {}\n", directory.revision_law(record.number).string(), record.law_sha256);
  text += fmt::format("parent     {}\n", record.parent_law_sha256);
  text += fmt::format("evidence   {}\n", record.evidence);
  text += fmt::format("cases      {} of {} derived again; {} answers changed\n", record.derived_again, record.cases,
                      record.answers_changed);
  text += fmt::format("engines    {}, each with the same files before and after\n", record.engines.size());
  text += fmt::format("disk       {:.1f} MB more: a revision's decisions are kept whole, so that it can be taken back\n",
                      megabytes_of(directory.revision(record.number)));
  return text + fmt::format("root       {}\n", record.root);
}

std::string to_json(const RevisionRecord& record) {
  Json engines = Json::object();
  for (const EngineFiles& engine : record.engines)
    engines[engine.engine] = {{"checkpoint", engine.checkpoint_sha256}, {"judgments", engine.judgments_sha256}};
  const Json json = {{"revision", record.number},
                     {"parent", record.parent},
                     {"proposal", record.proposal},
                     {"rule", record.rule},
                     {"kind", record.kind},
                     {"summary", record.summary},
                     {"changed", record.changed},
                     {"law_sha256", record.law_sha256},
                     {"parent_law_sha256", record.parent_law_sha256},
                     {"evidence", record.evidence},
                     {"cases", record.cases},
                     {"derived_again", record.derived_again},
                     {"answers_changed", record.answers_changed},
                     {"root", record.root},
                     {"parent_root", record.parent_root},
                     {"engines", engines}};
  return json.dump(1) + "\n";
}

std::string history_text(const RunDirectory& directory) {
  const auto records = revisions_in_force(directory);
  if (records.empty()) return "the law is that of run.yaml: no revision is in force\n";
  std::string text;
  for (const RevisionRecord& record : records) text += fmt::format("{:>3}  {}  {}\n", record.number, record.time, record.summary);
  return text;
}

}  // namespace hiple
