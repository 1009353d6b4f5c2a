#include <fmt/format.h>

#include <memory>

#include "base/file.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "run/propose.hpp"

namespace hiple::program {

void add_propose(CLI::App& app, Work& work) {
  struct Options {
    RunOptions run;
    ProposeSettings propose;
    std::filesystem::path out;
    std::size_t most = 5;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("propose", "Rules and links that judgments and evidence speak for, for a person to accept");
  add_run_options(*command, options->run);
  command->add_option("--out", options->out, "write the law with the proposed rules (status: proposed) into this file")
      ->type_name("LAW.yaml");
  command->add_option("--question", options->propose.question, "only rules for this question")->type_name("NAME");
  command->add_option("--held-out", options->propose.held_out, "share of the cases that proposals are shown on, not made from")
      ->check(CLI::Range(0.1, 0.9))
      ->capture_default_str();
  command->add_option("--least", options->propose.least, "cases that the law misses and a proposal must cover")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  command->add_option("--most", options->most, "how many witness cases are listed")->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", options->json, "for programs");
  command->footer(
      "Rules by sequential covering, links by engines that were needed and not asked; no gradient, no parameter. The bounds are\n"
      "of cases that a proposal was not made from. Nothing is accepted by itself: a rule that is `proposed` decides nothing.\n"
      "Example: hiple propose runs/thyroid --out proposed.yaml && hiple law check proposed.yaml --run runs/thyroid/run.yaml");
  command->callback([options, &work] {
    work = [options] {
      if (!options->out.empty() && std::filesystem::exists(options->out))
        throw InputError(Place{options->out.string()}, "is there already", "nothing is overwritten", "name a file that is new");
      const PreparedRun run = prepare(load(options->run));
      const Proposals proposals = propose(run, RunDirectory(run.config), options->propose);
      if (!options->out.empty()) write_file(options->out, proposals.law);
      fmt::print("{}", options->json ? to_json(proposals) : to_text(proposals, options->most));
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
