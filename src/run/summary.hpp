#pragma once

#include <string>

#include "run/integrate.hpp"

namespace hiple {

/// A run in a few lines for people: engines with their held-out figures, what was decided and why the rest was not, and where
/// the files are.
std::string summary_text(const RunDirectory& directory, const RunSummary& summary);

/// Columns of text under a header, each as wide as its widest cell; the first is aligned left, the others right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace hiple
