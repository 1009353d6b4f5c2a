#include "run/stop_signals.hpp"

#include <signal.h>

#include <array>
#include <atomic>

namespace hiple {

namespace {

constexpr std::array<int, 3> stopping = {SIGTERM, SIGINT, SIGHUP};

/// For the handlers, which have no other way to tell.
std::atomic<int> asked_to_stop = 0;
std::atomic<bool> asked_to_save = false;
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not wait for a lock");

extern "C" void note_stop(int number) { asked_to_stop.store(number); }
extern "C" void note_save(int) { asked_to_save.store(true); }

void set(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;  // without SA_RESTART: a poll wakes up
  ::sigaction(number, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  for (const int number : stopping) set(number, note_stop);
  set(SIGUSR1, note_save);
}

StopSignals::~StopSignals() {
  for (const int number : stopping) set(number, SIG_DFL);
  set(SIGUSR1, SIG_IGN);  // as main() has it: between two engines there is nothing to save, and no reason to die
}

engine::Request StopSignals::take() {
  if (asked_to_stop.load() != 0) return engine::Request::stop;
  return asked_to_save.exchange(false) ? engine::Request::save : engine::Request::none;
}

void StopSignals::pass_on() {
  const int number = asked_to_stop.load();
  if (number == 0) return;
  set(number, SIG_DFL);
  ::raise(number);
}

}  // namespace hiple
