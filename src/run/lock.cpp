#include "run/lock.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "base/date.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/file_lock.hpp"
#include "base/text.hpp"
#include "run/host.hpp"

namespace hiple {

namespace {

struct ProcessState {
  char letter = '?';        ///< as ps shows it: R, S, Z ...; '?' where it cannot be known
  std::uint64_t start = 0;  ///< in ticks since boot; 0 where it cannot be known
};

/// Fields 3 and 22 of /proc/PID/stat (proc(5)), counted after the command's name, which may hold blanks.
ProcessState state_of(std::int64_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(stream, line);
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  const auto fields = split(trim(std::string_view(line).substr(name_end + 1)), ' ');
  constexpr std::size_t start_field = 22 - 3;
  if (fields.size() <= start_field || fields[0].empty()) return {};
  return {fields[0].front(), parse_unsigned(fields[start_field]).value_or(0)};
}

/// Nothing where the file is gone; a holder without a host where it cannot be understood.
std::optional<LockHolder> parse(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) return std::nullopt;
  LockHolder holder;
  try {
    const auto json = nlohmann::json::parse(stream);
    holder.host = json.value("host", "");
    holder.process = json.value("process", std::int64_t{0});
    holder.start = json.value("start", std::uint64_t{0});
    holder.job = json.value("job", "");
    holder.slurm.id = json.value("slurm_job", "");
    holder.slurm.step = json.value("slurm_step", "");
    holder.slurm.restart = json.value("slurm_restart", std::int64_t{0});
    holder.since = json.value("since", "");
  } catch (const nlohmann::json::exception&) {
    return LockHolder{};
  }
  return holder;
}

nlohmann::json record_of_this_process(const std::string& job) {
  const std::int64_t process = ::getpid();
  nlohmann::json record = {
      {"host", host_name()}, {"process", process}, {"start", state_of(process).start}, {"job", job}, {"since", utc_now()}};
  if (const auto slurm = this_slurm_job()) {
    record["slurm_job"] = slurm->id;
    record["slurm_step"] = slurm->step;
    record["slurm_restart"] = slurm->restart;
  }
  return record;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what, const LockHolder& holder) {
  throw InputError(Place{path.string()}, what + " is in use by " + holder.text(), "two writers would spoil each other's files",
                   "wait for it, or remove this file if that process is gone");
}

/// For a start, which happens once: Slurm is asked only where nothing else is known.
bool is_in_use(const LockHolder& holder) {
  return holder.may_be_alive() && (holder.host.empty() || holder.host == host_name() || !slurm_says_ended(holder.slurm));
}

/// Does something with a lock file whose holder is gone, while nobody else can: of two processes that find it so, the second
/// would otherwise take what the first has made its own meanwhile. False where there is nothing to be done any more, or
/// somebody else is at it.
template <class Work>
bool with_stale(const std::filesystem::path& path, const Work& work) {
  std::optional<FileLock> mine;
  try {
    mine = FileLock::attempt_existing(path);
    if (!mine) return false;
  } catch (const NoFileLocks&) {
    // Here it is only as safe as the time between two calls is short. What an engine writes is guarded otherwise
    // (run/writer.hpp).
  }
  const auto holder = read_lock(path);
  if (!holder || is_in_use(*holder)) return false;
  work();
  return true;
}

}  // namespace

std::string LockHolder::text() const {
  if (host.empty()) return "an unknown process";
  return "process " + std::to_string(process) + " on host " + host + " since " + since;
}

bool LockHolder::may_be_alive() const {
  if (const auto now = this_slurm_job(); now && is_earlier_start(slurm, *now)) return false;
  if (host != host_name() || process <= 0) return true;
  if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) return false;
  const ProcessState now = state_of(process);
  if (now.letter == 'Z' || now.letter == 'X') return false;  // ended, and nobody has asked for its exit status
  return now.start == 0 || start == 0 || now.start == start;
}

std::optional<LockHolder> read_lock(const std::filesystem::path& path) { return parse(path); }

std::string lock_record(const std::string& job) { return record_of_this_process(job).dump() + "\n"; }

Lock::Lock(std::filesystem::path path, const std::string& what, const std::string& job) : path_(std::move(path)) {
  using namespace std::chrono_literals;
  constexpr int tries = 100;
  constexpr auto pause = 10ms;
  make_folder(path_.parent_path());
  const auto draft = temporary_name(path_);
  try {
    write_file(draft, lock_record(job));
    for (int i = 0; i < tries; ++i) {
      if (::link(draft.c_str(), path_.c_str()) == 0) {
        std::filesystem::remove(draft);
        return;
      }
      if (errno != EEXIST) throw Error(path_.string() + ": cannot be locked: " + std::system_category().message(errno));
      const auto holder = read_lock(path_);
      if (holder && is_in_use(*holder)) refuse(path_, what, *holder);
      // Its holder is gone: what takes its place is whole, and there is no moment without a lock.
      if (holder && with_stale(path_, [&] { std::filesystem::rename(draft, path_); })) return;
      std::this_thread::sleep_for(pause);
    }
    throw Error(path_.string() + ": other processes were quicker to lock " + what);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(draft, ignored);
    throw;
  }
}

bool Lock::is_mine() const {
  const auto holder = read_lock(path_);
  return holder && holder->host == host_name() && holder->process == ::getpid();
}

Lock::~Lock() {
  if (!is_mine()) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void remove_stale_lock(const std::filesystem::path& path) {
  const auto holder = read_lock(path);
  if (!holder || is_in_use(*holder)) return;
  with_stale(path, [&] { std::filesystem::remove(path); });
}

void check_lock(const std::filesystem::path& path, const std::string& what, const std::string& job) {
  const auto holder = read_lock(path);
  if (holder && (job.empty() || holder->job != job) && is_in_use(*holder)) refuse(path, what, *holder);
}

}  // namespace hiple
