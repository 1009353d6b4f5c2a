#pragma once

#include <functional>

namespace hiple {

/// Processors that this process may run on: those that a launcher or a scheduler bound it to. At least one.
int bound_processors();

/// Calls work(0), work(1), ... work(threads - 1) at the same time: the first in this thread, each other in one of its own.
/// Returns when all have returned; then throws what the lowest of them that threw has thrown. `threads` below one counts as one.
void on_threads(int threads, const std::function<void(int)>& work);

}  // namespace hiple
