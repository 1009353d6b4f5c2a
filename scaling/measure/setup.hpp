#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/network_layout.hpp"
#include "scaling/strategy/buckets.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

/// One configuration as it stands on a command line or in a study file.
struct MeasureOptions {
  std::string strategy;
  std::string variant;  ///< empty: the strategy's default
  std::string network = "64-512-512-16";
  std::uint64_t batch = 256;
  std::uint64_t steps = 50;
  std::uint64_t warmup = 5;
  std::uint64_t seed = 1;
  std::string straggler;                        ///< RANK:FACTOR; empty: none
  std::string jitter = "0";                     ///< mean of what is added, as a share of a step's computing time
  std::uint64_t engines = 0;                    ///< of `hiple`; 0: one a rank
  std::string spread = "1";                     ///< of `hiple`
  std::uint64_t bucket = default_bucket_bytes;  ///< of `ddp` and `zero1` to `zero3`
  std::uint64_t micro_batches = 8;              ///< of `pp`
  std::uint64_t experts = 8;                    ///< of `moe`
  std::uint64_t chosen = 2;                     ///< of `moe`
  std::string capacity = "1.25";                ///< of `moe`
  std::uint64_t period = 10;                    ///< of `localsgd`
  std::filesystem::path output, counters, ledger, trace, weights;  ///< empty: none
};

struct Straggler {
  int rank = 0;
  double factor = 1;
};

/// A configuration that can be measured.
struct Setup {
  const StrategyKind* kind = nullptr;
  Settings settings;
  std::string network;
  engine::NetworkShape shape;
  int ranks = 1;
  std::uint64_t warmup = 0;
  std::uint64_t seed = 0;
  std::optional<Straggler> straggler;
  double jitter = 0;

  /// The straggler's factor, 1 for the others.
  [[nodiscard]] double factor(int rank) const { return straggler && straggler->rank == rank ? straggler->factor : 1.0; }
};

/// Reads the options for so many ranks, without starting anything. Throws InputError with everything that is wrong, each with
/// the name of its option.
Setup make_setup(const MeasureOptions& options, int ranks);

/// Throws InputError where a file that is asked for cannot be made: its folder is missing, or a folder has its name.
void check_outputs(const MeasureOptions& options);

/// "64-512-512-16": widths from inputs to classes, ReLU between them. Throws InputError with the place in the text.
engine::NetworkShape parse_network(const std::string& text);

}  // namespace hiple::scaling
