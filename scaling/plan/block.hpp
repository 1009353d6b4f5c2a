#pragma once

#include <string>
#include <vector>

#include "config/yaml.hpp"
#include "scaling/plan/study.hpp"

namespace hiple::scaling {

/// One value of a list in a block, with its place.
struct Choice {
  std::string text;
  Place place;
};

/// A block of a study file: lists that are all combined with each other.
struct Block {
  std::string name;
  Place place, batch_place;
  std::vector<Choice> strategies;  ///< NAME or NAME/VARIANT
  std::vector<Choice> networks;
  std::vector<Choice> scaling;  ///< weak: `batch` a rank; strong: `batch` in all
  std::vector<Choice> ranks;
  std::vector<Choice> links;
  std::vector<Choice> stragglers;  ///< none, or RANK:FACTOR
  std::vector<Choice> jitter;
  std::uint64_t batch = 0, steps = 0, warmup = 0, engines = 0, bucket = 0, micro_batches = 0, experts = 0, chosen = 0, period = 0;
  std::string spread, capacity;
  Repetitions repetitions;
};

/// "repetitions: {least, most, width}", with what is missing from `fallback`.
Repetitions read_repetitions(yaml::MapReader& map, const Repetitions& fallback, Problems& problems);

/// Reads a block; `repetitions` are the study's.
Block read_block(const yaml::Node& node, const Repetitions& repetitions, Problems& problems);

/// The configurations of a block, in the order of its lists. What cannot be measured is a problem at its place.
std::vector<Configuration> expand(const Block& block, std::uint64_t seed, Problems& problems);

}  // namespace hiple::scaling
