#include <fmt/format.h>

#include <memory>

#include "base/file.hpp"
#include "scaling/micro/memory.hpp"
#include "scaling/program/commands.hpp"

namespace hiple::scaling {

namespace {

struct Options {
  std::string output;
  Effort effort;
};

ExitStatus run(const Options& options) {
  nlohmann::ordered_json record{{"format", "hiple scaling micro"}, {"version", 1}};
  for (const Series& series : memory_series({10'000, 100'000, 1'000'000, 10'000'000}, options.effort))
    record["series"].push_back(to_json(series));
  const std::string text = record.dump(2) + "\n";
  if (options.output.empty())
    fmt::print("{}", text);
  else
    write_file(options.output, text);
  return ExitStatus::done;
}

}  // namespace

void add_micro(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("micro", "Micro-benchmarks: the ceilings that the study's figures are held against");
  command->add_option("--output", options->output, "write the JSON there; by default to standard output")->type_name("FILE");
  command->add_option("--repetitions", options->effort.repetitions, "measurements a size")->check(CLI::Range(5, 1000));
  command->add_option("--seconds", options->effort.seconds, "length of a measurement")->check(CLI::PositiveNumber);
  command->callback([options, &work] { work = [options] { return run(*options); }; });
}

}  // namespace hiple::scaling
