#include "base/build_info.hpp"

namespace hiple {

const BuildInfo& build_info() {
  static const BuildInfo info{HIPLE_VERSION,
#include "revision.inc"
                              , "GCC-compatible " __VERSION__, HIPLE_BUILD_TYPE, HIPLE_FLAGS};
  return info;
}

std::string software() { return "hiple " + build_info().version + " (" + build_info().revision + ")"; }

}  // namespace hiple
