#pragma once

#include <string>
#include <string_view>

namespace hiple::condition {

/// What to write in place of a text that is no unit: `did you mean "kPa"?`, or examples where nothing is near.
std::string unit_remedy(std::string_view text);

}  // namespace hiple::condition
