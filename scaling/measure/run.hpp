#pragma once

#include "scaling/measure/setup.hpp"

namespace hiple::scaling {

/// Measures one configuration in this launch, from MPI_Init to MPI_Finalize, and writes what was asked for: on rank 0, after the
/// last step, each file whole or not at all. Throws Error where something fails on the way.
void run_measurement(const Setup& setup, const MeasureOptions& options);

}  // namespace hiple::scaling
