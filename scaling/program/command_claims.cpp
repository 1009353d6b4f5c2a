#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "scaling/claims/verdicts.hpp"
#include "scaling/program/commands.hpp"

namespace hiple::scaling {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json to_json(const Verdicts& verdicts) {
  Json claims = Json::array();
  for (const JudgedClaim& claim : verdicts.claims)
    claims.push_back({{"id", claim.id},
                      {"claim", claim.claim},
                      {"command", claim.command},
                      {"expected", claim.expected},
                      {"figure", or_null(claim.figure)},
                      {"interval", or_null(claim.interval)},
                      {"verdict", claim.verdict},
                      {"sentences", claim.sentences}});
  return {{"format", "hiple claims"}, {"version", 1}, {"revision", verdicts.revision}, {"claims", claims}};
}

/// One block a claim: a table of seven columns would be wider than any screen.
void print(const Verdicts& verdicts, bool with_sentences) {
  std::map<std::string, int> counts;
  for (const JudgedClaim& claim : verdicts.claims) {
    ++counts[claim.verdict];
    fmt::print("{:<4}{:<20}{}\n", claim.id, claim.verdict, claim.claim);
    fmt::print("    figure    {}\n", claim.figure.value_or("-"));
    fmt::print("    interval  {}\n", claim.interval.value_or("-"));
    fmt::print("    expected  {}\n", claim.expected);
    fmt::print("    command   {}\n", claim.command);
    // Why nothing is shown is part of the verdict.
    if (with_sentences || claim.verdict == "NOT SHOWN")
      for (const std::string& sentence : claim.sentences) fmt::print("    - {}\n", sentence);
  }
  fmt::print("\nrevision {}:", verdicts.revision);
  for (const auto& [verdict, count] : counts)
    fmt::print(" {} {}{}", count, verdict, verdict == counts.rbegin()->first ? "\n" : ",");
}

ExitStatus run(const std::vector<std::string>& folders, bool json, bool with_sentences) {
  std::vector<Verdicts> all;
  all.reserve(folders.size());
  for (const std::string& folder : folders) all.push_back(read_verdicts(folder));
  const Verdicts joined = join_verdicts(all);
  if (json)
    fmt::print("{}\n", to_json(joined).dump(2));
  else
    print(joined, with_sentences);
  return ExitStatus::done;
}

}  // namespace

void add_claims(CLI::App& app, Work& work) {
  struct Options {
    std::vector<std::string> folders;
    bool json = false;
    bool sentences = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("claims", "The claims C1 to C20 as results judge them");
  command->add_option("FOLDER", options->folders, "results that were judged (jobs/scaling.sh judges what it measures)")
      ->required()
      ->type_name("FOLDER");
  command->add_flag("--json", options->json, "for programs");
  command->add_flag("--all", options->sentences, "every figure of every claim, and not of those alone that are not shown");
  command->footer(
      "HOLDS, FAILS, NOT SHOWN or HOLDS IN SIMULATION, each with figure, interval, expected shape and the command whose\n"
      "results judge it. Of several folders, which must be of one revision, the verdict that says most. Data that changed\n"
      "since they were judged are refused (exit status 2). A claim that fails is a result: the exit status is 0.\n\n"
      "Example: hiple-scaling claims scaling/results/2026-12-01_two-cores_7c57d1735390");
  command->callback([options, &work] { work = [options] { return run(options->folders, options->json, options->sentences); }; });
}

}  // namespace hiple::scaling
