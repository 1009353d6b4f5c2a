#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "scaling/plan/study.hpp"
#include "scaling/program/commands.hpp"

namespace hiple::scaling {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Configuration& configuration) {
  const MeasureOptions& options = configuration.options;
  return {{"id", configuration.id},
          {"strategy", options.strategy},
          {"variant", options.variant.empty() ? Json(nullptr) : Json(options.variant)},
          {"network", options.network},
          {"batch", options.batch},
          {"ranks", configuration.ranks},
          {"link", configuration.link},
          {"scaling", configuration.scaling},
          {"repetitions",
           {{"least", configuration.repetitions.least},
            {"most", configuration.repetitions.most},
            {"width", configuration.repetitions.width}}},
          {"place", configuration.place.text()},
          {"arguments", configuration.arguments()}};
}

Json to_json(const Study& study) {
  Json configurations = Json::array();
  for (const Configuration& configuration : study.configurations) configurations.push_back(to_json(configuration));
  return {{"format", "hiple scaling plan"},
          {"version", 1},
          {"name", study.name},
          {"seed", study.seed},
          {"time_limit", study.time_limit},
          {"launch_limit", study.launch_limit},
          {"open_mpi", study.open_mpi},
          {"configurations", configurations}};
}

void print(const Study& study) {
  for (const Configuration& one : study.configurations)
    fmt::print("{:<64} {:>4} rank{} {:<8} {:<12} {} to {} times\n", one.id, one.ranks, one.ranks == 1 ? " " : "s", one.link,
               join(one.scaling, ","), one.repetitions.least, one.repetitions.most);
  fmt::print("{} configurations, at most {:.0f} s\n", study.configurations.size(), study.time_limit);
}

}  // namespace

void add_plan(CLI::App& app, Work& work) {
  struct Options {
    std::string study;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("plan", "Read a study file and show what it would measure");
  command->add_option("STUDY", options->study, "study.yaml")->required()->type_name("FILE");
  command->add_flag("--json", options->json, "for programs");
  command->footer(
      "Starts nothing. Exit status 2 and one line for each problem.\n"
      "Example: hiple-scaling plan scaling/studies/smoke.yaml");
  command->callback([options, &work] {
    work = [options] {
      const Study study = load_study(options->study);
      if (options->json)
        fmt::print("{}\n", to_json(study).dump(2));
      else
        print(study);
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::scaling
