#include "process/memory_group.hpp"

#include <fstream>

#include "base/text.hpp"

namespace hiple::process {

namespace {

/// The number behind a name in a file of "NAME NUMBER" lines; 0 where there is none.
std::uint64_t number_of(const std::filesystem::path& file, const std::string& wanted) {
  std::ifstream stream(file);
  for (std::string name, value; stream >> name >> value;)
    if (name == wanted) return parse_unsigned(value).value_or(0);
  return 0;
}

std::optional<std::uint64_t> number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string text;
  stream >> text;
  return parse_unsigned(text);
}

/// The group's path in the line of a hierarchy, "ID:CONTROLLERS:PATH" (cgroups(7)); version 2 has no controllers there.
std::optional<std::string> path_of(const std::filesystem::path& file, const std::string& controller) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    for (const std::string& name : split(controllers, ','))
      if (name == controller) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// `path` below `root`, or `root` itself: a container sees its own group there, under the path that its host has for it.
std::optional<std::filesystem::path> folder_with(const std::filesystem::path& root, const std::string& path, const char* file) {
  for (const auto& folder : {root / std::filesystem::path(path).relative_path(), root}) {
    std::error_code problem;
    if (std::filesystem::exists(folder / file, problem)) return folder;
  }
  return std::nullopt;
}

}  // namespace

std::optional<MemoryGroup> MemoryGroup::of_this_process(const std::filesystem::path& proc, const std::filesystem::path& groups) {
  const auto file = proc / "self" / "cgroup";
  if (const auto path = path_of(file, "memory"))
    if (const auto folder = folder_with(groups / "memory", *path, "memory.oom_control")) return MemoryGroup(*folder, false);
  if (const auto path = path_of(file, ""))
    if (const auto folder = folder_with(groups, *path, "memory.events")) return MemoryGroup(*folder, true);
  return std::nullopt;
}

std::uint64_t MemoryGroup::oom_kills() const {
  return number_of(folder_ / (second_ ? "memory.events" : "memory.oom_control"), "oom_kill");
}

std::optional<std::uint64_t> MemoryGroup::limit() const {
  constexpr std::uint64_t more_than_there_is = std::uint64_t{1} << 60;  // version 1 writes the largest number for "none"
  const auto bytes = number_in(folder_ / (second_ ? "memory.max" : "memory.limit_in_bytes"));
  return bytes && *bytes < more_than_there_is ? bytes : std::nullopt;
}

std::uint64_t MemoryGroup::in_use() const {
  return number_in(folder_ / (second_ ? "memory.current" : "memory.usage_in_bytes")).value_or(0);
}

std::uint64_t oom_kills_of_host(const std::filesystem::path& proc) { return number_of(proc / "vmstat", "oom_kill"); }

}  // namespace hiple::process
