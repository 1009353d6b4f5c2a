#include "run/train_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "base/error_kinds.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "config/command_text.hpp"
#include "judgment/foreign.hpp"
#include "process/program.hpp"
#include "process/sandbox.hpp"
#include "process/spawner.hpp"
#include "run/command_input.hpp"

namespace hiple {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto tick = 50ms;
constexpr auto grace = 20s;  ///< from SIGTERM to SIGKILL; the one that watches this process waits for half a minute
constexpr int wrong_input = 2;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Open as long as anything of the program lives: an attempt whose process was killed may need a moment until all is gone.
process::Descriptor hold(const std::filesystem::path& folder) {
  make_folder(folder);
  process::Descriptor held(process::checked(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder.string()));
  for (const auto deadline = Clock::now() + 10s; ::flock(held.get(), LOCK_EX | LOCK_NB) != 0;) {
    if (Clock::now() >= deadline) throw Error(folder.string() + ": the program of an earlier attempt is still there");
    std::this_thread::sleep_for(tick);
  }
  return held;
}

/// What a program says of how far it is: a file that it writes or adds to.
class ProgressWatch {
 public:
  explicit ProgressWatch(std::filesystem::path path) : path_(std::move(path)) {}

  void look() {
    std::error_code problem;
    const auto size = std::filesystem::file_size(path_, problem);
    if (problem) return;
    const auto time = std::filesystem::last_write_time(path_, problem);
    if (problem || (size == size_ && time == time_)) return;
    size_ = size;
    time_ = time;
    seen_ = true;
    changed_ = Clock::now();
  }
  /// Seconds since it last said something; 0 for a program that never does.
  [[nodiscard]] double silent() const { return seen_ ? seconds_since(changed_) : 0; }
  /// The whole number with which the last line that has one begins.
  [[nodiscard]] std::uint64_t steps() const {
    std::uint64_t steps = 0;
    if (!std::filesystem::exists(path_)) return steps;
    for (const std::string& line : split(read_file(path_), '\n'))
      if (const auto number = parse_unsigned(split(trim(line), ' ').front())) steps = *number;
    return steps;
  }

 private:
  std::filesystem::path path_;
  bool seen_ = false;
  std::uintmax_t size_ = 0;
  std::filesystem::file_time_type time_;
  Clock::time_point changed_;
};

std::vector<std::string> environment_for(const CommandConfig& command, const std::map<std::string, std::string>& paths) {
  std::map<std::string, std::string> variables = command.variables;
  for (const auto& [name, path] : paths) {
    std::string upper = "HIPLE_";
    for (const char c : name) upper += static_cast<char>(c - 'a' + 'A');
    variables[upper] = path;
  }
  std::vector<std::string> environment;
  for (std::string& variable : process::clean_environment())
    if (!variables.contains(variable.substr(0, variable.find('=')))) environment.push_back(std::move(variable));
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  return environment;
}

/// Watches the program to its end.
class Watch {
 public:
  Watch(process::Program& program, const Attempt& attempt, const CommandConfig& command, double step_limit,
        ProgressWatch& progress)
      : program_(program), attempt_(attempt), command_(command), step_limit_(step_limit), progress_(progress) {}

  process::ProgramEnd to_end() {
    while (true) {
      if (const auto end = program_.ended(tick)) {
        if (asked_) throw Interrupted("its program was asked to stop");
        return *end;
      }
      if (attempt_.beat) attempt_.beat();
      look();
    }
  }
  [[nodiscard]] std::vector<std::string> mapped() const { return {mapped_.begin(), mapped_.end()}; }

