#include "mpi/ledger/timeline.hpp"

namespace hiple::mpi {

std::uint32_t NameTable::index_of(const std::string& name) {
  const auto [found, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return found->second;
}

}  // namespace hiple::mpi
