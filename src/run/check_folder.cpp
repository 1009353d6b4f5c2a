#include "run/check_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/file.hpp"
#include "base/file_lock.hpp"

namespace hiple {

namespace {

namespace fs = std::filesystem;

/// A folder of a name that nobody else uses, gone with the object.
class TrialFolder {
 public:
  explicit TrialFolder(const fs::path& parent) : path_(parent / (".hiple-check-" + std::to_string(::getpid()))) {
    make_folder(path_);
  }
  ~TrialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string last_error() { return std::generic_category().message(errno); }

void try_links(const fs::path& from, const fs::path& to, const Place& place, Problems& problems) {
  if (::link(from.c_str(), to.c_str()) == 0) return;
  problems.add(place, "a file cannot get a second name there", last_error() + "; the lock of a run is made by link(2)",
               "choose an --output on another file system");
}

void try_locks(const fs::path& file, const Place& place, Problems& problems) {
  try {
    FileLock::attempt(file);
  } catch (const NoFileLocks& error) {
    problems.add(place, "a file cannot be locked there", error.what(),
                 "choose an --output on another file system (Lustre: one that is mounted with `flock`), or write "
                 "file_locks: none in run.yaml where nobody else starts the same run");
  }
}

}  // namespace

fs::path nearest_folder(const fs::path& path) {
  fs::path nearest = fs::absolute(path).lexically_normal();
  while (!fs::exists(nearest) && nearest.has_relative_path()) nearest = nearest.parent_path();
  return nearest;
}

FolderCheck check_folder(const RunConfig& config, std::uint64_t needed) {
  FolderCheck check;
  check.folder = nearest_folder(config.output);
  const Place place{config.output.string()};
  Problems problems;
  try {
    const TrialFolder trial(check.folder);
    const fs::path file = trial.path() / "file";
    write_file(file, "a file is written, made durable and renamed into place\n");
    try_links(file, trial.path() / "link", place, problems);
    if (config.file_locks == "required") try_locks(file, place, problems);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    problems.add(place, "cannot be written", error.what(), "choose another --output");
  }
  check.free_bytes = fs::space(check.folder).available;
  if (check.free_bytes < needed)
    problems.add(place, fmt::format("{:.1f} MiB are free there", static_cast<double>(check.free_bytes) / (1 << 20)),
                 fmt::format("the run writes about {:.1f} MiB", static_cast<double>(needed) / (1 << 20)),
                 "make room, or choose another --output");
  problems.throw_if_any();
  return check;
}

}  // namespace hiple
