#pragma once

#include <algorithm>
#include <exception>
#include <iostream>
#include <vector>

#include "base/error.hpp"

/// What every benchmark program has.
namespace hiple::scaling {

/// Middle of the values, or the mean of both. There is one at least.
inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// The program's exit status: what `run` returns, or that of what it throws, which is told on standard error.
inline int run_benchmark(int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.status());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace hiple::scaling
