#include <memory>
#include <tuple>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "mpi/launch.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/devices.hpp"
#include "run/estimate.hpp"
#include "run/run_alone.hpp"
#include "run/supervise.hpp"

namespace hiple::program {

namespace {

struct Options {
  RunOptions run;
  std::string name;
  std::string share;          ///< "I/N"
  std::uint64_t attempt = 0;  ///< not 0: in the process that a spawner started, for this attempt
  std::uint64_t ranks = 1;
  std::string seat = "0/1";  ///< "local rank/trainers of the host": of the rank that watches this process
};

/// "I/N": the I-th, from 0 on, of N.
std::pair<int, int> one_of_many(const std::string& text, const std::string& option) {
  const auto parts = split(text, '/');
  const auto index = parts.size() == 2 ? parse_integer(parts[0]) : std::nullopt;
  const auto count = parts.size() == 2 ? parse_integer(parts[1]) : std::nullopt;
  constexpr std::int64_t most = 1 << 24;
  if (!index || !count || *count < 1 || *count > most || *index < 0 || *index >= *count)
    throw InputError(Place{"hiple train"}, option + " is \"" + text + "\"", "it names one of N, from 0 on",
                     "write I/N, such as 0/4");
  return {static_cast<int>(*index), static_cast<int>(*count)};
}

ExitStatus train_child(const Options& options) {
  const auto pulse = process::Pulse::attach(process::pulse_descriptor);
  try {
    const PreparedRun run = prepare_without_evidence(load(options.run));
    TrainSettings settings;
    settings.ranks = static_cast<int>(options.ranks);
    std::tie(settings.seat.local_rank, settings.seat.trainers) = one_of_many(options.seat, "--seat");
    settings.faults = parse_faults(options.run.faults, run);
    return train_in_child(run, RunDirectory(run.config), run.engine(options.name), settings, pulse, options.attempt);
  } catch (const InputError& error) {
    pulse.end(static_cast<std::uint32_t>(Verdict::bad_input), error.what());
    throw;
  }
}

/// Engines of the I-th of N shares: those that the plan gives to rank I of N trainers.
std::vector<std::size_t> engines_of_share(const PreparedRun& run, const std::string& share) {
  const auto [index, count] = one_of_many(share, "--share");
  return make_plan(engine_costs(run.config, run.schema), count + 1).engines.at(static_cast<std::size_t>(index));
}

/// The worst of what became of the engines: one that failed, then one that was stopped.
ExitStatus status_of(const std::vector<EngineOutcome>& outcomes) {
  ExitStatus status = ExitStatus::done;
  for (const EngineOutcome& outcome : outcomes)
    if (status == ExitStatus::done || outcome.state == EngineOutcome::State::failed) status = outcome.status;
  return status;
}

std::vector<const EngineConfig*> engines_to_train(const Options& options, const PreparedRun& run) {
  if (!options.name.empty()) return {&run.engine(options.name)};
  std::vector<const EngineConfig*> engines;
  for (const std::size_t index : engines_of_share(run, options.share)) engines.push_back(&run.config.engines.at(index));
  return engines;
}

ExitStatus train(const Options& options) {
  start_log(options.name.empty() ? "share " + options.share : options.name, options.run.verbose);
  if (options.name.empty() && options.share.empty())
    throw InputError(Place{"hiple train"}, "neither --engine nor --share is given", {}, "say what to train: --engine NAME");
  if (options.attempt > 0) return train_child(options);
  const PreparedRun run = prepare_without_evidence(load(options.run));
  const RunDirectory directory(run.config);
  TrainSettings settings;
  settings.at_once = options.run.at_once;
  settings.faults = parse_faults(options.run.faults, run);
  settings.seat = mpi::seat_of(mpi::detect_launch(process_environment()), false);
  settle_devices(engines_to_train(options, run), settings.seat);
  if (options.name.empty()) return status_of(train_alone(run, directory, engines_of_share(run, options.share), settings));
  return train_alone(run, directory, run.engine(options.name), settings).status;
}

}  // namespace

void add_train(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("train", "Train one engine, or a share of all, without MPI: a task of a job");
  add_run_options(*command, options->run);
  auto* engine = command->add_option("--engine", options->name, "its name in run.yaml")->type_name("NAME");
  command->add_option("--share", options->share, "the I-th of N shares of the plan, from 0 on")
      ->type_name("I/N")
      ->excludes(engine);
  add_fault_option(*command, options->run);
  add_at_once_option(*command, options->run);
  add_whole_number(*command, "--attempt", options->attempt, "for `hiple run`")->group("");
  add_whole_number(*command, "--ranks", options->ranks, "for `hiple run`")->group("");
  command->add_option("--seat", options->seat, "for `hiple run`")->group("");
  command->footer(
      "SIGUSR1 makes a checkpoint; SIGTERM makes one and ends. Started again, it goes on from there, bit by bit.\n"
      "Where the law has asked a trained engine for more (integrate.judging: on_demand), it judges that.\n"
      "Example: hiple train configs/thyroid/run.yaml --engine hypo     and at the end: hiple integrate ...");
  command->callback([options, &work] { work = [options] { return train(*options); }; });
}

}  // namespace hiple::program
