#include "run/live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include "run/asked_cases.hpp"
#include "run/attempt_record.hpp"
#include "run/engine_record.hpp"
#include "run/lock.hpp"

namespace hiple {

namespace {

namespace fs = std::filesystem;

/// Seconds since a file was last written; NaN where there is none.
double age_of(const fs::path& path) {
  std::error_code error;
  const auto written = fs::last_write_time(path, error);
  if (error) return EngineState::unknown;
  const std::chrono::duration<double> age = fs::file_time_type::clock::now() - written;
  return std::max(age.count(), 0.0);
}

/// Whether the last attempt has begun and not ended. Engines that wait for their turn are held by the process that will train
/// them.
bool is_open(const std::vector<AttemptRecord>& attempts) { return !attempts.empty() && !attempts.back().has_end; }

std::string state_of(const RunDirectory& directory, const std::string& name, const std::vector<AttemptRecord>& attempts,
                     std::string& reason) {
  if (const auto failure = read_failure(directory.failure(name))) {
    reason = *failure;
    return "FAILED";
  }
  const bool judged = fs::exists(directory.judgments(name)), asked = has_request(directory, name);
  if (judged && !asked) return "done";
  const auto holder = read_lock(directory.engine_lock(name));
  if (holder && holder->may_be_alive()) return !is_open(attempts) ? "waiting" : judged ? "judging" : "training";
  return !judged && is_open(attempts) ? "interrupted" : "waiting";
}

void take_progress(const std::vector<ProgressLine>& lines, EngineState& state) {
  if (lines.empty()) return;
  const ProgressLine& last = lines.back();
  state.device = last.device;
  state.epoch = last.epoch;
  state.epochs = last.epochs;
  state.loss = std::isnan(last.early_stop_loss) ? last.training_loss : last.early_stop_loss;
  if (state.state != "training") return;
  const ProgressLine before = lines.size() > 1 ? lines[lines.size() - 2] : ProgressLine();
  const double samples = last.samples - before.samples, seconds = last.seconds - before.seconds;
  const auto epochs = static_cast<double>(last.epoch - before.epoch);
  if (seconds > 0 && samples > 0) state.rate = samples / seconds;
  if (seconds > 0 && epochs > 0 && last.epochs > 0)
    state.most_left = static_cast<double>(last.epochs - last.epoch) * seconds / epochs;
}

EngineState read_state(const RunDirectory& directory, const std::string& name) {
  EngineState state;
  state.name = name;
  const auto attempts = read_attempts(directory.attempts(name));
  state.state = state_of(directory, name, attempts, state.reason);
  if (!attempts.empty()) state.rank = attempts.back().rank;
  take_progress(read_progress(directory.progress(name)), state);
  if (state.state != "training" && state.state != "judging") return state;
  state.silence = age_of(directory.progress(name));
  if (state.rank >= 0) state.silence = std::fmin(state.silence, age_of(directory.heartbeat(state.rank)));
  return state;
}

std::string duration_text(double seconds) {
  if (std::isnan(seconds)) return "";
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5970) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string rate_text(double rate) {
  if (std::isnan(rate)) return "";
  if (rate < 1e4) return fmt::format("{:.0f}", rate);
  return rate < 1e7 ? fmt::format("{:.0f} k", rate / 1e3) : fmt::format("{:.0f} M", rate / 1e6);
}

constexpr std::size_t table_columns = 9;
using Row = std::array<std::string, table_columns>;
const Row heads = {"engine", "state", "rank", "device", "epoch", "loss", "samples/s", "left, at most", "seen"};
/// Which columns go where there is no room, in this order; the first two stay.
constexpr std::array<std::size_t, table_columns - 2> least_first = {3, 6, 2, 8, 5, 7, 4};
constexpr std::size_t first_number = 4;  ///< this column and all behind it stand right

Row row_of(const EngineState& state) {
  return {state.name,
          state.state,
          state.rank < 0 ? "" : std::to_string(state.rank),
          state.device,
          state.epoch < 0 ? "" : fmt::format("{}/{}", state.epoch, state.epochs),
          std::isnan(state.loss) ? "" : fmt::format("{:.4g}", state.loss),
          rate_text(state.rate),
          duration_text(state.most_left),
          std::isnan(state.silence) ? "" : duration_text(state.silence) + " ago"};
}

/// Widths of the columns that fit; 0: left out.
std::array<std::size_t, table_columns> widths_for(const std::vector<Row>& rows, std::size_t columns) {
  std::array<std::size_t, table_columns> widths{};
  for (std::size_t i = 0; i < table_columns; ++i)
    for (const Row& row : rows)
      if (!row[i].empty()) widths[i] = std::max({widths[i], row[i].size(), heads[i].size()});
  const auto total = [&] {
    std::size_t sum = 0;
    for (const std::size_t width : widths) sum += width > 0 ? width + 2 : 0;
    return sum - 2;
  };
  for (const std::size_t column : least_first)
    if (total() > columns) widths[column] = 0;
  if (total() > columns) widths[0] = std::max<std::size_t>(columns, widths[1] + 6) - widths[1] - 2;
  return widths;
}

std::string line_of(const Row& row, const std::array<std::size_t, table_columns>& widths) {
  std::string line;
  for (std::size_t i = 0; i < table_columns; ++i) {
    if (widths[i] == 0) continue;
    if (!line.empty()) line += "  ";
    const std::string text = row[i].size() <= widths[i] ? row[i] : row[i].substr(0, widths[i] - 1) + "~";
    line += i < first_number ? fmt::format("{:<{}}", text, widths[i]) : fmt::format("{:>{}}", text, widths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Those at work first, then those that failed, and those that are done last.
int urgency(const EngineState& state) {
  constexpr std::array<const char*, 6> order = {"training", "judging", "FAILED", "interrupted", "waiting", "done"};
  return static_cast<int>(std::find(order.begin(), order.end(), state.state) - order.begin());
}

}  // namespace

std::vector<EngineState> read_engine_states(const RunDirectory& directory, const RunConfig& config) {
  std::vector<EngineState> states;
  for (const EngineConfig& engine : config.engines) states.push_back(read_state(directory, engine.name));
  return states;
}

std::string live_table(const std::vector<EngineState>& states, std::size_t columns, std::size_t lines) {
  std::vector<EngineState> shown = states;
  const std::size_t room = std::max<std::size_t>(lines, 3) - 2;  // under the heads, above what is left out
  if (shown.size() > room + 1) {
    std::stable_sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) { return urgency(a) < urgency(b); });
    shown.resize(room);
  }
  std::vector<Row> rows;
  for (const EngineState& state : shown) rows.push_back(row_of(state));
  const auto widths = widths_for(rows, columns);
  std::string text = line_of(heads, widths) + "\n";
  for (const Row& row : rows) text += line_of(row, widths) + "\n";
  if (shown.size() < states.size()) {
    std::map<std::string, std::size_t> others;
    for (const EngineState& state : states) ++others[state.state];
    for (const EngineState& state : shown) --others[state.state];
    std::string left;
    for (const auto& [state, count] : others)
      if (count > 0) left += fmt::format("{}{} {}", left.empty() ? "" : ", ", count, state);
    text += "and " + (left.size() + 4 <= columns ? left : fmt::format("{} more", states.size() - shown.size())) + "\n";
  }
  return text;
}

std::string live_line(const EngineState& state) {
  std::string text = state.name + ": " + state.state;
  if (!state.reason.empty()) text += ": " + state.reason;
  if (state.epoch >= 0) text += fmt::format(", epoch {} of {}", state.epoch, state.epochs);
  if (!std::isnan(state.loss)) text += fmt::format(", loss {:.4g}", state.loss);
  if (!std::isnan(state.rate)) text += ", " + rate_text(state.rate) + " samples/s";
  if (!std::isnan(state.most_left)) text += ", at most " + duration_text(state.most_left) + " left";
  return text;
}

}  // namespace hiple
