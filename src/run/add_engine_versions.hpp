#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "run/run_directory.hpp"

namespace hiple {

/// The versions of a finished run to which something is added. A version is a whole run directory, versions/N, that every command
/// reads: run.yaml, what the law leaves, engines and judgments. Files that two versions share are one file with two names (hard
/// links; copies where the file system has none), so that none needs another.
///
/// What the run's own directory shows are links by way of `current`, one link to the version in force. To change it is one
/// rename(2): the directory shows one version or the other, whatever ends the process. What is written into the directory later
/// (`hiple integrate`) takes the place of the links, and becomes a version of its own when something is added again.
///
/// Whoever changes versions holds the run's lock.
class Versions {
 public:
  /// `engines`: how many the run has, which says where their files lie.
  Versions(std::filesystem::path root, std::size_t engines);

  /// Makes what the directory shows a version, where it is none yet, and the names links to it: what they show stays the same.
  /// Removes what a process that was ended in the middle left of versions that never came into force. `engines`: of the run;
  /// `changing`: those of them that the next version trains anew. The number of the version.
  std::uint64_t keep(const std::vector<std::string>& engines, const std::vector<std::string>& changing);

  /// versions/next: where the next version is made, and what an interrupted attempt left of it.
  [[nodiscard]] RunDirectory next() const { return at(versions() / "next"); }
  /// Puts the engines and judgments that it shares there.
  void share(const std::vector<std::string>& engines) const;

  /// Gives it a number and puts it into force. `engines`: all of its engines; `changing`: those that are new or were trained
  /// anew. The number.
  std::uint64_t put_into_force(const std::vector<std::string>& engines, const std::vector<std::string>& changing);

  [[nodiscard]] std::filesystem::path folder(std::uint64_t version) const { return versions() / std::to_string(version); }
  /// The version in force, where there is one.
  [[nodiscard]] std::optional<std::uint64_t> current() const;

 private:
  [[nodiscard]] std::filesystem::path versions() const { return root_ / "versions"; }
  [[nodiscard]] RunDirectory at(const std::filesystem::path& folder) const { return RunDirectory(folder, count_); }
  [[nodiscard]] std::vector<std::filesystem::path> names(const std::vector<std::string>& engines,
                                                         const std::vector<std::string>& changing) const;
  [[nodiscard]] std::filesystem::path link_for(const std::filesystem::path& name) const;
  [[nodiscard]] bool is_shown(const std::filesystem::path& name) const;
  [[nodiscard]] bool would_show_the_same(const std::filesystem::path& name) const;
  void show(const std::filesystem::path& name) const;
  void point_to(std::uint64_t version) const;
  [[nodiscard]] std::uint64_t last() const;

  std::filesystem::path root_;
  std::size_t count_;
};

}  // namespace hiple
