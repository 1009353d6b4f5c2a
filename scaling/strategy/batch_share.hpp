#pragma once

#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

/// A batch whose rows are divided among the ranks, for the strategies that do so.
std::uint64_t batch_share_rows(const Settings& settings, int ranks);
/// This rank's rows of the monolith.
Share batch_share(const Settings& settings, const Communicator& world);
/// Whether the rows can be divided.
void check_rows_divide(const Settings& settings, int ranks, Problems& problems);
/// The same, and whether gradients can be cut into buckets.
void check_batch_share(const Settings& settings, int ranks, Problems& problems);

}  // namespace hiple::scaling
