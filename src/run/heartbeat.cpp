#include "run/heartbeat.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.hpp"
#include "base/text.hpp"
#include "run/host.hpp"

namespace hiple {

namespace {

constexpr double beats_a_limit = 4;
using Seconds = std::chrono::duration<double>;

/// Between two looks. A folder with thousands of ranks should not be read more often than it tells anything new.
Seconds gap_between_looks(double limit) {
  constexpr double shortest = 0.5, longest = 5, looks_a_limit = 100;
  return Seconds(std::clamp(limit / looks_a_limit, shortest, longest));
}

/// More than that beyond the gap, and this process itself stood still.
constexpr Seconds own_delay{2.0};

/// New threads take no signals: those are for the thread that asks for them between two steps.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return stream ? content.str() : std::string();
}

std::string host_in(const std::string& content) {
  const auto record = nlohmann::json::parse(content, nullptr, false);
  return record.is_object() ? record.value("host", "") : std::string();
}

}  // namespace

std::chrono::duration<double> heartbeat_interval(int ranks, double lost_after) {
  constexpr double longest = 10, a_rank = 0.01;
  return std::chrono::duration<double>(std::min(std::max(longest, a_rank * ranks), lost_after / beats_a_limit));
}

Heartbeat::Heartbeat(const RunDirectory& directory, int rank, std::chrono::duration<double> interval)
    : path_(directory.heartbeat(rank)) {
  make_folder(path_.parent_path());
  const SignalsBlocked blocked;
  thread_ = std::jthread([this, rank, interval](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t count = 0; !stop.stop_requested(); ++count) {
      beat(rank, count);
      wake_.wait_for(lock, stop, interval, [] { return false; });
    }
  });
}

Heartbeat::~Heartbeat() {
  thread_.request_stop();
  thread_.join();
  ::unlink(path_.c_str());
}

void Heartbeat::beat(int rank, std::uint64_t count) const {
  std::string content =
      nlohmann::json({{"rank", rank}, {"host", host_name()}, {"process", ::getpid()}, {"beat", count}}).dump() + "\n";
  // In place and of one length: it needs no room on a disk that is full, and no name in a folder that is slow.
  constexpr std::size_t size = 512;
  if (content.size() < size) content.insert(content.size() - 1, size - content.size(), ' ');
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  [[maybe_unused]] const auto written = ::pwrite(file, content.data(), content.size(), 0);
  ::close(file);
}

HeartbeatWatch::HeartbeatWatch(RunDirectory directory, const std::vector<int>& ranks, int own, double limit,
                               Clock::time_point now)
    : directory_(std::move(directory)), own_(own), limit_(limit), last_look_(now) {
  for (const int rank : ranks) signs_[rank];
}

void HeartbeatWatch::read(int rank, Sign& sign, std::chrono::duration<double> gap) const {
  std::string content = content_of(directory_.heartbeat(rank));
  if (content.empty() || content == sign.content) {
    sign.silence += gap;
    return;
  }
  if (const std::string host = host_in(content); !host.empty()) sign.host = host;
  sign.content = std::move(content);
  sign.silence = {};
}

void HeartbeatWatch::look(Clock::time_point now) {
  const Seconds usual = gap_between_looks(limit_);
  if (Seconds(now - last_look_) < usual) return;
  const Seconds gap = std::min(Seconds(now - last_look_), usual + own_delay);
  last_look_ = now;
  read(own_, own_sign_, gap);
  const bool blind = own_sign_.silence.count() > limit_ / 2;
  for (auto& [rank, sign] : signs_) read(rank, sign, blind ? Seconds(0) : gap);
}

std::string HeartbeatWatch::lost(int rank) const {
  const Sign& sign = signs_.at(rank);
  if (!(sign.silence.count() >= limit_)) return {};
  return fmt::format("rank {} on {} gave no sign of life for {} s (integrate.lost_after)", rank,
                     sign.host.empty() ? "a host that it did not name" : "host " + sign.host, format_real(limit_));
}

}  // namespace hiple
