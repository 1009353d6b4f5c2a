#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hiple::audit {

/// A law in its canonical form for people.
struct Formatted {
  std::string text;
  std::vector<std::string> lost_comments;  ///< that the text does not show any more
  bool had_aliases = false;                ///< & and * are written out
};

/// The canonical form of a law.yaml as text: keys in one order, lists by name or id, conditions as the program prints them,
/// long ones broken at `and` and `or`, defaults left out, comments kept above (or behind) the entry that they stood at. The
/// same law gives the same text whatever its layout and order, but for comments and what stands in quotes for people.
/// Formatting it again changes nothing. Only syntax is looked at: no schema is needed. Throws InputError: no YAML, no map, a
/// condition that is none.
Formatted format_law(std::string_view source, const std::filesystem::path& file);

}  // namespace hiple::audit
