#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <thread>

#include "base/date.hpp"
#include "mpi/program/commands.hpp"
#include "run/live.hpp"
#include "run/status.hpp"

namespace hiple::program {

namespace {

struct Options {
  std::filesystem::path directory;
  bool watch = false;
  double every = 2;  ///< seconds
};

/// A terminal that can move its cursor.
bool can_redraw() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// Columns and lines of the terminal.
std::pair<std::size_t, std::size_t> terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {80, 24};
  return {size.ws_col, size.ws_row};
}

/// Shows states one after the other: as a table that is drawn again at its place, or as a line for each engine that has changed.
class Display {
 public:
  void show(const std::string& head, const std::vector<EngineState>& states) {
    redraw_ ? draw(head, states) : print_changes(states);
    std::fflush(stdout);
  }

 private:
  void draw(const std::string& head, const std::vector<EngineState>& states) {
    const auto [columns, lines] = terminal_size();
    std::string text = head.substr(0, columns) + "\n" + live_table(states, columns, lines > 2 ? lines - 2 : 1);
    // Up to the first line of what was drawn before, and away with it.
    if (drawn_ > 0) fmt::print("\x1b[{}A\x1b[J", drawn_);
    drawn_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    fmt::print("{}", text);
  }

  void print_changes(const std::vector<EngineState>& states) {
    for (const EngineState& state : states) {
      std::string line = live_line(state), &last = last_[state.name];
      if (line == last) continue;
      fmt::print("{} {}\n", utc_now(), line);
      last = std::move(line);
    }
  }

  bool redraw_ = can_redraw();
  std::size_t drawn_ = 0;
  std::map<std::string, std::string> last_;
};

ExitStatus print(const RunState& state) {
  fmt::print("{}", state.text);
  return state.status;
}

/// Until the run has ended, or the job that held it has gone.
ExitStatus watch(const Options& options) {
  const RunDirectory directory(options.directory);
  Display display;
  bool was_held = false;
  for (RunState state = read_run_state(directory); state.goes_on && (state.is_held || !was_held);
       state = read_run_state(directory)) {
    was_held = was_held || state.is_held;
    const RunConfig config = load_run_config(directory.config());
    display.show(state.text.substr(0, state.text.find('\n')),
                 read_engine_states(RunDirectory(options.directory, config.engines.size()), config));
    std::this_thread::sleep_for(std::chrono::duration<double>(options.every));
  }
  return print(read_run_state(directory));
}

}  // namespace

void add_status(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("status", "How a run stands, read from its files");
  command->add_option("DIR", options->directory, "directory of the run")->required()->type_name("DIR");
  auto* watch_flag =
      command->add_flag("--watch", options->watch,
                        "goes on until the run ends or stops: a table of the engines, or, where the output is no terminal, "
                        "a line for each engine that has changed");
  command->add_option("--every", options->every, "seconds between two looks (2)")
      ->needs(watch_flag)
      ->check(CLI::Range(0.1, 3600.0))
      ->type_name("SECONDS");
  command->footer(
      "Exit status of a run that has ended: 0 complete, 3 partial, 1 failed. Of one that goes on: 0; 5 where the law\n"
      "asks engines to judge more, and nobody is at it.");
  command->callback([options, &work] {
    work = [options] { return options->watch ? watch(*options) : print(read_run_state(RunDirectory(options->directory))); };
  });
}

}  // namespace hiple::program
