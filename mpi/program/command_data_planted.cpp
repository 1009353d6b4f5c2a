#include <fmt/format.h>

#include <memory>

#include "base/text.hpp"
#include "data/planted_study.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/whole_number.hpp"

namespace hiple::program {

namespace {

struct Options {
  std::filesystem::path folder;
  data::PlantedOptions world;
  std::uint64_t rows = 0;
  std::string format = "h5";
};

void add_share(CLI::App& command, const std::string& name, double& value, const std::string& help) {
  const auto read = [&value, name](const std::string& text) {
    const auto number = parse_real(text);
    if (!number)
      throw InputError(Place{"hiple"}, name + " is \"" + text + "\"", "it must be a share", "write a number such as 0.1");
    value = *number;
  };
  command.add_option_function<std::string>(name, read, help)->type_name("SHARE")->default_str(format_real(value));
}

ExitStatus generate(const Options& options) {
  const auto format = options.format == "csv" ? data::TableFormat::csv : data::TableFormat::h5;
  data::generate_planted(options.folder, options.world, options.rows, format);
  fmt::print("{}: {} rows, {} domains, {} engines\nnext: hiple run {}, then hiple gates {}\n", options.folder.string(),
             options.rows, options.world.domains, options.world.domains + 2 * options.world.correlated,
             (options.folder / "run.yaml").string(), (options.folder / "run").string());
  return ExitStatus::done;
}

}  // namespace

void add_planted(CLI::App& generators, Work& work) {
  auto options = std::make_shared<Options>();
  data::PlantedOptions& world = options->world;
  auto* planted = generators.add_subcommand("planted", "A study of a made-up plant in which it is known who must be asked");
  planted->add_option("FOLDER", options->folder, "new folder for table, schema, run, law and gates")->required();
  add_whole_number(*planted, "--domains", world.domains, "parts of the plant, 4 to 256")->type_name("N")->default_str("16");
  auto* rows = add_whole_number(*planted, "--rows", options->rows, "cases");
  rows->type_name("N")->default_str("2000 a domain, at least 10000");
  add_whole_number(*planted, "--seed", world.seed, "same seed, same cases")->type_name("N")->default_str("2026");
  auto* correlated =
      add_whole_number(*planted, "--correlated", world.correlated, "domains whose engine has a copy and a witness");
  correlated->type_name("N")->default_str("one in eight");
  add_share(*planted, "--cross", world.cross, "cases that concern a second domain");
  add_share(*planted, "--critical", world.critical, "cases with a critical finding at home");
  add_share(*planted, "--missing", world.missing, "readings that are missing");
  add_share(*planted, "--ood", world.out_of_distribution, "test cases unlike any training case");
  add_share(*planted, "--conflict", world.conflict, "test cases, where there is a witness, in which it contradicts");
  planted->add_option("--format", options->format, "of the table: h5 or csv")
      ->check(CLI::IsMember({"h5", "csv"}))
      ->default_str("h5");
  planted->footer("Example: hiple data generate planted --domains 16 runs/planted && hiple run runs/planted/run.yaml");
  planted->callback([options, rows, correlated, &work] {
    const std::uint64_t domains = options->world.domains;
    if (rows->empty()) options->rows = data::PlantedOptions::usual_rows(domains);
    if (correlated->empty()) options->world.correlated = data::PlantedOptions::usual_correlated(domains);
    work = [options] { return generate(*options); };
  });
}

}  // namespace hiple::program
