#include "run/fault.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>

#include "base/file.hpp"
#include "base/text.hpp"
#include "process/memory_group.hpp"
#include "process/sandbox.hpp"

namespace hiple {

namespace {

constexpr std::array<std::string_view, 11> kinds = {"kill", "segv", "exit",   "throw", "nan",    "stop",
                                                    "hang", "slow", "enospc", "oom",   "corrupt"};
constexpr int exit_status = 7;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(Place{"--inject"}, "\"" + text + "\" is no fault", why,
                   "write engine=E,step=N,kind=KIND[,attempt=K], with KIND one of kill, segv, exit, throw, nan, stop, hang, "
                   "slow:FACTOR, enospc, oom, corrupt; or at=request in place of step=N, where nan and slow do nothing");
}

std::uint64_t positive(const std::string& text, const std::string& key, const std::string& value) {
  const auto number = parse_unsigned(value);
  if (!number || *number == 0) refuse(text, key + " must be a whole number from 1 on");
  return *number;
}

void set_kind(Fault& fault, const std::string& value) {
  const auto parts = split(value, ':');
  fault.kind = parts[0];
  if (std::find(kinds.begin(), kinds.end(), fault.kind) == kinds.end()) refuse(fault.text, "no kind \"" + fault.kind + "\"");
  if ((parts.size() == 2) != (fault.kind == "slow") || parts.size() > 2) refuse(fault.text, "slow has a factor, the others none");
  if (parts.size() == 2) {
    const auto factor = parse_real(parts[1]);
    if (!factor || *factor < 1) refuse(fault.text, "the factor must be a number from 1 on");
    fault.factor = *factor;
  }
}

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// No more than 64 MiB from now on, so that the rest of the machine is kept out of it.
void limit_own_memory() {
  constexpr std::size_t room = 64 * mebibyte;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + room;
  const rlimit of_process{limit, limit};
  ::setrlimit(RLIMIT_AS, &of_process);
}

/// Takes memory until there is none: where the process is in a cgroup that has little left, until the kernel ends it, as it ends
/// those of a scheduler's job; elsewhere under a limit of its own, at which it is refused.
void exhaust_memory() {
  constexpr std::uint64_t little = 1024 * mebibyte;
  const auto group = process::MemoryGroup::of_this_process();
  const auto limit = group ? group->limit() : std::nullopt;
  const bool by_kernel = limit && *limit < group->in_use() + little;
  spdlog::warn("oom: {}", by_kernel ? "by the kernel, at the limit of this process's cgroup"
                                    : "by RLIMIT_AS, since no cgroup has less than 1 GiB left here");
  if (!by_kernel) limit_own_memory();
  std::vector<std::unique_ptr<std::vector<char>>> taken;
  while (true) taken.push_back(std::make_unique<std::vector<char>>(4 * mebibyte, 'x'));
}

void flip_a_byte(const std::filesystem::path& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  if (!file) throw std::runtime_error("injected: no checkpoint to corrupt");
  const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(path) / 2);
  file.seekg(middle);
  const char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(middle);
  file.put(byte);
}

/// The loop does something, or the compiler could take it away.
[[noreturn]] void run_in_circles() {
  volatile std::uint64_t turns = 0;
  while (true) turns = turns + 1;
}

}  // namespace

Fault parse_fault(const std::string& text) {
  Fault fault;
  fault.text = text;
  bool at_request = false;
  for (const std::string& part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) refuse(text, "\"" + part + "\" is no KEY=VALUE");
    const std::string key = part.substr(0, equals), value = part.substr(equals + 1);
    if (key == "engine") {
      fault.engine = value;
    } else if (key == "step") {
      fault.step = positive(text, key, value);
    } else if (key == "at") {
      if (value != "request") refuse(text, "\"at\" must be request");
      at_request = true;
    } else if (key == "attempt") {
      fault.attempts = positive(text, key, value);
    } else if (key == "kind") {
      set_kind(fault, value);
    } else {
      refuse(text, "no key \"" + key + "\"");
    }
  }
  if (fault.engine.empty() || (fault.step == 0) != at_request || fault.kind.empty())
    refuse(text, "it needs engine, step and kind");
  return fault;
}

std::vector<Fault> parse_faults(const std::vector<std::string>& texts, const PreparedRun& run) {
  std::vector<Fault> faults;
  Problems problems;
  for (const std::string& text : texts) {
    try {
      faults.push_back(parse_fault(text));
      const EngineConfig& engine = run.engine(faults.back().engine);
      if (engine.is_command()) refuse(text, "engine " + engine.name + " is a command, whose steps are its program's own");
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  problems.throw_if_any();
  return faults;
}

std::vector<Fault> faults_of(const std::vector<Fault>& faults, const std::string& engine) {
  std::vector<Fault> found;
  for (const Fault& fault : faults)
    if (fault.engine == engine) found.push_back(fault);
  return found;
}

FaultInjector::FaultInjector(std::vector<Fault> faults, std::uint64_t attempt, std::filesystem::path checkpoint)
    : faults_(std::move(faults)), checkpoint_(std::move(checkpoint)), last_step_(processor_time()) {
  std::erase_if(faults_, [attempt](const Fault& fault) { return fault.attempts != 0 && attempt > fault.attempts; });
}

void FaultInjector::strike(std::uint64_t step, std::span<float> parameters) {
  for (const Fault& fault : faults_) {
    if (fault.kind == "slow" && fault.step > 0 && step >= fault.step) slow_down(fault.factor);
    if (step == fault.step) strike(fault, parameters);
  }
  last_step_ = processor_time();
}

void FaultInjector::strike_at_request() {
  for (const Fault& fault : faults_)
    if (fault.step == 0) strike(fault, {});
}

void FaultInjector::slow_down(double factor) { std::this_thread::sleep_for((processor_time() - last_step_) * (factor - 1)); }

void FaultInjector::strike(const Fault& fault, std::span<float> parameters) {
  spdlog::warn("engine {}: a fault is injected: {}", fault.engine, fault.text);
  if (fault.kind == "kill") ::raise(SIGKILL);
  if (fault.kind == "segv") ::raise(SIGSEGV);
  if (fault.kind == "exit") ::_exit(exit_status);
  if (fault.kind == "throw") throw std::runtime_error("injected");
  if (fault.kind == "nan") std::fill(parameters.begin(), parameters.end(), std::numeric_limits<float>::quiet_NaN());
  if (fault.kind == "stop") ::raise(SIGSTOP);
  if (fault.kind == "hang") run_in_circles();
  if (fault.kind == "enospc") process::refuse_writes();
  if (fault.kind == "oom") exhaust_memory();
  if (fault.kind == "corrupt") {
    flip_a_byte(checkpoint_);
    ::raise(SIGKILL);
  }
}

}  // namespace hiple
