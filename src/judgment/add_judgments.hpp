#pragma once

#include "judgment/judgment.hpp"

namespace hiple {

/// Takes from `more`, which is of the same cases and classes, the judgments of cases that `held` was not asked about. Throws
/// Error where cases or classes differ.
void add_judgments(Judgments& held, const Judgments& more);

}  // namespace hiple
