#include "mpi/ledger/ledger.hpp"

#include <chrono>

namespace hiple::mpi {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Ledger& Ledger::of_this_process() {
  static Ledger ledger;
  return ledger;
}

Ledger::Ledger()
    : phase_start_(now()),
      phase_seconds_(phase_names.size()),
      entered_(phase_names.size()),
      counts_(phase_names.size() * ledger_functions().size()) {
  entered_[static_cast<std::size_t>(Phase::init)] = true;
}

void Ledger::enter(Phase phase) {
  const std::lock_guard lock(mutex_);
  const double time = now();
  phase_seconds_[static_cast<std::size_t>(phase_)] += time - phase_start_;
  phase_start_ = time;
  phase_ = phase;
  entered_[static_cast<std::size_t>(phase)] = true;
}

void Ledger::note(std::size_t function, std::uint64_t sent, std::uint64_t received, double seconds) {
  const std::lock_guard lock(mutex_);
  Count& count = counts_[static_cast<std::size_t>(phase_) * ledger_functions().size() + function];
  ++count.calls;
  count.sent += sent;
  count.received += received;
  count.seconds += seconds;
}

std::vector<LedgerRow> Ledger::rows() const {
  const std::lock_guard lock(mutex_);
  const auto& functions = ledger_functions();
  std::vector<LedgerRow> rows;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const Count& count = counts_[i];
    if (count.calls == 0) continue;
    rows.push_back({static_cast<Phase>(i / functions.size()), std::string(functions[i % functions.size()]), count.calls,
                    count.sent, count.received, count.seconds});
  }
  return rows;
}

std::vector<PhaseTime> Ledger::phase_times() const {
  const std::lock_guard lock(mutex_);
  std::vector<PhaseTime> times;
  for (std::size_t i = 0; i < phase_seconds_.size(); ++i) {
    if (!entered_[i]) continue;
    const auto phase = static_cast<Phase>(i);
    times.push_back({phase, phase_seconds_[i] + (phase == phase_ ? now() - phase_start_ : 0.0)});
  }
  return times;
}

}  // namespace hiple::mpi
