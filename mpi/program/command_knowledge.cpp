#include <fmt/format.h>

#include <memory>

#include "mpi/program/commands.hpp"
#include "mpi/program/run_options.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/knowledge.hpp"

namespace hiple::program {

namespace {

struct Options {
  RunOptions run;
  KnowledgeQuery query;
  std::uint64_t case_id = 0, revision = 0;
  std::size_t most = 20;
  bool json = false;
};

ExitStatus list(const Options& options) {
  const PreparedRun run = prepare(load(options.run));
  const KnowledgeList list = list_knowledge(run, RunDirectory(run.config), options.query);
  fmt::print("{}", options.json ? to_json(list) : to_text(list));
  return ExitStatus::done;
}

void add_list(CLI::App& group, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = group.add_subcommand("list", "What is decided, and how much of it rests on each rule and engine");
  add_run_options(*command, options->run);
  command->add_option("--finding", options->query.finding, "only this finding")->type_name("QUESTION.FINDING");
  command->add_option("--rule", options->query.rule, "only what rests on this rule")->type_name("ID");
  command->add_option("--engine", options->query.engine, "only what rests on the word of this engine")->type_name("NAME");
  command->add_option("--most", options->query.most, "how many answers are listed; the counts are of all")
      ->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", options->json, "for programs");
  command->footer("Example: hiple knowledge list runs/thyroid --rule F-1");
  command->callback([options, &work] { work = [options] { return list(*options); }; });
}

void add_why(CLI::App& group, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command =
      group.add_subcommand("why", "What is known of a case: rules, engines and evidence that it rests on, and since when");
  add_run_options(*command, options->run);
  add_whole_number(*command, "--case", options->case_id, "its id in the table")->type_name("ID")->required();
  command->add_flag("--json", options->json, "for programs");
  command->footer("`hiple explain` tells the whole derivation.\nExample: hiple knowledge why runs/thyroid --case 840801013");
  command->callback([options, &work] {
    work = [options] {
      options->query.case_id = options->case_id;
      options->query.most = static_cast<std::size_t>(-1);
      return list(*options);
    };
  });
}

void add_since(CLI::App& group, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = group.add_subcommand("since", "What was withdrawn and what was derived again since an earlier revision");
  add_run_options(*command, options->run);
  add_whole_number(*command, "--revision", options->revision, "the earlier one; 0, by default: before the first")->type_name("N");
  command->add_option("--most", options->most, "how many changes are listed")->check(CLI::Range(0, 1 << 30));
  command->add_flag("--json", options->json, "for programs: every change");
  command->footer("Critical changes come first.\nExample: hiple knowledge since runs/milling --revision 1");
  command->callback([options, &work] {
    work = [options] {
      const KnowledgeSince since = knowledge_since(RunDirectory(load(options->run)), options->revision);
      fmt::print("{}", options->json ? to_json(since) : to_text(since, options->most));
      return ExitStatus::done;
    };
  });
}

}  // namespace

void add_knowledge(CLI::App& app, Work& work) {
  auto* group = app.add_subcommand("knowledge", "What the run holds for true, what it rests on, and what became of it");
  group->require_subcommand(1);
  for (const auto& add : {add_list, add_why, add_since}) add(*group, work);
}

}  // namespace hiple::program
