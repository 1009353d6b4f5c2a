#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace hiple {

/// How the rows of the table are divided. Every row is in the training part, the test part or neither; an engine takes its
/// early-stop and calibration rows out of the training part, so that no test row is ever seen before it is judged.
struct SplitConfig {
  std::string column;  ///< rows by this column's value: then `train` and `test` list its values; else empty
  std::vector<std::string> train;
  std::vector<std::string> test;
  double test_fraction = 0.3;  ///< without `column`: a fraction of rows, or of groups
  std::string stratified;      ///< a category or boolean column whose proportions both parts keep; or empty
  std::string group;           ///< rows with the same value stay together; or empty. With `column`: among an engine's own parts
  double early_stop = 0.15;    ///< fraction of an engine's training rows that decides when to stop
  double calibration = 0.2;    ///< fraction of an engine's training rows for temperature and typicality
  Place place;
};

struct DataConfig {
  std::filesystem::path table;  ///< CSV, or HDF5 by its content
  std::filesystem::path schema;
  SplitConfig split;
  Place table_place, schema_place;
};

/// One convolution of a conv1d.
struct ConvolutionConfig {
  std::int64_t channels = 0;  ///< numbers that it makes at each of its places
  std::int64_t kernel = 3;    ///< points that it reads for them
  std::int64_t stride = 1;    ///< points from one place to the next
  Place place;                ///< of its entry in run.yaml
};

/// A multilayer perceptron; in a conv1d, convolutions along its series lie below it.
struct ModelConfig {
  std::vector<ConvolutionConfig> convolutions;  ///< of a conv1d
  std::string pool = "mean";                    ///< of a conv1d: mean, max, mean_max, none
  std::vector<std::int64_t> hidden = {64, 64};  ///< widths; in a conv1d there may be none
  std::string activation = "relu";              ///< relu, gelu, tanh
  double dropout = 0.0;                         ///< probability of dropping a hidden unit in training
  std::int64_t embedding = 0;                   ///< width of a category's embedding; 0 chooses min(16, (values + 1) / 2)
};

struct TrainConfig {
  std::int64_t epochs = 100;
  std::int64_t batch = 256;         ///< rows a step
  std::string optimizer = "adamw";  ///< adam (L2 in the gradient), adamw (decoupled)
  double learning_rate = 1e-3;      ///< key `lr`
  double weight_decay = 1e-4;
  std::string class_weight = "none";   ///< none, balanced
  std::int64_t early_stop = 10;        ///< epochs without improvement before it stops; 0 never stops early
  std::string schedule = "constant";   ///< constant, cosine
  std::int64_t warmup = 0;             ///< steps of linear warm-up
  double clip = 0.0;                   ///< largest global norm of the gradient; 0 does not clip
  std::int64_t checkpoint_every = 10;  ///< epochs between checkpoints
};

/// An engine that is a program of the user's own (docs/command_engines.md).
struct CommandConfig {
  /// A file among the words: what it holds is a part of what the engine is.
  struct File {
    std::filesystem::path path;
    std::string sha256;
  };
  std::vector<std::string> words;                ///< the program and its arguments; `{judgments}` and others stand for paths
  std::map<std::string, std::string> variables;  ///< key `environment`: besides those of the run
  double time_limit = 3600;                      ///< seconds for one attempt
  std::filesystem::path folder;                  ///< where it runs: that of run.yaml
  std::vector<Place> word_places;                ///< one a word
  // Looked up when the run is prepared:
  std::filesystem::path program;  ///< that the first word names
  std::vector<File> files;        ///< in the order of the words
};

struct EngineConfig {
  std::string name;
  std::string domain;
  std::string target;                 ///< a column with role `label`: category or boolean (classes), real or integer (regression)
  std::vector<std::string> features;  ///< columns with role `input`, and series of such columns
  std::string cases = "true";         ///< condition over input columns: which rows are its data
  std::string learns_also;            ///< likewise: rows outside the training part that it learns from; or empty
  std::string type = "mlp";           ///< mlp, conv1d, command
  ModelConfig model;
  TrainConfig train;
  CommandConfig command;
  std::string precision = "fp32";
  std::string device = "auto";        ///< cpu, cuda, auto
  double abstain_below = 0.01;        ///< typicality under which a judgment becomes an abstention; over 1 it always abstains
  std::string probabilities = "all";  ///< all, none: whether the judgments file holds every class's probability
  Place place;                        ///< of its entry in run.yaml
  Place cases_place;                  ///< of the condition's text
  Place learns_also_place;            ///< likewise
  Place target_place;
  std::vector<Place> feature_places;  ///< one a feature

  [[nodiscard]] bool is_command() const { return type == "command"; }
  [[nodiscard]] bool is_convolutional() const { return type == "conv1d"; }
};

struct IntegrateConfig {
  double deadline = 7200;      ///< seconds that the integrator waits for engines
  std::string quorum = "all";  ///< all, or a number of engines after which it need not wait
  double lost_after = 300;     ///< seconds without a sign of life after which a rank on another host counts as lost
  /// dense: every engine judges every case. on_demand: first those whose home it is, then those that the law asks it about. The
  /// decisions are the same.
  std::string judging = "dense";

  [[nodiscard]] bool on_demand() const { return judging == "on_demand"; }
};

/// Facts from outside of the engines (docs/evidence.md).
struct EvidenceConfig {
  std::filesystem::path file;    ///< evidence.h5; empty: the run has none
  double least_reliability = 0;  ///< of a record, for the law to see it
  Place place;
};

/// run.yaml, with every default filled in.
struct RunConfig {
  std::filesystem::path file;
  std::string name;
  std::uint64_t seed = 0;
  std::int32_t as_of = 0;  ///< days since 1970-01-01; what `valid` and age() call today
  DataConfig data;
  std::vector<EngineConfig> engines;
  std::string isolation = "process";  ///< process: each engine in a process of its own; rank: in that of its rank
  std::int64_t restarts = 2;          ///< how often an engine's process that failed is started again
  double step_limit = 600;  ///< seconds that an engine's process may stand still, in a step or elsewhere, before it is ended
  std::string file_locks = "required";  ///< required; or none: then two writers of one engine may meet
  double time_limit = 0;                ///< seconds for the whole run: engines stop, with a checkpoint, a while before; 0: none
  std::filesystem::path law;
  std::filesystem::path gates;        ///< or empty
  std::filesystem::path gate_report;  ///< of an earlier run, by which this one is open or closed; or empty: it is open
  Place law_place, gates_place, gate_report_place;
  EvidenceConfig evidence;
  IntegrateConfig integrate;
  std::filesystem::path output;
};

/// Reads run.yaml. Paths become relative to the current folder, by way of the file's own, except `output`, which is relative
/// to the current folder as it stands. Throws InputError with every problem of the file itself: unknown and duplicate keys,
/// wrong types, numbers out of range, a name used twice. Names of columns are checked later, against the schema.
RunConfig load_run_config(const std::filesystem::path& path);

/// The whole configuration as run.yaml text, every default written out. `engines` in the order of the file. Paths are written
/// absolute, so that the file works from the run's directory, wherever that is moved or linked to: loading it gives the same
/// configuration with absolute paths.
std::string to_yaml(const RunConfig& config);

/// Everything of the configuration that an engine's result depends on (its own entry, seed, split), in a canonical text:
/// two runs with the same text, table slice and build train the same engine.
std::string engine_identity(const RunConfig& config, const EngineConfig& engine);

}  // namespace hiple
