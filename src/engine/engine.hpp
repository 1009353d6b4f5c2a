#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "device/placement.hpp"
#include "judgment/judgment.hpp"
#include "table/split.hpp"
#include "table/table.hpp"

namespace hiple::engine {

/// The four disjoint parts of an engine's rows, as row numbers of the table.
struct Parts {
  std::vector<std::uint32_t> training, early_stop, calibration, test;
};

/// Divides the engine's own rows (those its condition `cases` selects): test rows by `division`, the rest into training,
/// early stop and calibration by Philox(seed, engine name), keeping the classes' proportions.
Parts make_parts(const Table& table, const EngineConfig& engine, std::span<const std::uint32_t> rows,
                 std::span<const Part> division, const SplitConfig& split, std::uint64_t seed);

/// Where training stands after an epoch.
struct Progress {
  std::int64_t epoch = 0, epochs = 0;
  std::uint64_t step = 0, samples = 0;
  double training_loss = 0, early_stop_loss = 0, best_loss = 0;
  double seconds = 0;  ///< in the training loop, this process and those it goes on from
};

/// What somebody outside wants of a training, asked for after each step.
enum class Request {
  none,
  save,  ///< a checkpoint now
  stop,  ///< a checkpoint now, and then the end: Interrupted
};

struct TrainOptions {
  std::filesystem::path checkpoint;  ///< written as formats.md says, and gone on from if it is there; empty: none
  std::string identity;              ///< engine_identity() and slice sha256: a checkpoint with another one is refused
  std::function<void(const Progress&)> on_epoch;    ///< may be empty; throwing ends the training
  std::function<void(std::uint64_t step)> on_step;  ///< may be empty; throwing ends the training
  std::function<void()> beat;                       ///< shows that work goes on where there are no steps; may be empty
  std::function<Request()> request;                 ///< may be empty
  std::function<void()> on_save;                    ///< when a checkpoint is complete; may be empty
  std::function<void(const std::string&)> on_note;  ///< what people should know, besides the log; may be empty
  /// For fault injection: may change the parameters after a step. May be empty.
  std::function<void(std::uint64_t step, std::span<float> parameters)> tamper;
  int threads = 1;
  int device = processor;  ///< the CUDA device, as this process counts the visible ones, that computes the steps
};

/// How the engine does on its own test rows.
struct HeldOut {
  std::uint64_t rows = 0, abstained = 0;
  double accuracy = 0;           ///< of all its judged test rows; NaN without any
  double balanced_accuracy = 0;  ///< mean recall over the classes that occur
  double log_loss = 0;
  double calibration_error = 0;  ///< expected, 15 bins
  double rmse = 0;               ///< of a regression; else NaN
};

/// One trained engine.
class Engine {
 public:
  /// Trains on the rows of `parts`. Deterministic: a function of seed, the engine's name, its configuration and its rows for
  /// one build, instruction set and thread count. Throws Error with the reason (exit status 1 or 2): no rows in a part, one
  /// class only, a loss that is not finite (RepeatableError), memory; Interrupted where it was asked to stop. A checkpoint that
  /// is damaged is put aside, and the training goes on from the one before, or from the start, and says so.
  static Engine train(const Table& table, const EngineConfig& config, const Parts& parts, std::uint64_t seed,
                      const TrainOptions& options);

  /// A finished engine from its checkpoint. Throws InputError: not a checkpoint, not finished, damaged.
  static Engine load(const std::filesystem::path& checkpoint);

  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  /// Judges every row of a table that has the engine's feature columns (columns by name; labels are not read). The table's
  /// categories may be listed in another order than in training; a category never seen is an invalid input. What is not known is
  /// NaN: confidence and probabilities where nothing was judged, and in a regression; typicality of an invalid input.
  /// checkpoint_sha256, data_sha256 and config_sha256 are left to the caller. `beat`: called for every batch, to show that the
  /// work goes on; may be empty.
  [[nodiscard]] Judgments judge(const Table& table, const std::function<void()>& beat = {}) const;
  /// The same for these rows alone, which are ascending; every other one is `not_asked`. A row's judgment is the same bit by bit
  /// whichever rows are judged with it.
  [[nodiscard]] Judgments judge(const Table& table, std::span<const std::uint32_t> rows,
                                const std::function<void()>& beat = {}) const;

  /// Figures on test rows, from judgments of the same table.
  [[nodiscard]] HeldOut held_out(const Table& table, std::span<const std::uint32_t> test, const Judgments& judgments) const;

  [[nodiscard]] const EngineConfig& config() const;
  [[nodiscard]] std::uint64_t parameters() const;
  [[nodiscard]] Progress progress() const;  ///< at the end of training
  [[nodiscard]] double temperature() const;
  /// What computed its last steps: "cpu", "cuda".
  [[nodiscard]] const std::string& device() const;

 private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hiple::engine
