/// Starts engines for a rank (process/spawner.hpp). Not for people: `hiple run` starts it with its socket and process number.
#include <cstdio>
#include <exception>

#include "base/text.hpp"
#include "process/spawner.hpp"

int main(int argc, char** argv) {
  const auto number = [&](int index) { return argc == 3 ? hiple::parse_integer(argv[index]) : std::nullopt; };
  const auto socket = number(1), parent = number(2);
  if (!socket || !parent) {
    std::fputs("hiple-spawner is started by `hiple run`\n", stderr);
    return 2;
  }
  try {
    return hiple::process::serve(static_cast<int>(*socket), static_cast<pid_t>(*parent));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hiple-spawner: %s\n", error.what());
    return 1;
  }
}
