#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hiple {

/// Days since 1970-01-01 of an ISO 8601 calendar date "YYYY-MM-DD" (years 0001 to 9999); nothing if it is none.
std::optional<std::int32_t> parse_date(std::string_view text);

/// "YYYY-MM-DD".
std::string format_date(std::int32_t days);

/// Completed years between two dates: one more on each anniversary; somebody born on 29 February turns on 1 March.
int completed_years(std::int32_t from, std::int32_t to);

/// The clock, as "YYYY-MM-DDTHH:MM:SSZ". For records only: nothing that is decided may depend on it.
std::string utc_now();

}  // namespace hiple
