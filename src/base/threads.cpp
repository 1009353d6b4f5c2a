#include "base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace hiple {

int bound_processors() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  // A machine of more processors than the mask holds does not fit into it: what the library knows is taken then.
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void on_threads(int threads, const std::function<void(int)>& work) {
  const int count = std::max(threads, 1);
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(count));
  const auto run = [&](int number) {
    try {
      work(number);
    } catch (...) {
      thrown[static_cast<std::size_t>(number)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int number = 1; number < count; ++number) others.emplace_back(run, number);
    run(0);
  }
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

}  // namespace hiple
