#include "scaling/simulation/memory.hpp"

#include <mpi.h>

#include <new>

#include "engine/kernels_buffer.hpp"

namespace hiple::simulation {

void* shared_memory(std::size_t bytes) {
  if (bytes > most_bytes) throw std::bad_alloc();
  static void* const all = SMPI_SHARED_MALLOC(most_bytes);
  return all;
}

}  // namespace hiple::simulation

namespace hiple::engine {

// In place of src/engine/kernels_buffer.cpp: what a strategy allocates is counted as ever, and is no memory of its own.
void* allocate_zeros(std::size_t bytes) { return simulation::shared_memory(bytes); }
void release_zeros(void*) noexcept {}

}  // namespace hiple::engine
