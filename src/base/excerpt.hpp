#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace hiple {

/// The line of a text file at a place, with its number, and a caret under its column: two lines, each with an end. Of a long
/// line, what stands around the column. Empty where there is nothing to show: the place has no line or column, names no ordinary
/// file, or the file has no such line, or that line is no text in UTF-8. Columns count bytes, from 1, as YAML's and CSV's do
/// here.
std::string excerpt(const Place& place);

/// Problems as a person reads them, one below the other: each with the excerpt of its place. Of many, the first `most` have one.
std::string text_with_excerpts(const std::vector<Problem>& problems, std::size_t most = 20);

}  // namespace hiple
