#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace hiple {

/// What became of a program that was run.
struct CommandResult {
  int status = 0;      ///< exit status; 128 + N where signal N ended it, as a shell says it
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Runs a program, found on PATH, and waits for it. Its words reach it as they are: no shell reads them. Standard input is empty.
/// Throws Error where it cannot be started, and where it has not ended after `longest`: then it is killed.
CommandResult run_command(const std::vector<std::string>& words, std::chrono::milliseconds longest = std::chrono::minutes(5));

}  // namespace hiple
