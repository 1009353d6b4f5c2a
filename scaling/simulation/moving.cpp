#include "scaling/simulation/moving.hpp"

#include "scaling/simulation/rank_clock.hpp"
#include "scaling/strategy/moving.hpp"

namespace hiple::simulation {

double& seconds_a_number() {
  static double seconds = 0;
  return seconds;
}

}  // namespace hiple::simulation

namespace hiple::scaling {

// In place of scaling/strategy/moving.cpp: the time of moving, and nothing moved.

namespace {

void moved(double numbers) { simulation::this_rank().clock.ran(numbers * simulation::seconds_a_number()); }

}  // namespace

void pack(Rows, std::int64_t count, std::int64_t width, float*) { moved(static_cast<double>(count * width)); }
void unpack(const float*, std::int64_t count, std::int64_t width, Rows) { moved(static_cast<double>(count * width)); }
void clear(std::span<float> values) { moved(static_cast<double>(values.size())); }
void add_parts(std::span<float>, std::span<const float> received, const Parts&) { moved(static_cast<double>(received.size())); }

}  // namespace hiple::scaling
