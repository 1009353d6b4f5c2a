#pragma once

#include <string>

namespace hiple::engine {

/// The vector instructions that this process may use, "avx2" say, with the cap of ONEDNN_MAX_CPU_ISA where one is set. Training
/// is the same bit by bit only on the same ones.
std::string instruction_set();

}  // namespace hiple::engine
