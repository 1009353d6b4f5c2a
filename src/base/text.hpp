#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiple {

/// The candidate with the smallest edit distance, where it is near enough to be a typo; else nothing.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "did you mean X?", or "one of: A, B, C" where nothing is near; empty without candidates.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

/// A number in full, whatever the locale (std::from_chars): no blanks, no sign "+", nothing left over; nothing if it is none.
/// An integer with leading zeros, and a real that is infinite or not a number, count as none.
std::optional<double> parse_real(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// The shortest text that reads back as the same number, whatever the locale.
std::string format_real(double value);

/// For a message: control characters and bytes that are no UTF-8 as \xNN, so that no input can move a terminal's cursor or end a
/// line of a log.
std::string printable(std::string_view text);

std::string join(std::span<const std::string> parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

}  // namespace hiple
