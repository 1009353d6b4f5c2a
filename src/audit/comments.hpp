#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hiple::audit {

/// A comment of a YAML text, which the YAML library passes over.
struct Comment {
  std::size_t line = 0;   ///< from 1
  bool trailing = false;  ///< something else stands before it on its line
  std::string text;       ///< from # on
};

/// What the YAML library does not tell of a text.
struct SourceNotes {
  std::vector<Comment> comments;  ///< in order: a # at the start of a line or behind a blank, outside of quoted and block texts
  bool aliases = false;           ///< an anchor (&) or an alias (*)
};
SourceNotes notes_of(std::string_view source);

}  // namespace hiple::audit
