#include "process/sibling.hpp"

namespace hiple::process {

std::filesystem::path sibling(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

}  // namespace hiple::process
