#include "scaling/program/measure_options.hpp"

#include "mpi/program/whole_number.hpp"

namespace hiple::scaling {

void add_configuration(CLI::App& command, MeasureOptions& options) {
  using program::add_whole_number;
  std::string strategies = "how the work is divided; one of:";
  for (const StrategyKind& kind : strategy_kinds()) strategies += "\n  " + kind.name + ": " + kind.meaning;
  const MeasureOptions defaults;
  command.add_option("--strategy", options.strategy, strategies)->required()->type_name("NAME");
  command
      .add_option("--variant", options.variant, "of ddp: overlap (default) or naive; of localsgd: average (default) or diloco")
      ->type_name("NAME");
  command.add_option("--network", options.network, "widths from inputs to classes")->type_name("WIDTHS")->capture_default_str();
  const auto number = [&](const char* name, std::uint64_t& value, std::uint64_t fallback, const char* help) {
    add_whole_number(command, name, value, help)->type_name("N")->default_str(std::to_string(fallback));
  };
  number("--batch", options.batch, defaults.batch, "rows of a step, over all ranks and engines");
  number("--steps", options.steps, defaults.steps, "steps of the training");
  number("--warmup", options.warmup, defaults.warmup, "steps before it, which are undone and not measured");
  number("--seed", options.seed, defaults.seed, "of data, weights and jitter");
  command.add_option("--straggler", options.straggler, "a rank whose computing takes FACTOR times as long")
      ->type_name("RANK:FACTOR");
  command.add_option("--jitter", options.jitter, "mean of a random addition to each step's computing, as a share of it")
      ->type_name("SHARE")
      ->capture_default_str();
  add_whole_number(command, "--engines", options.engines, "of hiple; by default one a rank")->type_name("N");
  command.add_option("--spread", options.spread, "of hiple: cost of the largest engine by that of the smallest")
      ->type_name("RATIO")
      ->capture_default_str();
  add_whole_number(command, "--bucket", options.bucket, "of ddp and zero1 to zero3: bytes of a bucket of gradients")
      ->type_name("BYTES")
      ->default_str(std::to_string(defaults.bucket));
  number("--micro-batches", options.micro_batches, defaults.micro_batches,
         "of pp: parts of a batch that pass through the stages");
  number("--experts", options.experts, defaults.experts, "of moe, over all ranks");
  number("--chosen", options.chosen, defaults.chosen, "of moe: experts of a row");
  command.add_option("--capacity", options.capacity, "of moe: room of an expert, by what it gets if all get the same")
      ->type_name("FACTOR")
      ->capture_default_str();
  number("--period", options.period, defaults.period, "of localsgd: steps between two averages");
}

void add_outputs(CLI::App& command, MeasureOptions& options) {
  command.add_option("--output", options.output, "the record, JSON")->required()->type_name("FILE");
  command.add_option("--counters", options.counters, "count steps in this file while training, 8 bytes a rank")
      ->type_name("FILE");
  command.add_option("--ledger", options.ledger, "every rank's MPI calls, HDF5")->type_name("FILE");
  command.add_option("--trace", options.trace, "their time line as Chrome trace events, for Perfetto")->type_name("FILE");
  command.add_option("--weights", options.weights, "the trained weights, HDF5")->type_name("FILE");
}

}  // namespace hiple::scaling
