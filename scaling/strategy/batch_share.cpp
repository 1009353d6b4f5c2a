#include "scaling/strategy/batch_share.hpp"

namespace hiple::scaling {

std::uint64_t batch_share_rows(const Settings& settings, int ranks) { return settings.batch / static_cast<std::uint64_t>(ranks); }

Share batch_share(const Settings& settings, const Communicator& world) {
  const std::uint64_t own = batch_share_rows(settings, world.size());
  return {.name = "monolith",
          .first_row = own * static_cast<std::uint64_t>(world.rank()),
          .rows = own,
          .batch = settings.batch,
          .steps = settings.steps};
}

void check_rows_divide(const Settings& settings, int ranks, Problems& problems) {
  if (settings.batch % static_cast<std::uint64_t>(ranks) != 0)
    problems.add(Place{"--batch"},
                 std::to_string(settings.batch) + " rows do not divide among " + std::to_string(ranks) + " ranks",
                 "every rank trains on as many rows as the others", "give a multiple of " + std::to_string(ranks));
}

void check_batch_share(const Settings& settings, int ranks, Problems& problems) {
  check_rows_divide(settings, ranks, problems);
  constexpr std::uint64_t smallest = 1024;
  if (settings.bucket_bytes < smallest)
    problems.add(Place{"--bucket"}, "a bucket of " + std::to_string(settings.bucket_bytes) + " bytes is too small",
                 "every bucket is a message of its own", "give 1024 bytes or more; the default is 26214400");
}

}  // namespace hiple::scaling
