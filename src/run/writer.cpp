#include "run/writer.hpp"

#include <optional>
#include <thread>
#include <utility>

#include "base/error_kinds.hpp"
#include "base/file.hpp"
#include "base/file_lock.hpp"
#include "base/publish_guard.hpp"
#include "run/lock.hpp"

namespace hiple {

namespace {

using namespace std::chrono_literals;

std::string holder_text(const std::filesystem::path& path) {
  const auto holder = read_lock(path);
  return holder ? holder->text() : LockHolder{}.text();
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& engine) {
  throw InputError(Place{path.string()}, "engine " + engine + " is being written by " + holder_text(path),
                   "two writers would spoil each other's files", "wait for that process, or end it; the lock goes with it");
}

[[noreturn]] void refuse_without_locks(const std::filesystem::path& path, const std::string& why) {
  throw InputError(
      Place{path.string()},
      "the file system of the run's directory has no locks, and so two processes could write one engine at once", why,
      "choose another --output (Lustre: one that is mounted with `flock`), or write file_locks: none in run.yaml where "
      "nobody else starts this run meanwhile");
}

/// Calls `attempt` until it gives something, or the time is over.
template <class Attempt>
auto until(const Attempt& attempt, const std::filesystem::path& path, const WaitForWriter& wait) {
  constexpr auto pause = 20ms;
  const auto deadline = std::chrono::steady_clock::now() + wait.longest;
  auto found = attempt();
  if (!found && wait.told) wait.told(holder_text(path));
  while (!found && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(pause);
    if (wait.meanwhile) wait.meanwhile();
    found = attempt();
  }
  return found;
}

FileLock wait_for_lock(const std::filesystem::path& path, const std::string& engine, const WaitForWriter& wait) {
  try {
    auto lock = until(
        [&] {
          make_folder(path.parent_path());  // which --fresh may have removed since the last look
          return FileLock::attempt(path);
        },
        path, wait);
    if (!lock) refuse(path, engine);
    return std::move(*lock);
  } catch (const NoFileLocks& error) {
    refuse_without_locks(path, error.what());
  }
}

std::unique_ptr<Lock> wait_for_lock_file(const std::filesystem::path& path, const std::string& engine,
                                         const WaitForWriter& wait) {
  auto lock = until(
      [&]() -> std::unique_ptr<Lock> {
        const auto holder = read_lock(path);
        if (holder && holder->may_be_alive()) return nullptr;
        return std::make_unique<Lock>(path, "engine " + engine);
      },
      path, wait);
  if (!lock) refuse(path, engine);
  return lock;
}

}  // namespace

struct Writer::State {
  State(FileLock taken, const std::filesystem::path& path) : lock(std::move(taken)) {
    lock->write(lock_record());
    guard.emplace([this, path] {
      if (lock->is_named()) return;
      throw RepeatableError(path.string() +
                            ": was removed or replaced while this process trained: another one may write the engine now, and "
                            "nothing more is published");
    });
  }
  explicit State(std::unique_ptr<Lock> taken) : lock_file(std::move(taken)) {}

  std::optional<FileLock> lock;
  std::optional<PublishGuard> guard;
  std::unique_ptr<Lock> lock_file;
};

Writer::Writer(const RunConfig& config, const RunDirectory& directory, const std::string& engine, const WaitForWriter& wait)
    : state_(config.file_locks == "none"
                 ? std::make_unique<State>(wait_for_lock_file(directory.writer_without_locks(engine), engine, wait))
                 : std::make_unique<State>(wait_for_lock(directory.writer(engine), engine, wait), directory.writer(engine))) {}

Writer::~Writer() = default;

void remove_engines(const RunConfig& config, const RunDirectory& directory, const WaitForWriter& wait) {
  if (std::filesystem::exists(directory.engines())) {
    for (const EngineConfig& engine : config.engines) {
      if (!std::filesystem::exists(directory.engine(engine.name))) continue;
      const Writer writer(config, directory, engine.name, wait);
      std::filesystem::remove_all(directory.engine(engine.name));
    }
  }
  // Of engines that are in the configuration no more.
  std::filesystem::remove_all(directory.engines());
  std::filesystem::remove_all(directory.all_judgments());
}

}  // namespace hiple
