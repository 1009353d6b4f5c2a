#pragma once

#include <cstdint>

namespace hiple {

/// A number drawn for a case by its id alone, so that a case falls on one side of a division whatever else is there, and in an
/// order that has nothing to do with how ids were given (the finaliser of SplitMix64: Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
inline std::uint64_t drawn(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15ULL;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9ULL;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebULL;
  return id ^ (id >> 31);
}

}  // namespace hiple
