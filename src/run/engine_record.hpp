#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "run/command_record.hpp"

/// What an engine leaves in engines/E beside its checkpoint.
namespace hiple {

/// engines/E/log.txt: what happened, one line an event, with the time. Added to, never emptied.
class EngineLog {
 public:
  /// `who` stands before every line: "attempt 2 (process 4711): ".
  EngineLog(const std::filesystem::path& path, std::string who);
  void line(const std::string& text);

 private:
  std::ofstream stream_;
  std::string who_;
};

/// engines/E/progress.jsonl: where training stands, at most one line in max(10 s, ranks / 100 s), so that thousands of ranks do
/// not wear out a shared file system; and the last one.
class ProgressFile {
 public:
  ProgressFile(std::filesystem::path path, int ranks);
  /// Of all lines from here on: "cpu", "cuda:1".
  void set_device(std::string device) { device_ = std::move(device); }
  void note(const engine::Progress& progress);
  void last(const engine::Progress& progress);

 private:
  void write(const engine::Progress& progress);
  std::filesystem::path path_;
  std::string device_;
  std::chrono::duration<double> interval_;
  std::chrono::steady_clock::time_point next_;
};

/// One line of a progress file. Numbers that do not exist are NaN.
struct ProgressLine {
  std::int64_t epoch = 0, epochs = 0;
  double training_loss = 0, early_stop_loss = 0;
  double samples = 0, seconds = 0;  ///< from the beginning of training on
  std::string device;               ///< empty where it is not said
};

/// What a progress file says of the training that its last line belongs to: what was done and then done again, from a checkpoint,
/// stands in it once. Half a line counts for nothing; without a file there is none.
std::vector<ProgressLine> read_progress(const std::filesystem::path& path);

/// What a progress file says last: "epoch 12 of 80, 31 s"; "begun" where it says nothing yet.
std::string last_progress(const std::filesystem::path& path);

/// The walls around the process that trained an engine.
struct IsolationRecord {
  std::string kind = "rank";  ///< process or rank
  std::uint64_t attempt = 1;
  std::vector<std::string> mapped;  ///< libraries of MPI, NCCL and SHMEM that it had mapped when it had trained
  std::string internet;             ///< what came of trying to open an internet socket
};

/// What is recorded of an engine that is finished.
struct FinishedRecord {
  std::string engine, domain;
  std::uint64_t parameters = 0;  ///< 0: not known
  engine::Progress progress;
  double temperature = std::numeric_limits<double>::quiet_NaN();
  engine::HeldOut held_out;
  IsolationRecord isolation;
  std::optional<CommandRecord> command;
  std::string device;  ///< what computed its steps: "cpu", "cuda"; "its own" where a program of its own chose
};

/// engines/E/result.json: figures on the engine's own test rows, and what training took. Figures that do not exist (accuracy of
/// a regression, anything without rows, losses of a command) are null.
void write_result(const std::filesystem::path& path, const FinishedRecord& finished, const engine::Parts& parts);

/// What result.json says, for summaries.
struct EngineResult {
  std::uint64_t parameters = 0, test_rows = 0, abstained = 0;
  double accuracy = 0, balanced_accuracy = 0, rmse = 0;  ///< NaN where there is none
  double calibration_error = 0;                          ///< the same
  double seconds = 0;
  std::int64_t epochs = 0;
  std::uint64_t steps = 0;  ///< all that its weights took, those of earlier attempts too
  IsolationRecord isolation;
};
EngineResult read_result(const std::filesystem::path& path);

/// Writes engines/E/FAILED: one line of JSON with the reason and what the engine's process said last, whole or not at all.
void write_failure(const std::filesystem::path& path, const std::string& reason, const std::vector<std::string>& last_lines = {});

/// The reason, or nothing where the engine has not failed. A file that cannot be understood is a failure all the same.
std::optional<std::string> read_failure(const std::filesystem::path& path);

/// What the process of an engine that failed said last; none where it said nothing or has not failed.
std::vector<std::string> read_last_lines(const std::filesystem::path& path);

}  // namespace hiple
