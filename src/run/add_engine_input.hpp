#pragma once

#include <string>
#include <vector>

#include "config/run_config.hpp"

namespace hiple {

/// What joins a finished run, or is made anew in it.
struct Joining {
  std::vector<std::string> added;  ///< engines that the run does not have yet
  std::string retrained;           ///< or the one that is trained again

  /// The engines that are trained.
  [[nodiscard]] std::vector<std::string> trained() const {
    return retrained.empty() ? added : std::vector<std::string>{retrained};
  }
  bool operator==(const Joining&) const = default;
};

/// What a configuration adds to the one that a run was made from. It may bring engines, another law, other gates, and a table and
/// schema with more columns; where `retrain` names an engine, that engine's entry may differ and no other joins. How and where a
/// run is carried out does not matter. Throws InputError, at the places in the new file, with everything else that differs: an
/// engine that is gone or is another one under its name, the seed, the split, the evidence ...; and where nothing would be
/// trained.
Joining check_joining(const RunConfig& held, const RunConfig& wanted, const std::string& retrain);

}  // namespace hiple
