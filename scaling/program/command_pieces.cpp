#include <fmt/format.h>

#include <memory>

#include "base/file.hpp"
#include "scaling/measure/pieces.hpp"
#include "scaling/program/commands.hpp"
#include "scaling/record/metadata.hpp"

namespace hiple::scaling {

namespace {

struct Options {
  std::vector<std::string> shapes;
  std::string output;
  std::int64_t numbers = 10'000'000;
  int repetitions = 5;
};

ExitStatus run(const Options& options) {
  std::vector<PieceShape> shapes;
  Problems problems;
  for (const std::string& text : options.shapes) {
    try {
      shapes.push_back(parse_piece(text));
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  problems.throw_if_any();
  nlohmann::ordered_json record{{"format", "hiple pieces"}, {"version", 1}, {"metadata", metadata()}};
  record.update(measure_pieces(shapes, options.numbers, options.repetitions));
  const std::string text = record.dump(1) + "\n";
  if (options.output.empty())
    fmt::print("{}", text);
  else
    write_file(options.output, text);
  return ExitStatus::done;
}

}  // namespace

void add_pieces(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("pieces", "Measure the pieces of a training step that a simulation takes");
  command->add_option("SHAPE", options->shapes, "layers and rows: INPUTSxOUTPUTSxROWS")->required()->type_name("SHAPE");
  command->add_option("--numbers", options->numbers, "of the largest step of Adam")
      ->check(CLI::Range(std::int64_t{1000}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("--repetitions", options->repetitions, "of which the median counts")
      ->check(CLI::Range(5, 1000))
      ->capture_default_str();
  command->add_option("--output", options->output, "write the JSON there; by default to standard output")->type_name("FILE");
  command->footer(
      "Processor time of one core, as JSON.\nExample: hiple-scaling pieces 64x272x128 272x272x128 272x16x128 --output "
      "pieces.json");
  command->callback([options, &work] { work = [options] { return run(*options); }; });
}

}  // namespace hiple::scaling
