#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/model.hpp"
#include "engine/trainer.hpp"

namespace hiple::engine {

inline constexpr const char* checkpoint_format = "hiple checkpoint";
inline constexpr std::uint32_t checkpoint_version = 2;

/// Everything to go on with a training bit by bit, or, once it is finished, to judge.
struct Checkpoint {
  std::string identity;
  std::uint64_t seed = 0;
  bool finished = false;
  EngineConfig config;
  Features features;
  Target target;
  TrainingState state;
  std::vector<float> weights, first_moment, second_moment;
  std::vector<float> best;  ///< weights of the best epoch: those of a finished engine
  double temperature = 1;
  Typicality::Parameters typicality;  ///< empty until finished
  std::string instruction_set, software;
  std::string device = "cpu";  ///< what computed the steps since the one before: "cpu", "cuda"
  std::int32_t threads = 1;
};

/// Where the checkpoint before the one at `path` is kept: "checkpoint.previous.h5".
std::filesystem::path previous_checkpoint(const std::filesystem::path& path);

/// Writes checkpoint.h5. The one before stays until the new one is complete, and is kept then as previous_checkpoint.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws InputError with the file: no checkpoint, damaged, or sizes that do not fit together.
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// The model of a checkpoint, with the weights `weights`.
Model make_model(const Checkpoint& checkpoint, const std::vector<float>& weights);

}  // namespace hiple::engine
