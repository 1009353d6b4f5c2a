#include "submit/time_limit.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace hiple::submit {

namespace {

constexpr std::int64_t minute = 60, hour = 60 * minute, day = 24 * hour;

/// Numbers between colons, each with a weight; nothing where one is none.
std::optional<std::int64_t> weighted(std::string_view text, const std::vector<std::int64_t>& weights) {
  constexpr std::uint64_t largest = 1'000'000;
  const auto parts = split(text, ':');
  if (parts.size() > weights.size()) return std::nullopt;
  std::int64_t seconds = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& digits = parts[i];
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    const auto begin = std::min(digits.find_first_not_of('0'), digits.size() - 1);  // 05 minutes are five
    const auto value = parse_unsigned(std::string_view(digits).substr(begin));
    if (!value || *value > largest) return std::nullopt;
    seconds += static_cast<std::int64_t>(*value) * weights[i];
  }
  return seconds;
}

}  // namespace

std::optional<std::int64_t> parse_time_limit(std::string_view text) {
  std::optional<std::int64_t> seconds;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto days = weighted(text.substr(0, dash), {day});
    const auto rest = weighted(text.substr(dash + 1), {hour, minute, 1});
    if (days && rest) seconds = *days + *rest;
  } else if (std::count(text.begin(), text.end(), ':') == 2) {
    seconds = weighted(text, {hour, minute, 1});
  } else {
    seconds = weighted(text, {minute, 1});
  }
  return seconds && *seconds > 0 ? seconds : std::nullopt;
}

std::int64_t warning_seconds(std::optional<std::int64_t> limit) {
  if (!limit) return 2 * minute;
  return std::min(std::clamp(*limit / 10, minute, 10 * minute), *limit / 2);
}

}  // namespace hiple::submit
