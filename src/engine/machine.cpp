#include "engine/machine.hpp"

#include <cstdlib>

namespace hiple::engine {

namespace {

std::string widest_of_processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bf16") != 0) return "avx512_bf16";
  if (__builtin_cpu_supports("avx512vnni") != 0) return "avx512_vnni";
  if (__builtin_cpu_supports("avx512f") != 0) return "avx512";
  if (__builtin_cpu_supports("avx2") != 0) return __builtin_cpu_supports("fma") != 0 ? "avx2_fma" : "avx2";
  if (__builtin_cpu_supports("avx") != 0) return "avx";
  return "sse2";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "generic";
#endif
}

}  // namespace

std::string instruction_set() {
  const char* cap = std::getenv("ONEDNN_MAX_CPU_ISA");
  return widest_of_processor() + (cap == nullptr ? "" : std::string(" capped at ") + cap);
}

}  // namespace hiple::engine
