#pragma once

namespace hiple::simulation {

/// Seconds that copying a number takes, for all ranks; set before a strategy moves any.
double& seconds_a_number();

}  // namespace hiple::simulation
