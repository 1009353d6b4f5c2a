#include <fmt/format.h>

#include <memory>

#include "base/date.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/evidence_text.hpp"
#include "run/rule_support.hpp"

namespace hiple::program {

namespace {

/// What each of the sub-commands is told.
struct Common {
  RunOptions run;
  std::size_t most = 20;
  bool json = false;
};

/// A sub-command with these options; `most_listed`: what --most counts.
CLI::App* add_command(CLI::App& group, const char* name, const char* what, Common& common, const char* most_listed) {
  auto* command = group.add_subcommand(name, what);
  add_run_options(*command, common.run);
  command->add_option("--most", common.most, most_listed)->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", common.json, "for programs: everything");
  return command;
}

/// Prints a result, as a program or a person wants it.
template <class Result>
void print(const Result& result, const Common& common) {
  fmt::print("{}", common.json ? to_json(result) : to_text(result, common.most));
}

void add_add(CLI::App& group, Work& work) {
  struct Options : Common {
    std::vector<std::filesystem::path> files;
  };
  auto options = std::make_shared<Options>();
  auto* command = add_command(group, "add", "Add CSV files of evidence, all of their rows or none", *options,
                              "how many duplicates and contradictions are listed");
  command->add_option("FILES", options->files, "CSV files")->required()->type_name("FILE");
  command->footer(
      "About cases:  case,about,value,unit,source,date,reliability    (about: an input column, or a question of the law)\n"
      "About rules:  rule,cases,held,source,date,reliability\n"
      "Where run.yaml says evidence: evidence.h5, that file is made or added to; nothing that is recorded is ever changed. An\n"
      "empty value takes back what the same source said before.\n"
      "Example: hiple evidence add configs/thyroid/run.yaml laboratory.csv");
  command->callback([options, &work] {
    work = [options] {
      print(add_evidence(load(options->run), options->files), *options);
      return ExitStatus::done;
    };
  });
}

void add_list(CLI::App& group, Work& work) {
  struct Options : Common {
    EvidenceQuery query;
    std::uint64_t case_id = 0;
  };
  auto options = std::make_shared<Options>();
  options->most = options->query.most;
  auto* command =
      add_command(group, "list", "The records, where each came from, and whether it counts", *options, "how many are listed");
  auto* one = add_whole_number(*command, "--case", options->case_id, "only about this case")->type_name("ID");
  command->add_option("--about", options->query.about, "only about this column or question")->type_name("NAME");
  command->add_option("--rule", options->query.rule, "only about this rule")->type_name("ID");
  command->add_option("--source", options->query.source, "only of this source")->type_name("NAME");
  command->add_flag("--contradictory", options->query.contradictory, "only records that contradict one another");
  command->footer("Example: hiple evidence list configs/thyroid/run.yaml --case 840801013");
  command->callback([options, one, &work] {
    work = [options, one] {
      if (!one->empty()) options->query.case_id = options->case_id;
      options->query.most = options->most;
      const StudyEvidence evidence = read_evidence(prepare_without_evidence(load(options->run)));
      fmt::print("{}", options->json ? list_json(evidence, options->query) : list_text(evidence, options->query));
      return ExitStatus::done;
    };
  });
}

void add_check_evidence(CLI::App& group, Work& work) {
  auto options = std::make_shared<Common>();
  auto* command = add_command(group, "check", "Whether all records are as they were recorded, and speak of what is there",
                              *options, "how many records of a kind are listed");
  command->footer(
      "Contradictions between sources are listed; they are no mistake. Exit status 1 where a record cannot be read, or speaks\n"
      "of a case, column, question or rule that is not there; 2 where the file is damaged or a record was changed.\n"
      "Example: hiple evidence check configs/thyroid/run.yaml");
  command->callback([options, &work] {
    work = [options] {
      const EvidenceCheck check = check_evidence(prepare_without_evidence(load(options->run)));
      print(check, *options);
      return check.sound() ? ExitStatus::done : ExitStatus::failed;
    };
  });
}

void add_verify(CLI::App& group, Work& work) {
  struct Options : Common {
    std::string since;
  };
  auto options = std::make_shared<Options>();
  options->most = 10;
  auto* command =
      add_command(group, "verify", "Which rules evidence supports or contradicts, with bounds that hold at every look", *options,
                  "how many cases against a rule are listed");
  command->add_option("--since", options->since, "only evidence of this day and later: held out from what a rule was made of")
      ->type_name("DATE");
  command->footer(
      "From the judgments that are there. A rule is held against evidence about its question in the cases in which it stands.\n"
      "SUPPORTED or CONTRADICTED: its share of right cases is shown to be over, or under, the `precision` that it is required\n"
      "to have; for all rules together and at every look with 95 %. Exit status 1 where a rule or a law is contradicted.\n"
      "Example: hiple evidence verify runs/thyroid --since 2026-01-01");
  command->callback([options, &work] {
    work = [options] {
      const auto since = parse_date(options->since);
      if (!options->since.empty() && !since)
        throw InputError(Place{"command line"}, "\"" + options->since + "\" is no date", {}, "write --since 2026-01-31");
      const PreparedRun run = prepare(load(options->run));
      const Verification verification = verify_rules(run, RunDirectory(run.config), since);
      print(verification, *options);
      return verification.count(Support::contradicted) == 0 ? ExitStatus::done : ExitStatus::failed;
    };
  });
}

}  // namespace

void add_evidence(CLI::App& app, Work& work) {
  auto* group =
      app.add_subcommand("evidence", "Facts from outside of the engines: add them, list them, check them, verify rules by them");
  group->require_subcommand(1);
  for (const auto& add : {add_add, add_list, add_check_evidence, add_verify}) add(*group, work);
}

}  // namespace hiple::program
