#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/hash.hpp"
#include "config/run_config.hpp"

namespace hiple {

/// The names inside a run's directory; nothing else in the program builds such a path.
class RunDirectory {
 public:
  /// `engines`: of the run. With more than a thousand their files are spread over subfolders, since folders with very many
  /// entries are slow on shared file systems.
  explicit RunDirectory(std::filesystem::path root, std::size_t engines = 0)
      : root_(std::move(root)), spread_(spreads(engines)) {}
  explicit RunDirectory(const RunConfig& config) : RunDirectory(config.output, config.engines.size()) {}

  [[nodiscard]] static bool spreads(std::size_t engines) { return engines > 1000; }

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path config() const { return root_ / "run.yaml"; }
  [[nodiscard]] std::filesystem::path build() const { return root_ / "build.json"; }
  /// A run.yaml alone is a study that somebody wrote: a run has its build.json beside it, which is written first.
  [[nodiscard]] bool holds_run() const { return std::filesystem::exists(config()) && std::filesystem::exists(build()); }
  [[nodiscard]] std::filesystem::path lock() const { return root_ / "LOCK"; }
  [[nodiscard]] std::filesystem::path engines() const { return root_ / "engines"; }
  [[nodiscard]] std::filesystem::path engine(const std::string& name) const { return folder_of(engines(), name); }
  [[nodiscard]] std::filesystem::path checkpoint(const std::string& name) const { return engine(name) / "checkpoint.h5"; }
  [[nodiscard]] std::filesystem::path progress(const std::string& name) const { return engine(name) / "progress.jsonl"; }
  [[nodiscard]] std::filesystem::path log(const std::string& name) const { return engine(name) / "log.txt"; }
  [[nodiscard]] std::filesystem::path result(const std::string& name) const { return engine(name) / "result.json"; }
  [[nodiscard]] std::filesystem::path failure(const std::string& name) const { return engine(name) / "FAILED"; }
  /// What the checkpoint was made from, in one line.
  [[nodiscard]] std::filesystem::path identity(const std::string& name) const { return engine(name) / "identity"; }
  [[nodiscard]] std::filesystem::path engine_lock(const std::string& name) const { return engine(name) / "LOCK"; }
  /// Locked in the kernel by the process that trains at this moment; LOCK is held by the one that answers for it.
  [[nodiscard]] std::filesystem::path writer(const std::string& name) const { return engine(name) / "WRITER"; }
  /// In its place where run.yaml says that there need be no locks.
  [[nodiscard]] std::filesystem::path writer_without_locks(const std::string& name) const {
    return engine(name) / "WRITER_WITHOUT_LOCKS";
  }
  [[nodiscard]] std::filesystem::path attempts(const std::string& name) const { return engine(name) / "attempts.jsonl"; }
  /// Of an engine that is a command: what it is given, what it writes, and a folder of its own that outlives an attempt.
  [[nodiscard]] std::filesystem::path command_table(const std::string& name) const { return engine(name) / "command_table.h5"; }
  [[nodiscard]] std::filesystem::path command_config(const std::string& name) const { return engine(name) / "command.json"; }
  [[nodiscard]] std::filesystem::path command_output(const std::string& name, std::uint64_t attempt) const {
    return engine(name) / ("command_output." + std::to_string(attempt) + ".h5");
  }
  [[nodiscard]] std::filesystem::path command_progress(const std::string& name) const {
    return engine(name) / "command_progress.txt";
  }
  [[nodiscard]] std::filesystem::path command_work(const std::string& name) const { return engine(name) / "work"; }
  [[nodiscard]] std::filesystem::path all_judgments() const { return root_ / "judgments"; }
  [[nodiscard]] std::filesystem::path judgments(const std::string& name) const {
    return folder_of(all_judgments(), name).replace_filename(name + ".h5");
  }
  /// What the law asks an engine to judge yet; gone when it is answered.
  [[nodiscard]] std::filesystem::path all_requests() const { return root_ / "requests"; }
  [[nodiscard]] std::filesystem::path request(const std::string& name) const {
    return folder_of(all_requests(), name).replace_filename(name + ".h5");
  }
  [[nodiscard]] std::filesystem::path judgment_index() const { return root_ / "judgments.h5"; }
  [[nodiscard]] std::filesystem::path decisions() const { return root_ / "decisions.h5"; }
  /// Of revisions of the law, a folder for each (revise_history.hpp); 0 is what was decided before the first one.
  [[nodiscard]] std::filesystem::path all_revisions() const { return root_ / "revisions"; }
  [[nodiscard]] std::filesystem::path revision(std::uint64_t number) const { return all_revisions() / std::to_string(number); }
  [[nodiscard]] std::filesystem::path revision_law(std::uint64_t number) const { return revision(number) / "law.yaml"; }
  [[nodiscard]] std::filesystem::path revision_critical(std::uint64_t number) const { return revision(number) / "critical.yaml"; }
  [[nodiscard]] std::filesystem::path revision_decisions(std::uint64_t number) const { return revision(number) / "decisions.h5"; }
  [[nodiscard]] std::filesystem::path revision_record(std::uint64_t number) const { return revision(number) / "revision.json"; }
  /// The page for people, where no other name is given.
  [[nodiscard]] std::filesystem::path report() const { return root_ / "report.html"; }
  [[nodiscard]] std::filesystem::path summary() const { return root_ / "summary.txt"; }
  [[nodiscard]] std::filesystem::path ledger() const { return root_ / "ledger.h5"; }
  /// Whether the ranks synchronised while they trained.
  [[nodiscard]] std::filesystem::path certificate() const { return root_ / "certificate.json"; }
  [[nodiscard]] std::filesystem::path trace() const { return root_ / "trace.json"; }
  [[nodiscard]] std::filesystem::path rank_ledgers() const { return root_ / "ledger"; }
  [[nodiscard]] std::filesystem::path rank_ledger(int rank) const { return rank_ledgers() / (std::to_string(rank) + ".h5"); }
  /// The signs of life of the ranks of one MPI job.
  [[nodiscard]] std::filesystem::path heartbeats() const { return root_ / "heartbeats"; }
  [[nodiscard]] std::filesystem::path heartbeat(int rank) const { return heartbeats() / std::to_string(rank); }
  /// Of `hiple submit`: scripts, the numbers of the jobs, what the jobs printed.
  [[nodiscard]] std::filesystem::path slurm() const { return root_ / "slurm"; }
  [[nodiscard]] std::filesystem::path slurm_jobs() const { return slurm() / "jobs.json"; }
  [[nodiscard]] std::filesystem::path status() const { return root_ / "STATUS"; }

 private:
  /// `parent`/NAME, or `parent`/1f/NAME, by the first two digits of the name's SHA-256.
  [[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& parent, const std::string& name) const {
    return spread_ ? parent / sha256(name).substr(0, 2) / name : parent / name;
  }

  std::filesystem::path root_;
  bool spread_;
};

}  // namespace hiple
