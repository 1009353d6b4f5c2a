#pragma once

#include <nlohmann/json.hpp>

/// What every record of the study says of where it came from.
namespace hiple::scaling {

/// revision, compiler, flags, host, processor, kernel, mpi, onednn, instructions (what the products may use), started (UTC, now).
nlohmann::ordered_json metadata();

}  // namespace hiple::scaling
