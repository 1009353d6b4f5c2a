#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple::program {

/// What names a run on the command line.
struct RunOptions {
  std::filesystem::path run;     ///< run.yaml, or the directory of a run
  std::filesystem::path output;  ///< empty: what run.yaml says
  bool fresh = false;
  std::uint64_t at_once = 1;        ///< engines that a process trains side by side
  bool no_commands = false;         ///< refuse engines of type command
  std::vector<std::string> faults;  ///< as parse_fault reads them
  bool verbose = false;
};

/// RUN.yaml, --output, --verbose.
void add_run_options(CLI::App& command, RunOptions& options);
/// --inject.
void add_fault_option(CLI::App& command, RunOptions& options);
/// --at-once.
void add_at_once_option(CLI::App& command, RunOptions& options);
/// The options of `hiple run`, the same for the program under a launcher: the above, --fresh and --inject.
void add_start_options(CLI::App& command, RunOptions& options);

/// Reads run.yaml, of a run's directory too, and puts --output in its place; the law is that of the revision in force, unless
/// everything is begun afresh. Throws InputError, also where the options do not go with it.
RunConfig load(const RunOptions& options);
/// The same with the law that run.yaml names.
RunConfig load_without_revision(const RunOptions& options);

/// Parses; prints help, version or what is wrong. Returns an exit status where the program should end now.
std::optional<ExitStatus> parse(CLI::App& app, int argc, const char* const* argv);

}  // namespace hiple::program
