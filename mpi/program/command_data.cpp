#include <fmt/format.h>

#include <memory>

#include "data/hydraulic.hpp"
#include "data/milling.hpp"
#include "data/thyroid.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/whole_number.hpp"

namespace hiple::program {

namespace {

struct Options {
  std::filesystem::path input, output;
  std::uint64_t rows = 10000, seed = 2020;
};

constexpr const char* example = "Example: hiple data generate milling --rows 10000 --output runs/data/milling.csv";

/// By the file's name, as its reader would expect.
data::TableFormat format_of(const std::filesystem::path& path) {
  const auto ending = path.extension();
  if (ending == ".csv") return data::TableFormat::csv;
  if (ending == ".h5" || ending == ".hdf5") return data::TableFormat::h5;
  throw InputError(Place{path.string()}, "its name tells no format", {}, "end it in .csv or .h5");
}

void add_generate(CLI::App& parent, Work& work) {
  auto* generate = parent.add_subcommand("generate", "Make a study's table");
  generate->require_subcommand(1);
  generate->footer(example);
  auto options = std::make_shared<Options>();
  auto* milling = generate->add_subcommand("milling", "Cycles of a milling machine, by the published recipe of AI4I 2020");
  add_whole_number(*milling, "--rows", options->rows, "cycles")->type_name("N")->default_str("10000");
  add_whole_number(*milling, "--seed", options->seed, "same seed, same bytes")->type_name("N")->default_str("2020");
  milling->add_option("--output", options->output, "table to write, .csv or .h5")->required()->type_name("FILE");
  milling->footer(example);
  milling->callback([options, &work] {
    work = [options] {
      data::generate_milling(options->output, options->rows, options->seed, format_of(options->output));
      fmt::print("{}: {} rows\n", options->output.string(), options->rows);
      return ExitStatus::done;
    };
  });
  add_planted(*generate, work);
}

void add_convert(CLI::App& parent, Work& work) {
  auto* convert = parent.add_subcommand("convert", "Change a published table into a study's");
  convert->require_subcommand(1);
  const char* converting = "Example: hiple data convert milling --input ai4i2020.csv --output runs/data/milling.csv";
  convert->footer(converting);
  const auto add = [&, converting](const std::string& name, const std::string& what, auto call) {
    auto options = std::make_shared<Options>();
    auto* command = convert->add_subcommand(name, what);
    command->add_option("--input", options->input, "the published file")->required()->type_name("FILE");
    command->add_option("--output", options->output, "table to write")->required()->type_name("FILE");
    command->footer(converting);
    command->callback([options, call, &work] {
      work = [options, call] {
        call(*options);
        fmt::print("{}\n", options->output.string());
        return ExitStatus::done;
      };
    });
  };
  add("milling", "ai4i2020.csv (UCI 601)",
      [](const Options& options) { data::convert_milling(options.input, options.output, format_of(options.output)); });
  add("hydraulic", "a folder: profile.txt and 17 sensors, one value a second (UCI 447)",
      [](const Options& options) { data::convert_hydraulic(options.input, options.output, format_of(options.output)); });
  add("thyroid", "thyroid0387.data (UCI 102)",
      [](const Options& options) { data::convert_thyroid(options.input, options.output); });
}

}  // namespace

void add_data(CLI::App& app, Work& work) {
  auto* command = app.add_subcommand("data", "Make, or convert, the tables of the studies");
  command->require_subcommand(1);
  add_generate(*command, work);
  add_convert(*command, work);
  command->footer(example);
}

}  // namespace hiple::program
