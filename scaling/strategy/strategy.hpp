#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scaling/strategy/arithmetic.hpp"
#include "scaling/strategy/communicator.hpp"

namespace hiple::scaling {

/// What the strategies read of the options.
struct Settings {
  std::string variant = {};
  std::vector<std::int64_t> widths = {};  ///< of the network, from inputs to classes
  std::uint64_t batch = 0;                ///< rows of a step, over all ranks and engines
  std::uint64_t steps = 0;                ///< of a training; of the largest engine
  std::uint64_t engines = 0;              ///< of `hiple`; 0: one a rank
  double spread = 1;                      ///< of `hiple`: cost of the largest engine by that of the smallest
  std::uint64_t micro_batches = 0;        ///< of `pp`
  std::uint64_t experts = 0;              ///< of `moe`
  std::uint64_t chosen = 0;               ///< of `moe`: experts that judge a row
  double capacity = 1;                    ///< of `moe`: room of an expert, by what it gets if all get the same
  std::uint64_t period = 0;               ///< of `localsgd`: steps between two averages
  std::uint64_t bucket_bytes = 0;         ///< of `ddp` and `zero1` to `zero3`
};

/// A model as one rank trains it.
struct TrainedModel {
  std::string name;
  std::uint64_t first_step = 0;  ///< of the rank's steps
  std::uint64_t steps = 0;
  std::vector<LayerPlace> layers = {};
  std::span<const float> parameters = {};  ///< flat, as `layers` divides them; belong to the strategy
};

/// One rank's way through a training: what is computed, and what is said to the others in between.
class Strategy {
 public:
  Strategy() = default;
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// Back to the beginning, the same on all ranks. May communicate.
  virtual void start() = 0;
  /// Step `index` of this rank, in ascending order after start(). Returns the part of the step's loss that this rank computed.
  /// Allocates nothing.
  virtual double step(std::uint64_t index) = 0;
  /// What this rank trains, in the order in which it does; its steps follow one another without gaps. May be empty.
  [[nodiscard]] virtual std::vector<TrainedModel> models() = 0;

  /// After training, on all ranks: fetches what other ranks hold of this rank's models, so that models() has all parameters.
  virtual void collect() {}

  /// What this rank allocated for its training.
  [[nodiscard]] virtual Held held() const = 0;
};

/// An entry of the table of strategies.
struct StrategyKind {
  std::string name;
  std::string meaning;                ///< one line, for the help
  std::vector<std::string> variants;  ///< the first one is the default; may be empty
  /// Adds what this strategy cannot do with these settings on so many ranks. The settings themselves are in range.
  void (*check)(const Settings& settings, int ranks, Problems& problems);
  /// Rows of one rank's step.
  std::uint64_t (*rows)(const Settings& settings, int ranks);
  /// Makes a rank's part, with everything allocated. The settings are checked. `world` outlives it.
  std::unique_ptr<Strategy> (*make)(const Settings& settings, Arithmetic& arithmetic, Communicator& world);
  bool uses_buckets = false;
};

/// All strategies, by name.
const std::vector<StrategyKind>& strategy_kinds();
/// Throws InputError with the nearest name where there is no such strategy.
const StrategyKind& strategy_kind(const std::string& name);

StrategyKind single_kind();
StrategyKind ddp_kind();
StrategyKind hiple_kind();
StrategyKind zero1_kind();
StrategyKind zero2_kind();
StrategyKind zero3_kind();
StrategyKind tp_kind();
StrategyKind pp_kind();
StrategyKind moe_kind();
StrategyKind localsgd_kind();

}  // namespace hiple::scaling
