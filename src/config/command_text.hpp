#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hiple {

/// What may stand in braces in the words of a command (docs/command_engines.md).
inline constexpr std::array<std::string_view, 6> command_placeholders = {"judgments", "table", "schema",
                                                                         "config",    "work",  "progress"};

/// Names in braces within a word, in their order: `{judgments}`. Braces around anything else, as JSON has them, are none.
std::vector<std::string> placeholders_in(std::string_view word);

/// The word with each name in braces replaced by its value. Names without a value stay as they are.
std::string fill_in(std::string_view word, const std::map<std::string, std::string>& values);

}  // namespace hiple
