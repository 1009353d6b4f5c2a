#pragma once

#include <filesystem>
#include <string>

namespace hiple {

/// The names inside a run's directory; nothing else in the program builds such a path.
class RunDirectory {
 public:
  explicit RunDirectory(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path config() const { return root_ / "run.yaml"; }
  [[nodiscard]] std::filesystem::path build() const { return root_ / "build.json"; }
  /// A run.yaml alone is a study that somebody wrote: a run has its build.json beside it, which is written first.
  [[nodiscard]] bool holds_run() const { return std::filesystem::exists(config()) && std::filesystem::exists(build()); }
  [[nodiscard]] std::filesystem::path lock() const { return root_ / "LOCK"; }
  [[nodiscard]] std::filesystem::path engines() const { return root_ / "engines"; }
  [[nodiscard]] std::filesystem::path engine(const std::string& name) const { return engines() / name; }
  [[nodiscard]] std::filesystem::path checkpoint(const std::string& name) const { return engine(name) / "checkpoint.h5"; }
  [[nodiscard]] std::filesystem::path progress(const std::string& name) const { return engine(name) / "progress.jsonl"; }
  [[nodiscard]] std::filesystem::path log(const std::string& name) const { return engine(name) / "log.txt"; }
  [[nodiscard]] std::filesystem::path result(const std::string& name) const { return engine(name) / "result.json"; }
  [[nodiscard]] std::filesystem::path failure(const std::string& name) const { return engine(name) / "FAILED"; }
  /// What the checkpoint was made from, in one line.
  [[nodiscard]] std::filesystem::path identity(const std::string& name) const { return engine(name) / "identity"; }
  [[nodiscard]] std::filesystem::path engine_lock(const std::string& name) const { return engine(name) / "LOCK"; }
  [[nodiscard]] std::filesystem::path all_judgments() const { return root_ / "judgments"; }
  [[nodiscard]] std::filesystem::path judgments(const std::string& name) const { return all_judgments() / (name + ".h5"); }
  [[nodiscard]] std::filesystem::path judgment_index() const { return root_ / "judgments.h5"; }
  [[nodiscard]] std::filesystem::path decisions() const { return root_ / "decisions.h5"; }
  [[nodiscard]] std::filesystem::path summary() const { return root_ / "summary.txt"; }
  [[nodiscard]] std::filesystem::path ledger() const { return root_ / "ledger.h5"; }
  /// Whether the ranks synchronised while they trained.
  [[nodiscard]] std::filesystem::path certificate() const { return root_ / "certificate.json"; }
  [[nodiscard]] std::filesystem::path trace() const { return root_ / "trace.json"; }
  [[nodiscard]] std::filesystem::path rank_ledgers() const { return root_ / "ledger"; }
  [[nodiscard]] std::filesystem::path rank_ledger(int rank) const { return rank_ledgers() / (std::to_string(rank) + ".h5"); }
  /// Of `hiple submit`: scripts, the numbers of the jobs, what the jobs printed.
  [[nodiscard]] std::filesystem::path slurm() const { return root_ / "slurm"; }
  [[nodiscard]] std::filesystem::path slurm_jobs() const { return slurm() / "jobs.json"; }
  [[nodiscard]] std::filesystem::path status() const { return root_ / "STATUS"; }

 private:
  std::filesystem::path root_;
};

}  // namespace hiple
