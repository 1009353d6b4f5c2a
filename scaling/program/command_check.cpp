#include <fmt/format.h>

#include <memory>

#include "mpi/program/whole_number.hpp"
#include "scaling/program/commands.hpp"
#include "scaling/program/measure_options.hpp"

namespace hiple::scaling {

void add_check(CLI::App& app, Work& work) {
  struct Options {
    MeasureOptions measure;
    std::uint64_t ranks = 1;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("check", "Say what `measure` would refuse, without starting anything");
  add_configuration(*command, options->measure);
  program::add_whole_number(*command, "--ranks", options->ranks, "for so many ranks")->type_name("N")->default_str("1");
  command->footer(
      "Exit status 2 and one line for each problem.\nExample: hiple-scaling check --strategy ddp --batch 100 --ranks 3");
  command->callback([options, &work] {
    work = [options] {
      if (options->ranks < 1 || options->ranks > (1U << 24U))
        throw InputError(Place{"--ranks"}, std::to_string(options->ranks) + " ranks", {}, "give a number from 1 to 16777216");
      const Setup setup = make_setup(options->measure, static_cast<int>(options->ranks));
      const engine::Layout layout(setup.shape);
      fmt::print("{}{}{} on {} rank{}: {} parameters, {} rows a rank and step\n", setup.kind->name,
                 setup.settings.variant.empty() ? "" : " ", setup.settings.variant, setup.ranks, setup.ranks == 1 ? "" : "s",
                 layout.parameters, setup.kind->rows(setup.settings, setup.ranks));
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::scaling
