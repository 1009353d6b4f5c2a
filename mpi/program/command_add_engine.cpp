#include <fmt/format.h>

#include <memory>

#include "base/log.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/add_engine.hpp"

namespace hiple::program {

namespace {

struct Options {
  RunOptions held;  ///< the finished run
  std::filesystem::path wanted;
  std::string retrain;
  std::size_t most = 50;
  bool json = false;
};

RunConfig held_config(const Options& options) {
  const RunDirectory directory(options.held.run);
  if (!std::filesystem::exists(directory.root()))
    throw InputError(Place{options.held.run.string()}, "no such folder", {}, "name the directory of a finished run");
  if (!directory.holds_run())
    throw InputError(Place{options.held.run.string()}, "holds no run", "an engine joins a run that has decided",
                     "name the directory that `hiple run` wrote");
  return load_without_revision(options.held);
}

ExitStatus add(const Options& options) {
  start_log("", options.held.verbose);
  if (options.wanted.empty() && options.retrain.empty())
    throw InputError(Place{"hiple add-engine"}, "neither --run nor --retrain is given", {},
                     "name the run.yaml that has the new engine: --run NEW.yaml");
  AddEngineSettings settings;
  settings.held = held_config(options);
  RunOptions wanted = options.held;
  if (!options.wanted.empty()) wanted.run = options.wanted;
  wanted.output = options.held.run;
  settings.wanted = load_without_revision(wanted);
  settings.retrain = options.retrain;
  settings.fresh = options.held.fresh;
  settings.run.prints = !options.json;
  settings.run.train.at_once = options.held.at_once;
  settings.watched = mpi::certify_engines;
  std::vector<std::string> faults = options.held.faults;
  if (!faults.empty()) settings.run.train.faults = parse_faults(faults, prepare(settings.wanted));
  const EngineAdded added = add_engine(settings);
  fmt::print("{}", options.json ? to_json(added) : "\n" + to_text(added, options.most));
  return ExitStatus::done;
}

}  // namespace

void add_add_engine(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("add-engine", "Let a new engine with its rules and links join a finished run");
  command->add_option("DIR", options->held.run, "the directory of a run that has decided")->required()->type_name("DIR");
  command->add_option("--run", options->wanted, "the run.yaml with the new engine, and with the law that has its rules")
      ->type_name("NEW.yaml");
  command
      ->add_option("--retrain", options->retrain, "train this engine of the run anew, with its entry of --run if that is given")
      ->type_name("ENGINE");
  command->add_flag("--fresh", options->held.fresh, "forget what an interrupted attempt left");
  command->add_flag("--no-commands", options->held.no_commands, "refuse a run.yaml that starts programs");
  command->add_flag("--verbose", options->held.verbose, "say more on standard error");
  add_fault_option(*command, options->held);
  add_at_once_option(*command, options->held);
  command->add_option("--most", options->most, "how many changed answers are listed")->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", options->json, "what was done, for programs");
  command->footer(
      "Only the new engine is trained. Every other engine's checkpoint and judgments stay byte for byte; answers change only\n"
      "where the new rules and links speak, and the list says where. NEW.yaml is the run's own run.yaml with engines added; "
      "law,\n"
      "gates and a table with more columns may be others, all else is refused. The run as it was is kept in DIR/versions/N, a "
      "run\n"
      "directory that every command reads. Interrupted, the directory shows the old run, and the same command goes on.\n\n"
      "A worn engine learns from newer rows by `learns_also: 'year == 1986'` in its entry of NEW.yaml.\n\n"
      "Examples:\n"
      "  hiple add-engine runs/thyroid --run configs/thyroid/with_lipids.yaml\n"
      "  hiple add-engine runs/thyroid --retrain hypo --run configs/thyroid/hypo_newer.yaml");
  command->callback([options, &work] { work = [options] { return add(*options); }; });
}

}  // namespace hiple::program
