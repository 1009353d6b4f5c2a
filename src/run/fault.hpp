#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "run/prepare.hpp"

namespace hiple {

/// A failure that is made on purpose, to see what becomes of it: `--inject engine=E,step=N,kind=KIND[,attempt=K]`. It strikes in
/// the engine's process right after step N, in every attempt that comes to it, or in the first K only. With `at=request` in place
/// of a step it strikes when the engine has judged what the law asked for, before the answer is written.
struct Fault {
  std::string engine;
  std::uint64_t step = 0;  ///< 0: at a request
  std::string kind;
  double factor = 1;           ///< of `slow`: a step takes so many times as long, from step N on
  std::uint64_t attempts = 0;  ///< 0: all
  std::string text;            ///< as it was written
};

/// Throws InputError where `text` is none.
Fault parse_fault(const std::string& text);

/// The faults of a command line. Throws InputError with every one that is wrong, or of an engine that the run does not have.
std::vector<Fault> parse_faults(const std::vector<std::string>& texts, const PreparedRun& run);

/// Those of one engine.
std::vector<Fault> faults_of(const std::vector<Fault>& faults, const std::string& engine);

/// Lets the faults of one engine's attempt strike.
class FaultInjector {
 public:
  FaultInjector(std::vector<Fault> faults, std::uint64_t attempt, std::filesystem::path checkpoint);
  [[nodiscard]] bool any() const { return !faults_.empty(); }
  /// After a step.
  void strike(std::uint64_t step, std::span<float> parameters);
  /// When a request is judged.
  void strike_at_request();

 private:
  void strike(const Fault& fault, std::span<float> parameters);
  void slow_down(double factor);

  std::vector<Fault> faults_;
  std::filesystem::path checkpoint_;
  std::chrono::nanoseconds last_step_;  ///< of the processor's time: another process that takes its turn slows nothing down
};

}  // namespace hiple
