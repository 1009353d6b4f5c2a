#pragma once

#include <string>
#include <vector>

namespace hiple::report {

/// Rows of cells as lines of text, each column as wide as its widest cell (counted in UTF-8 characters), two blanks apart,
/// without blanks at the ends of lines. The first column is aligned left, the others right, unless `left` lists them.
std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& left = {});

/// A number for people: "0.938", or "n/a" where it is NaN or infinite.
std::string number_text(double value, int digits = 3);

/// A whole number with blanks between thousands: "1 234 567".
std::string count_text(std::uint64_t value);

/// "12.3 s", "4 min 05 s", "2 h 03 min".
std::string seconds_text(double seconds);

}  // namespace hiple::report
