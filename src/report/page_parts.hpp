#pragma once

#include <string_view>

/// The files of page/, as they stand there (made by embed.cmake).
namespace hiple::report {

extern const std::string_view page_frame, page_style, page_script;

}  // namespace hiple::report
