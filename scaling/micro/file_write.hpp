#pragma once

#include <filesystem>

#include "scaling/micro/samples.hpp"

namespace hiple::scaling {

/// Writing one data set of single precision in `folder` with the project's writer, from the first byte to the durable file:
/// checksums, flush, fsync and rename included, as an engine's result is written. `sizes` in bytes. The file is removed.
Series file_write_series(const std::filesystem::path& folder, const std::vector<std::int64_t>& sizes, const Effort& effort);

}  // namespace hiple::scaling
