#include "run/stop_signals.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <utility>

namespace hiple {

namespace {

constexpr std::array<int, 3> stopping = {SIGTERM, SIGINT, SIGHUP};

/// For the handlers, which have no other way to tell.
std::atomic<int> asked_to_stop = 0;
std::atomic<unsigned> saves_asked = 0;
thread_local unsigned saves_taken = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not wait for a lock");

extern "C" void note_stop(int number) { asked_to_stop.store(number); }
extern "C" void note_save(int) { ++saves_asked; }

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
  if (stop_asked()) return engine::Request::stop;
  const unsigned asked = saves_asked.load();
  return std::exchange(saves_taken, asked) != asked ? engine::Request::save : engine::Request::none;
}

bool StopSignals::stop_asked() { return asked_to_stop.load() != 0; }

void StopSignals::pass_on() {
  const int number = asked_to_stop.load();
  if (number == 0) return;
  set(number, SIG_DFL);
  ::raise(number);
}

}  // namespace hiple
