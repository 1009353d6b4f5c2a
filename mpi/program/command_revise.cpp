#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "base/date.hpp"
#include "base/text.hpp"
#include "base/threads.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/evidence_store.hpp"
#include "run/revise.hpp"

namespace hiple::program {

namespace {

struct Options {
  RunOptions run;
  std::vector<std::filesystem::path> evidence;
  std::string accept, held_out, kill_after;
  std::size_t most = 20;
  bool list = false, undo = false, history = false, json = false;
};

ReviseSettings settings_of(const Options& options) {
  ReviseSettings settings;
  settings.threads = bound_processors();
  settings.held_out_since = parse_date(options.held_out);
  if (!options.held_out.empty() && !settings.held_out_since)
    throw InputError(Place{"--held-out-since"}, "\"" + options.held_out + "\" is no date", {}, "write it as 2026-01-31");
  if (!options.kill_after.empty())
    settings.written = [after = options.kill_after](const std::string& what) {
      if (what == after) ::kill(::getpid(), SIGKILL);
    };
  return settings;
}

/// What a person at the terminal accepts; empty: nothing.
std::string ask() {
  fmt::print("accept which one? its name, or nothing: ");
  std::fflush(stdout);
  std::string line;
  std::getline(std::cin, line);
  return std::string(trim(line));
}

ExitStatus accept(Reviser& reviser, const std::string& id, const RunDirectory& directory, bool json) {
  const RevisionRecord record = reviser.accept(id);
  fmt::print("{}", json ? to_json(record) : to_text(record, directory));
  return ExitStatus::done;
}

ExitStatus revise(const Options& options) {
  if (options.undo) {
    RunConfig config = load_without_revision(options.run);
    const RunDirectory directory(config);
    const RevisionRecord record = undo_revision(directory);
    fmt::print("{}", options.json ? to_json(record)
                                  : fmt::format("revision {} was taken back: {}\n", record.number, record.summary) +
                                        history_text(directory));
    return ExitStatus::done;
  }
  const RunConfig config = load(options.run);
  if (options.history) {
    fmt::print("{}", history_text(RunDirectory(config)));
    return ExitStatus::done;
  }
  const ReviseSettings settings = settings_of(options);
  if (!options.evidence.empty()) add_evidence(config, options.evidence);
  const PreparedRun run = prepare(config);
  const RunDirectory directory(run.config);
  Reviser reviser(run, directory, settings);
  if (!options.accept.empty()) return accept(reviser, options.accept, directory, options.json);
  const auto& found = reviser.contradictions();
  fmt::print("{}", options.json ? to_json(found) : to_text(found, options.most));
  const bool can_ask = !options.list && !options.json && ::isatty(STDIN_FILENO) != 0 &&
                       std::any_of(found.begin(), found.end(), [](const auto& each) { return !each.proposals.empty(); });
  if (can_ask)
    if (const std::string id = ask(); !id.empty()) return accept(reviser, id, directory, false);
  return found.empty() ? ExitStatus::done : ExitStatus::failed;
}

}  // namespace

void add_revise(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("revise", "What could become of rules that evidence contradicts; accept it, or take it back");
  add_run_options(*command, options->run);
  command
      ->add_option("--evidence", options->evidence, "evidence in CSV, which is added to that of the run first; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  auto* list = command->add_flag("--list", options->list, "list and end, also on a terminal");
  auto* accepted = command->add_option("--accept", options->accept, "accept this proposal")->type_name("ID")->excludes(list);
  auto* undo = command->add_flag("--undo", options->undo, "take the revision in force back: its parent stands again");
  undo->excludes(list)->excludes(accepted);
  command->add_flag("--history", options->history, "the revisions in force")->excludes(list)->excludes(accepted)->excludes(undo);
  command
      ->add_option("--held-out-since", options->held_out,
                   "evidence of this day and later is held out from what proposals are made of; else half of the cases is")
      ->type_name("DATE");
  command->add_option("--most", options->most, "how many changed answers of a proposal are listed")
      ->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", options->json, "for programs: everything");
  command
      ->add_option("--kill-after", options->kill_after,
                   "a failure on purpose, to see what becomes of it: the end, right after this is written")
      ->check(CLI::IsMember({"law", "decisions", "record", "pointer"}));
  command->footer(
      "Of each rule that is contradicted: a moved threshold, an exception, suspension where it is wrong, retirement; each with "
      "its\n"
      "precision on evidence that it was not made from, cornerstone cases, static findings, gates, and every answer that would\n"
      "change. Nothing accepts itself. A revision is a new version of the law in the run's directory, beside the decisions that\n"
      "it makes; law.yaml and the engines stay as they are. A law is never revised. Exit status 1 where something is "
      "contradicted\n"
      "and nothing was accepted.\n"
      "Example: hiple revise runs/milling --evidence inspections.csv");
  command->callback([options, &work] { work = [options] { return revise(*options); }; });
}

}  // namespace hiple::program
