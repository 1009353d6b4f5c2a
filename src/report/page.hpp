#pragma once

#include <string>

#include "report/picture.hpp"

namespace hiple::report {

/// The whole of a run as one page of HTML: for a manager and for an engineer. It loads nothing, and shows everything without
/// JavaScript; with it, tables can be sorted and cases be browsed by keys.
std::string page(const Picture& picture);

}  // namespace hiple::report
