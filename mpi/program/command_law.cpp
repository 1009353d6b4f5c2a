#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "audit/format.hpp"
#include "audit/law_tests_text.hpp"
#include "base/file.hpp"
#include "mpi/program/commands.hpp"
#include "run/law_setting.hpp"

namespace hiple::program {

namespace {

/// LAW.yaml, --run, --schema, --engine, --as-of.
void add_law_options(CLI::App& command, LawOptions& options) {
  command.add_option("law", options.law, "law.yaml, or the run.yaml that names it")->required()->type_name("LAW.yaml");
  command.add_option("--run", options.run, "the run.yaml that names schema and engines; by default the one beside the law");
  command.add_option("--schema", options.schema, "schema.yaml, where there is no run.yaml");
  command.add_option("--engine", options.engines, "with --schema, once for each: NAME=CLASS,CLASS; NAME alone predicts a number");
  command.add_option("--as-of", options.as_of, "with --schema: the day that `valid` and age() mean")->type_name("DATE");
}

void add_test(CLI::App& group, Work& work) {
  struct Options {
    LawOptions law;
    bool json = false;
    double min_score = 0;
  };
  auto options = std::make_shared<Options>();
  auto* command = group.add_subcommand("test", "Run the examples beside rules and laws, and measure what they show");
  add_law_options(*command, options->law);
  command->add_flag("--json", options->json, "for programs");
  command->add_option("--min-score", options->min_score, "end with status 1 where a smaller share of mutants is noticed")
      ->check(CLI::Range(0.0, 1.0));
  command->footer(
      "Examples stand beside a rule or a law: tests: {fires: [..], silent: [..], unknown: [..], defeated: [..]}. Every engine\n"
      "that an example gives counts as consulted. Exit status 1 where an example fails.\n"
      "Example: hiple law test configs/thyroid/law.yaml --min-score 0.9");
  command->callback([options, &work] {
    work = [options] {
      const LawSetting setting = find_law_setting(options->law);
      const audit::LawTests tests = audit::run_law_tests(load_law(setting));
      const std::string name = setting.law.string();
      fmt::print("{}", options->json ? audit::to_json(tests, name) : audit::to_text(tests, name));
      return tests.failures.empty() && tests.score() >= options->min_score ? ExitStatus::done : ExitStatus::failed;
    };
  });
}

struct FormatOptions {
  std::filesystem::path law;
  bool in_place = false, check = false, drop_comments = false;
};

ExitStatus format(const FormatOptions& options) {
  const std::string source = read_file(options.law);
  const audit::Formatted formatted = audit::format_law(source, options.law);
  const std::string file = options.law.string();
  for (const std::string& comment : formatted.lost_comments) fmt::print(stderr, "{}: this comment is lost: {}\n", file, comment);
  if (formatted.had_aliases) fmt::print(stderr, "{}: anchors and aliases are written out\n", file);
  if (options.check) {
    if (formatted.text == source) return ExitStatus::done;
    fmt::print("{}: is not in its canonical form\n", file);
    return ExitStatus::failed;
  }
  if (!options.in_place) {
    fmt::print("{}", formatted.text);
    return ExitStatus::done;
  }
  if (!formatted.lost_comments.empty() && !options.drop_comments)
    throw InputError(Place{file}, "comments would be lost; nothing is written", {}, "give --drop-comments, or move them");
  if (formatted.text != source) write_file(options.law, formatted.text);
  return ExitStatus::done;
}

void add_format(CLI::App& group, Work& work) {
  auto options = std::make_shared<FormatOptions>();
  auto* command = group.add_subcommand("fmt", "Print a law in its canonical form");
  command->add_option("law", options->law, "law.yaml")->required()->type_name("LAW.yaml");
  auto* in_place = command->add_flag("--in-place", options->in_place, "write it into the file");
  command->add_flag("--check", options->check, "print nothing; end with status 1 where the file is another")->excludes(in_place);
  command->add_flag("--drop-comments", options->drop_comments, "with --in-place: even where comments would be lost");
  command->footer(
      "Lists come by name or id, keys in one order, conditions as the program prints them; comments stay with the entry that\n"
      "they stand at. What the law says, and its hash, stay the same.\n"
      "Example: hiple law fmt law.yaml --check");
  command->callback([options, &work] { work = [options] { return format(*options); }; });
}

}  // namespace

void add_law(CLI::App& app, Work& work) {
  auto* group = app.add_subcommand("law", "Work on a law: test it, format it");
  group->require_subcommand(1);
  for (const auto& add : {add_test, add_format}) add(*group, work);
}

}  // namespace hiple::program
