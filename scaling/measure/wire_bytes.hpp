#pragma once

#include <cstdint>
#include <optional>

namespace hiple::scaling {

/// Bytes that this process has handed to Open MPI's point-to-point layer so far, the messages inside collectives included: what a
/// collective really sends, whatever its algorithm. Nothing where Open MPI's monitoring is not switched on (mpirun --mca
/// pml_monitoring_enable 1) or where MPI is another one.
std::optional<std::uint64_t> wire_bytes_sent();

}  // namespace hiple::scaling
