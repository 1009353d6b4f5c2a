#include <fmt/format.h>

#include <memory>

#include "base/file.hpp"
#include "mpi/ledger/ledger_picture.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/whole_number.hpp"
#include "report/page.hpp"
#include "run/picture.hpp"

namespace hiple::program {

void add_report(CLI::App& app, Work& work) {
  struct Options {
    std::filesystem::path directory, output;
    std::uint64_t cases = PictureRequest().cases;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("report", "A run as one page of HTML, for people");
  command->add_option("DIR", options->directory, "directory of the run")->required()->type_name("DIR");
  command->add_option("--output", options->output, "the page, by default DIR/report.html")->type_name("FILE");
  add_whole_number(*command, "--cases", options->cases, "cases to show one by one, by default 40, at most 1000")->type_name("N");
  command->footer(
      "The page needs no network and no other file. What the run does not have, it says so in a line. The exit status is 0\n"
      "where the page was written, however the run ended.\n"
      "Example: hiple report runs/thyroid --cases 100");
  command->callback([options, &work] {
    work = [options] {
      constexpr std::uint64_t most = 1000;
      if (options->cases > most)
        throw InputError(Place{"--cases"}, fmt::format("{} cases", options->cases), fmt::format("a page shows at most {}", most),
                         "any other case is told by `hiple explain DIR --case ID`");
      const RunDirectory directory(options->directory);
      report::Picture picture = take_picture(directory, {.cases = options->cases});
      mpi::add_ledger(picture, directory);
      const std::filesystem::path output = options->output.empty() ? directory.report() : options->output;
      write_file(output, report::page(picture));
      fmt::print("report        {}\n", output.string());
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
