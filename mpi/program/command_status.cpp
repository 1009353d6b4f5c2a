#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "mpi/program/commands.hpp"
#include "run/status.hpp"

namespace hiple::program {

void add_status(CLI::App& app, Work& work) {
  auto directory = std::make_shared<std::filesystem::path>();
  auto* command = app.add_subcommand("status", "How a run stands, read from its files");
  command->add_option("DIR", *directory, "directory of the run")->required()->type_name("DIR");
  command->footer(
      "Exit status of a run that has ended: 0 complete, 3 partial, 1 failed. Of one that goes on: 0; 5 where the law\n"
      "asks engines to judge more, and nobody is at it.");
  command->callback([directory, &work] {
    work = [directory] {
      const RunState state = read_run_state(RunDirectory(*directory));
      fmt::print("{}", state.text);
      return state.status;
    };
  });
}

}  // namespace hiple::program
