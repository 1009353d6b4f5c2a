#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hiple::submit {

/// Slurm's way to write a time limit (sbatch(1), --time): MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS, DAYS-HOURS,
/// DAYS-HOURS:MINUTES, DAYS-HOURS:MINUTES:SECONDS. Seconds, or nothing where it is none of these, or zero.
std::optional<std::int64_t> parse_time_limit(std::string_view text);

/// How long before the limit a job is told: a tenth of it, between one and ten minutes, but never over the half; two minutes
/// where the limit is the partition's and not known.
std::int64_t warning_seconds(std::optional<std::int64_t> limit);

}  // namespace hiple::submit
