#pragma once

#include "scaling/micro/samples.hpp"

namespace hiple::scaling {

/// Of what every rank measured at the same time, the slowest's: a repetition takes as long as it. A collective call.
void take_slowest(std::vector<double>& seconds);

/// Messages of `sizes` bytes there and back between ranks 0 and 1; the seconds are half of it, one way. A collective call: the
/// other ranks wait. After MPI_Init, on two ranks or more.
Series point_to_point_series(const std::vector<std::int64_t>& sizes, const Effort& effort);

/// Sums of `sizes` bytes (multiples of 4) over all ranks, in place. The work is 2(N-1)/N of the bytes, what each rank has to send
/// whatever the algorithm (Patarasuk and Yuan 2009), so that the rate can be held against a link.
Series all_reduce_series(const std::vector<std::int64_t>& sizes, const Effort& effort);

}  // namespace hiple::scaling
