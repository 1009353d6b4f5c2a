#include "run/watch.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "base/text.hpp"
#include "run/stop_signals.hpp"
#include "run/supervise.hpp"

namespace hiple {

namespace {

using namespace std::chrono_literals;

constexpr auto tick = 50ms;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t grace = 30 * second;  ///< from SIGTERM to SIGKILL
constexpr std::int64_t ask_every = second;
constexpr std::int64_t own_pause = 5 * second;  ///< between two looks: this process itself stood still, by suspension
constexpr std::size_t kept_lines = 10;
constexpr std::size_t longest_line = 1000;

/// What a child says, cut into lines.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) { ::fcntl(descriptor, F_SETFL, O_NONBLOCK); }

  /// Takes what is there.
  void drain() {
    std::array<char, 4096> part{};
    while (open_) {
      const ssize_t size = ::read(descriptor_, part.data(), part.size());
      if (size < 0 && errno == EINTR) continue;
      if (size == 0) open_ = false;
      if (size <= 0) break;
      line_.append(part.data(), static_cast<std::size_t>(size));
      for (auto end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) take(end + 1);
      if (line_.size() > longest_line) take(line_.size());
    }
  }
  void finish() {
    drain();
    if (!line_.empty()) take(line_.size());
  }
  [[nodiscard]] int watched() const { return open_ ? descriptor_ : -1; }
  std::deque<std::string>& lines() { return lines_; }

 private:
  void take(std::size_t size) {
    const std::string line = printable(trim(std::string_view(line_).substr(0, size)));
    line_.erase(0, size);
    std::fprintf(stderr, "%s\n", line.c_str());
    lines_.push_back(line);
    if (lines_.size() > kept_lines) lines_.pop_front();
  }

  int descriptor_;
  bool open_ = true;
  std::string line_;
  std::deque<std::string> lines_;
};

/// What this process asks of its child, and when.
class Watcher {
 public:
  Watcher(process::Spawner& spawner, const process::Pulse& pulse, const WatchSettings& settings)
      : spawner_(spawner), pulse_(pulse), settings_(settings), last_change_(process::monotonic_now()), last_look_(last_change_) {}

  void look(Ending& ending) {
    const std::int64_t now = process::monotonic_now();
    if (now - last_look_ > own_pause) last_change_ = now;
    last_look_ = now;
    const std::uint64_t beats = pulse_->beats;
    if (beats != last_beats_) last_change_ = now;
    last_beats_ = beats;
    follow();
    check_stall(now, ending);
    ask(now, ending);
    if (killed_at_ == 0 || static_cast<double>(now - killed_at_) / second < settings_.end_within) return;
    ending.unending = true;
    spawner_.abandon();
  }

  /// Tells of the steps and stages since the last look, all of them, in their order.
  void follow() {
    const std::uint32_t stage = pulse_->stage;
    const std::uint64_t step = pulse_->step;
    if (last_step_ == 0) last_step_ = pulse_->begun_step;
    while (last_step_ < step) {
      ++last_step_;
      if (settings_.on_step) settings_.on_step(last_step_);
    }
    while (last_stage_ < stage) {
      ++last_stage_;
      if (settings_.on_stage) settings_.on_stage(last_stage_);
    }
  }

 private:
  void check_stall(std::int64_t now, Ending& ending) {
    const double longest = static_cast<double>(pulse_->longest_step) / second;
    const double limit = stall_limit(pulse_->training == 1, longest, settings_.step_limit);
    if (ending.stalled || static_cast<double>(now - last_change_) / second < limit) return;
    ending.stalled = true;
    kill(now);
  }

  void kill(std::int64_t now) {
    if (killed_at_ == 0) killed_at_ = now;
    spawner_.signal(SIGKILL);
  }

  void ask(std::int64_t now, Ending& ending) {
    const engine::Request request = StopSignals::take();
    if (request == engine::Request::save) spawner_.signal(SIGUSR1);
    std::string why;
    if (settings_.stop && now >= next_ask_) {
      next_ask_ = now + ask_every;
      why = settings_.stop();
    }
    if (!ending.asked && (request == engine::Request::stop || !why.empty())) {
      ending.asked = true;
      ending.asked_why = why;
      kill_at_ = now + grace;
      spawner_.signal(SIGTERM);
    }
    if (ending.asked && now >= kill_at_) kill(now);
  }

  process::Spawner& spawner_;
  const process::Pulse& pulse_;
  const WatchSettings& settings_;
  std::int64_t last_change_, last_look_;
  std::int64_t next_ask_ = 0, kill_at_ = 0, killed_at_ = 0;
  std::uint64_t last_beats_ = 0, last_step_ = 0;
  std::uint32_t last_stage_ = 0;
};

}  // namespace

Ending watch(process::Spawner& spawner, const process::Pulse& pulse, int output, const WatchSettings& settings) {
  Ending ending;
  Output said(output);
  Watcher watcher(spawner, pulse, settings);
  const std::int64_t begin = process::monotonic_now();
  while (!ending.status && !spawner.lost()) {
    ending.status = spawner.ended(tick, said.watched());
    said.drain();
    if (!ending.status) watcher.look(ending);
  }
  watcher.follow();
  said.finish();
  ending.seconds = static_cast<double>(process::monotonic_now() - begin) / second;
  ending.last_lines = std::move(said.lines());
  return ending;
}

}  // namespace hiple
