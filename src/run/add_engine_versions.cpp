#include "run/add_engine_versions.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace hiple {

namespace fs = std::filesystem;

namespace {

/// The name in the run's directory of the link by which all others go.
constexpr const char* current_name = "current";

[[noreturn]] void fail(const fs::path& path, const std::string& doing, const std::error_code& problem) {
  throw Error(path.string() + ": " + doing + ": " + problem.message());
}

/// A rename is durable once its folder is. Some file systems cannot do that for a folder; the rename stands all the same.
void synchronise_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be renamed into place", {errno, std::system_category()});
  synchronise_folder(to.parent_path());
}

/// Makes `path` a link, in the place of whatever file or link is there.
void put_link(const fs::path& path, const fs::path& target) {
  const fs::path temporary = temporary_name(path);
  std::error_code problem;
  fs::create_symlink(target, temporary, problem);
  if (problem) fail(path, "cannot become a link", problem);
  rename_durably(temporary, path);
}

/// The same file under a second name; a copy where there are no hard links.
void put_same(const fs::path& file, const fs::path& path) {
  std::error_code problem;
  fs::remove(path, problem);
  const fs::path real = fs::canonical(file);
  fs::create_hard_link(real, path, problem);
  if (problem) fs::copy_file(real, path, problem);
  if (problem) fail(path, "cannot be the same as " + file.string(), problem);
}

bool is_lock(const std::string& name) { return name.starts_with("LOCK") || name.starts_with("WRITER"); }

/// All files of a folder, under second names. Locks are of the folder that they lie in.
void put_same_folder(const fs::path& folder, const fs::path& to) {
  make_folder(to);
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (is_lock(name) || name.find(".tmp.") != std::string::npos) continue;
    if (entry.is_directory())
      put_same_folder(entry.path(), to / name);
    else if (entry.is_regular_file())
      put_same(entry.path(), to / name);
  }
}

}  // namespace

Versions::Versions(fs::path root, std::size_t engines) : root_(std::move(root)), count_(engines) {}

std::optional<std::uint64_t> Versions::current() const {
  std::error_code none;
  const fs::path target = fs::read_symlink(root_ / current_name, none);
  if (none) return std::nullopt;
  return parse_unsigned(target.filename().string());
}

std::uint64_t Versions::last() const {
  std::uint64_t number = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(versions(), none))
    number = std::max(number, parse_unsigned(entry.path().filename().string()).value_or(0));
  return number;
}

/// What the directory shows by way of `current`: what the law leaves, all judgments, and the files of engines that change.
std::vector<fs::path> Versions::names(const std::vector<std::string>& engines, const std::vector<std::string>& changing) const {
  const RunDirectory directory = at(root_);
  std::vector<fs::path> names = {directory.config(),      directory.build(),   directory.judgment_index(),
                                 directory.decisions(),   directory.summary(), directory.ledger(),
                                 directory.certificate(), directory.trace(),   directory.status()};
  for (const std::string& engine : engines) names.push_back(directory.judgments(engine));
  for (const std::string& engine : changing) {
    // An engine that is new has its folder in its own version alone.
    const fs::path folder = directory.engine(engine);
    if (!fs::exists(fs::symlink_status(folder)) || fs::is_symlink(folder)) {
      names.push_back(folder);
      continue;
    }
    std::set<fs::path> files;
    for (const fs::path& side : {folder, at(root_ / current_name).engine(engine), next().engine(engine)}) {
      std::error_code none;
      for (const auto& entry : fs::directory_iterator(side, none)) {
        const fs::path file = entry.path().filename();
        if (!is_lock(file.string()) && file.string().find(".tmp.") == std::string::npos) files.insert(file);
      }
    }
    for (const fs::path& file : files) names.push_back(folder / file);
  }
  return names;
}

/// What a name in the directory says where it is shown by way of `current`: a path from its own folder, so that the directory
/// may be moved.
fs::path Versions::link_for(const fs::path& name) const {
  const fs::path inside = name.lexically_relative(root_);
  return (root_ / current_name / inside).lexically_relative(name.parent_path());
}

bool Versions::is_shown(const fs::path& name) const {
  std::error_code none;
  return fs::read_symlink(name, none) == link_for(name) && !none;
}

/// Whether a name says the same by way of `current`, whether or not it goes by it already.
bool Versions::would_show_the_same(const fs::path& name) const {
  if (is_shown(name)) return true;
  const fs::path shown = root_ / current_name / name.lexically_relative(root_);
  if (!fs::exists(name) || !fs::exists(shown)) return fs::exists(name) == fs::exists(shown);
  return fs::equivalent(name, shown);
}

void Versions::show(const fs::path& name) const {
  if (is_shown(name)) return;
  make_folder(name.parent_path());
  remove_temporaries(name);
  // A folder cannot be replaced in one step. It is an engine's scratch; what is missing after a crash is put there again.
  const fs::path aside = name.string() + ".tmp.aside";
  if (fs::is_directory(fs::symlink_status(name))) rename_durably(name, aside);
  put_link(name, link_for(name));
  fs::remove_all(aside);
}

void Versions::point_to(std::uint64_t version) const {
  put_link(root_ / current_name, fs::path("versions") / std::to_string(version));
}

std::uint64_t Versions::keep(const std::vector<std::string>& engines, const std::vector<std::string>& changing) {
  const std::uint64_t in_force = current().value_or(0);
  for (std::uint64_t number = last(); number > in_force; number = last()) fs::remove_all(folder(number));
  const fs::path keeping = versions() / "keeping";
  fs::remove_all(keeping);
  remove_temporaries(root_ / current_name);
  const auto shown = names(engines, changing);
  if (in_force > 0 && std::all_of(shown.begin(), shown.end(), [&](const auto& name) { return would_show_the_same(name); })) {
    for (const fs::path& name : shown) show(name);
    return in_force;
  }

  const RunDirectory from = at(root_), to = at(keeping);
  make_folder(keeping);
  for (const fs::path& name : names({}, {}))
    if (fs::exists(name)) put_same(name, keeping / name.lexically_relative(root_));
  for (const std::string& engine : engines) {
    if (fs::exists(from.engine(engine))) put_same_folder(from.engine(engine), to.engine(engine));
    make_folder(to.judgments(engine).parent_path());
    if (fs::exists(from.judgments(engine))) put_same(from.judgments(engine), to.judgments(engine));
  }
  const std::uint64_t number = in_force + 1;
  rename_durably(keeping, folder(number));
  point_to(number);
  for (const fs::path& name : shown) show(name);
  return number;
}

void Versions::share(const std::vector<std::string>& engines) const {
  const RunDirectory from = at(root_), to = next();
  for (const std::string& engine : engines) {
    // What is there already may have been added to: an engine that judges on demand was asked for more.
    if (!fs::exists(to.engine(engine)) && fs::exists(from.engine(engine)))
      put_same_folder(from.engine(engine), to.engine(engine));
    make_folder(to.judgments(engine).parent_path());
    if (!fs::exists(to.judgments(engine))) put_same(from.judgments(engine), to.judgments(engine));
  }
}

std::uint64_t Versions::put_into_force(const std::vector<std::string>& engines, const std::vector<std::string>& changing) {
  // Links to what is not there yet: nothing that the directory shows has changed until `current` does.
  for (const fs::path& name : names(engines, changing)) show(name);
  const std::uint64_t number = current().value_or(0) + 1;
  rename_durably(next().root(), folder(number));
  point_to(number);
  return number;
}

}  // namespace hiple
