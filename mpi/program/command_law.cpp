#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "audit/check_text.hpp"
#include "audit/format.hpp"
#include "audit/law_tests_text.hpp"
#include "base/file.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/law_options.hpp"
#include "mpi/program/run_options.hpp"
#include "run/law_diff_run.hpp"
#include "run/law_setting.hpp"

namespace hiple::program {

namespace {

void add_test(CLI::App& group, Work& work) {
  struct Options {
    LawOptions law;
    bool json = false, suggest = false;
    double min_score = 0;
  };
  auto options = std::make_shared<Options>();
  auto* command = group.add_subcommand("test", "Run the examples beside rules and laws, and measure what they show");
  add_law_options(*command, options->law);
  command->add_flag("--json", options->json, "for programs");
  command->add_flag("--suggest", options->suggest, "look for an example against each mutant that lives");
  command->add_option("--min-score", options->min_score, "end with status 1 where a smaller share of mutants is noticed")
      ->check(CLI::Range(0.0, 1.0));
  command->footer(
      "Examples stand beside a rule or a law: tests: {fires: [..], silent: [..], unknown: [..], defeated: [..]}. Every engine\n"
      "that an example gives counts as consulted. Exit status 1 where an example fails.\n"
      "Example: hiple law test configs/thyroid/law.yaml --min-score 0.9");
  command->callback([options, &work] {
    work = [options] {
      const LawSetting setting = find_law_setting(options->law);
      const audit::LawTests tests = audit::run_law_tests(load_law(setting), options->suggest);
      const std::string name = setting.law.string();
      fmt::print("{}", options->json ? audit::to_json(tests, name) : audit::to_text(tests, name));
      return tests.failures.empty() && tests.score() >= options->min_score ? ExitStatus::done : ExitStatus::failed;
    };
  });
}

void add_check_law(CLI::App& group, Work& work) {
  struct Options {
    LawOptions law;
    std::filesystem::path data;
    bool json = false;
    std::size_t most = 20;
  };
  auto options = std::make_shared<Options>();
  auto* command = group.add_subcommand("check", "Find what is wrong with a law before it decides anything");
  add_law_options(*command, options->law);
  command->add_option("--data", options->data, "a table: also tell thresholds outside of what it holds")->type_name("TABLE");
  command->add_flag("--json", options->json, "for programs");
  command->add_option("--most", options->most, "how many findings of one kind are listed; the counts are of all")
      ->check(CLI::Range(1, 1 << 30));
  command->footer(
      "Conditions that are never or always TRUE, rules that say the same, that never stand, or that can stand against one\n"
      "another; gaps, thresholds outside of ranges, critical findings without a rule, missing links and examples. A witness\n"
      "is a case that shows it: write it into a file for `hiple explain --case-file`. Exit status 1 where there is an error.\n"
      "Example: hiple law check configs/thyroid/law.yaml");
  command->callback([options, &work] {
    work = [options] {
      const LawSetting setting = find_law_setting(options->law);
      const law::Law law = load_law(setting);
      audit::CheckOptions about = check_options(setting, law, options->data);
      about.most_listed = options->most;
      const audit::LawCheck found = audit::check_law(law, about);
      const std::string name = setting.law.string();
      fmt::print("{}", options->json ? audit::to_json(found, name) : audit::to_text(found, name));
      return found.count(audit::Severity::error) == 0 ? ExitStatus::done : ExitStatus::failed;
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

void add_diff(CLI::App& group, Work& work) {
  struct Options {
    std::filesystem::path before, after;
    RunOptions run;
    std::size_t most = 50;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = group.add_subcommand("diff", "What changes between two versions of a law over a run's judgments");
  command->add_option("before", options->before, "law.yaml, the old one")->required()->type_name("BEFORE.yaml");
  command->add_option("after", options->after, "law.yaml, the new one")->required()->type_name("AFTER.yaml");
  command->add_option("--run", options->run.run, "the directory of a run that has decided")->required()->type_name("DIR");
  command->add_option("--most", options->most, "how many changes are listed")->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", options->json, "every change, for programs");
  command->footer(
      "Only cases that can change are decided again. Critical changes come first.\n"
      "Example: hiple law diff law.yaml law-new.yaml --run runs/thyroid");
  command->callback([options, &work] {
    work = [options] {
      const PreparedRun run = prepare(load(options->run));
      const audit::LawDiff diff = diff_laws(run, RunDirectory(run.config), options->before, options->after);
      fmt::print("{}", options->json ? audit::to_json(diff) : audit::to_text(diff, options->most));
      return ExitStatus::done;
    };
  });
}

}  // namespace

void add_law(CLI::App& app, Work& work) {
  auto* group = app.add_subcommand("law", "Work on a law: check it, test it, format it, compare versions");
  group->require_subcommand(1);
  for (const auto& add : {add_check_law, add_test, add_format, add_diff}) add(*group, work);
}

}  // namespace hiple::program
