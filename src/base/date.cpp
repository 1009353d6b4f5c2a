#include "base/date.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>

namespace hiple {

std::optional<std::int32_t> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t length) -> int {
    int value = 0;
    for (const char digit : text.substr(begin, length)) {
      if (digit < '0' || digit > '9') return -1;
      value = 10 * value + (digit - '0');
    }
    return value;
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 1 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return static_cast<std::int32_t>(std::chrono::sys_days{date}.time_since_epoch().count());
}

std::string format_date(std::int32_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

int completed_years(std::int32_t from, std::int32_t to) {
  const std::chrono::year_month_day a{std::chrono::sys_days(std::chrono::days(from))};
  const std::chrono::year_month_day b{std::chrono::sys_days(std::chrono::days(to))};
  const int years = static_cast<int>(b.year()) - static_cast<int>(a.year());
  return b.month() / b.day() < a.month() / a.day() ? years - 1 : years;
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace hiple