 private:
  void look() {
    if (!asked_ && attempt_.request && attempt_.request() == engine::Request::stop) {
      asked_ = Clock::now();
      program_.signal(SIGTERM);
    }
    if (asked_ && Clock::now() - *asked_ > grace) {
      program_.end();
      throw Interrupted("its program was asked to stop, and ended after a while");
    }
    progress_.look();
    if (progress_.silent() > step_limit_) {
      program_.end();
      throw Error(fmt::format("its program said nothing of its progress for {:.0f} s (step_limit) and was ended", step_limit_));
    }
    if (seconds_since(begin_) > command_.time_limit) {
      program_.end();
      throw RepeatableError(
          fmt::format("its program did not end within {} s (time_limit) and was ended", format_real(command_.time_limit)));
    }
    if (Clock::now() < next_map_) return;
    next_map_ = Clock::now() + 1s;
    for (const std::string& library : process::mapped_libraries(process::speaking_libraries(), program_.process()))
      mapped_.insert(library);
  }

  process::Program& program_;
  const Attempt& attempt_;
  const CommandConfig& command_;
  double step_limit_;
  ProgressWatch& progress_;
  Clock::time_point begin_ = Clock::now(), next_map_ = begin_;
  std::optional<Clock::time_point> asked_;
  std::set<std::string> mapped_;
};

void check_end(const process::ProgramEnd& end, const std::filesystem::path& output) {
  if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == wrong_input)
    throw RepeatableError("its program ended with exit status 2: it says that what it was given is wrong");
  if (end.status != 0) throw Error("its program ended with " + process::end_text(end.status));
  if (!std::filesystem::exists(output))
    throw RepeatableError("its program ended well, but wrote no judgments into " + output.string());
}

CommandRecord record_of(const CommandConfig& command, const process::ProgramStart& start) {
  CommandRecord record;
  record.words = start.words;
  record.program = start.program;
  record.program_sha256 = sha256_file(start.program);
  for (const CommandConfig::File& file : command.files) record.files.emplace_back(file.path, file.sha256);
  return record;
}

/// What earlier attempts, which are gone, left behind.
void clear_attempts(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("command_output.")) std::filesystem::remove(entry.path());
}

}  // namespace

CommandOutcome train_command(const PreparedRun& run, const RunDirectory& directory, const EngineConfig& engine,
                             const Table& table, const engine::Parts& parts, const Attempt& attempt, EngineLog& log) {
  const CommandConfig& command = engine.command;
  const auto paths = command_paths(run, directory, engine.name, attempt.number);
  const std::filesystem::path output = paths.at("judgments");
  const process::Descriptor held = hold(paths.at("work"));
  clear_attempts(directory.engine(engine.name));
  std::filesystem::remove(paths.at("progress"));
  write_command_input(run, engine, table, parts, paths);
  if (attempt.beat) attempt.beat();

  process::ProgramStart start;
  start.program = command.program;
  for (const std::string& word : command.words) start.words.push_back(fill_in(word, paths));
  start.environment = environment_for(command, paths);
  start.folder = command.folder;
  start.held = held.get();
  CommandOutcome outcome{{}, record_of(command, start)};
  log.line("starts " + start.program.string() + ": " + join(start.words, " "));
  const auto begin = Clock::now();
  process::Program program(start);
  ProgressWatch progress(paths.at("progress"));
  Watch watch(program, attempt, command, run.config.step_limit, progress);
  const process::ProgramEnd end = watch.to_end();
  outcome.record.seconds = seconds_since(begin);
  outcome.record.mapped = watch.mapped();
  if (end.orphans > 0) log.line(fmt::format("its program left {} processes behind, which were ended", end.orphans));
  check_end(end, output);
  outcome.record.steps = progress.steps();
  outcome.record.output_sha256 = sha256_file(output);
  outcome.judgments =
      read_foreign_judgments(output, {classes_of(run.schema.columns.at(*run.schema.find(engine.target))), table.case_id});
  outcome.judgments.engine = engine.name;
  outcome.judgments.domain = engine.domain;
  outcome.judgments.training_seconds = outcome.record.seconds;
  outcome.judgments.steps = outcome.record.steps;
  outcome.judgments.checkpoint_sha256 = outcome.record.output_sha256;
  if (engine.probabilities == "none") outcome.judgments.probability.clear();
  std::filesystem::remove(output);
  std::filesystem::remove(paths.at("table"));
  return outcome;
}

}  // namespace hiple
