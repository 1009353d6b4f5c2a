#include "run/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "base/text.hpp"
#include "run/engine_record.hpp"
#include "run/lock.hpp"

namespace hiple {

namespace {

/// No fault of the file, which would be waited for: the run itself is refused.
class LeftOut : public InputError {
 public:
  using InputError::InputError;
};

void refuse_left_out(const JudgmentStream& rows, const std::filesystem::path& file) {
  if (rows.leaves_cases_out())
    throw LeftOut(Place{file.string()}, "the engine was not asked about every case",
                  "the table is larger than what is decided in memory, where it could be asked", "judge anew with --fresh");
}

}  // namespace

Collector::Collector(const PreparedRun& run, const RunDirectory& directory, RunTable& table, Lost lost)
    : directory_(directory), lost_(std::move(lost)), in_memory_(table.in_memory()) {
  const SliceOf slice = [&table](const std::vector<std::string>& columns) { return table.slice(columns); };
  for (const EngineConfig& engine : run.config.engines) {
    Arrival& arrival = arrivals_.emplace_back();
    arrival.engine = engine.name;
    identities_.push_back(identity_of(run, engine, slice));
  }
  problems_.resize(arrivals_.size());
}

std::size_t Collector::look() {
  const std::size_t before = pending();
  for (std::size_t i = 0; i < arrivals_.size(); ++i)
    if (!arrivals_[i].judgments && arrivals_[i].reason.empty()) look_at(i);
  return before - pending();
}

bool Collector::take_judgments(std::size_t index) {
  Arrival& arrival = arrivals_[index];
  const auto file = directory_.judgments(arrival.engine);
  if (!std::filesystem::exists(file)) return false;
  try {
    auto rows = std::make_shared<JudgmentStream>(file);
    const Judgments& head = rows->head();
    if (Identity{head.config_sha256, head.data_sha256} == identities_[index]) {
      Judgments judgments = head;
      if (in_memory_) {
        judgments = rows->up_to(std::numeric_limits<std::uint64_t>::max(), rows->rows());
      } else {
        rows->check_rows();
        refuse_left_out(*rows, file);
        arrival.rows = std::move(rows);
      }
      arrival.sha256 = judgments.sha256;
      arrival.judgments = std::move(judgments);
      return true;
    }
    problems_[index] = "its judgments were made from other data or another configuration";
  } catch (const LeftOut&) {
    throw;
  } catch (const Error& error) {
    problems_[index] = error.what();
  }
  return false;
}

void Collector::look_at(std::size_t index) {
  if (take_judgments(index)) return;
  Arrival& arrival = arrivals_[index];
  if (const auto reason = read_failure(directory_.failure(arrival.engine))) {
    arrival.reason = "failed: " + *reason;
    return;
  }
  const std::string lost = lost_ ? lost_(index) : std::string();
  // It may have finished since the first look, and ended then.
  if (!lost.empty() && !take_judgments(index)) arrival.reason = "lost: " + lost;
}

std::string gone_owner(const RunDirectory& directory, const std::string& engine) {
  const auto owner = read_lock(directory.engine_lock(engine));
  return owner && !owner->may_be_alive() ? owner->text() + " is gone" : std::string();
}

std::size_t Collector::available() const {
  return static_cast<std::size_t>(
      std::count_if(arrivals_.begin(), arrivals_.end(), [](const Arrival& a) { return a.judgments.has_value(); }));
}

std::size_t Collector::failed() const {
  return static_cast<std::size_t>(
      std::count_if(arrivals_.begin(), arrivals_.end(), [](const Arrival& a) { return !a.reason.empty(); }));
}

std::vector<std::string> Collector::pending_names() const {
  std::vector<std::string> names;
  for (const Arrival& arrival : arrivals_)
    if (!arrival.judgments && arrival.reason.empty()) names.push_back(arrival.engine);
  return names;
}

std::vector<Arrival> Collector::take(const std::string& reason) && {
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    Arrival& arrival = arrivals_[i];
    if (arrival.judgments || !arrival.reason.empty()) continue;
    arrival.reason = problems_[i].empty() ? reason : reason + " (" + problems_[i] + ")";
  }
  return std::move(arrivals_);
}

std::vector<Arrival> wait_for_engines(Collector collector, const WaitSettings& settings) {
  using Clock = std::chrono::steady_clock;
  using namespace std::chrono_literals;
  constexpr double longest = 1e8;  // seconds; three years, and the clock's range is not exceeded
  constexpr auto tick = 20ms;
  constexpr auto look_every = 500ms;
  constexpr auto look_often_for = 1s;
  constexpr auto report_every = 10s;
  const auto after = [](auto duration) { return Clock::now() + std::chrono::duration_cast<Clock::duration>(duration); };

  const auto deadline = after(std::chrono::duration<double>(std::min(settings.deadline, longest)));
  auto next_look = Clock::now();
  auto next_report = Clock::now();
  auto last_report = Clock::time_point{};
  auto often_until = Clock::now();
  while (true) {
    const bool told = settings.told && settings.told();
    const auto now = Clock::now();
    if (told) often_until = now + look_often_for;
    if (told || now >= next_look) {
      const std::size_t arrived = collector.look();
      next_look = now + (now < often_until ? 5 * tick : look_every);
      if (settings.waiting && (now >= next_report || (arrived > 0 && now >= last_report + look_every))) {
        settings.waiting(collector);
        last_report = now;
        next_report = now + report_every;
      }
    }
    if (collector.pending() == 0) return std::move(collector).take("");
    if (settings.quorum && collector.available() >= *settings.quorum)
      return std::move(collector).take(fmt::format("not waited for: the quorum of {} was there", *settings.quorum));
    if (now >= deadline)
      return std::move(collector).take("no judgments within the deadline of " + format_real(settings.deadline) + " s");
    std::this_thread::sleep_for(tick);
  }
}

WaitSettings wait_settings(const RunConfig& config) {
  WaitSettings settings;
  settings.deadline = config.integrate.deadline;
  if (const auto quorum = parse_unsigned(config.integrate.quorum)) settings.quorum = *quorum;
  return settings;
}

}  // namespace hiple
