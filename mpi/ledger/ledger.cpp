#include "mpi/ledger/ledger.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/text.hpp"

namespace hiple::mpi {

namespace {

constexpr std::size_t communicator_limit = 256;
constexpr std::size_t phase_events = 16384;
constexpr std::size_t default_call_events = 65536;  // of 48 bytes each

/// HIPLE_LEDGER_EVENTS calls are kept for the time line, 0 for none; the counts do not depend on it. Here may be the program of
/// somebody else: what is no number is said, and does not end it.
std::size_t call_events() {
  constexpr std::uint64_t most = 100'000'000;
  const char* text = std::getenv("HIPLE_LEDGER_EVENTS");
  if (text == nullptr) return default_call_events;
  const auto value = parse_unsigned(text);
  if (value && *value <= most) return static_cast<std::size_t>(*value);
  std::fprintf(stderr, "hiple ledger: HIPLE_LEDGER_EVENTS=%s is no whole number from 0 to %llu; %zu events are kept\n",
               printable(text).c_str(), static_cast<unsigned long long>(most), default_call_events);
  return default_call_events;
}

}  // namespace

Ledger& Ledger::of_this_process() {
  static Ledger ledger;
  return ledger;
}

Ledger::Ledger()
    : phase_seconds_(phase_names.size()),
      entered_(phase_names.size()),
      communicators_(1),
      counts_(phase_names.size()),
      phases_(phase_events),
      calls_(call_events()) {
  entered_[static_cast<std::size_t>(Phase::init)] = true;
  details_.index_of("");
}

Event Ledger::current_phase() const {
  return {phase_start_, now(), EventKind::phase, static_cast<std::uint32_t>(phase_), detail_, 0, 1};
}

void Ledger::enter(Phase phase, std::string_view detail) {
  const std::lock_guard lock(mutex_);
  const Event left = current_phase();
  phases_.add(left);
  phase_seconds_[static_cast<std::size_t>(phase_)] += left.end - left.start;
  phase_start_ = left.end;
  phase_ = phase;
  detail_ = details_.index_of(std::string(detail));
  entered_[static_cast<std::size_t>(phase)] = true;
}

void Ledger::note(const CallRecord& call) {
  const double start = anchor_.seconds(call.start), end = anchor_.seconds(call.end);
  const std::lock_guard lock(mutex_);
  auto& counts = counts_[call.communicator * phase_names.size() + static_cast<std::size_t>(phase_)];
  if (counts.empty()) counts.resize(ledger_functions().size());
  Count& count = counts[call.function];
  ++count.calls;
  count.sent += call.sent;
  count.received += call.received;
  count.seconds += end - start;
  if (call.waits) count.wait_seconds += end - start;
  const Event event{start,
                    end,
                    EventKind::call,
                    static_cast<std::uint32_t>(call.function),
                    static_cast<std::uint32_t>(call.communicator),
                    call.sent + call.received,
                    1};
  if (call.polls) {
    calls_.add_or_extend(event);
  } else {
    calls_.add(event);
  }
}

std::size_t Ledger::communicator(const std::string& name, int size) {
  const std::lock_guard lock(mutex_);
  Communicator wanted{name, size};
  auto found = std::find(communicators_.begin(), communicators_.end(), wanted);
  if (found == communicators_.end() && communicators_.size() > communicator_limit) {
    wanted = {"other communicators", 0};
    found = std::find(communicators_.begin(), communicators_.end(), wanted);
  }
  const auto index = static_cast<std::size_t>(found - communicators_.begin());
  if (found == communicators_.end()) {
    communicators_.push_back(std::move(wanted));
    counts_.resize(communicators_.size() * phase_names.size());
  }
  return index;
}

void Ledger::set_mpi(const std::string& version) {
  const std::lock_guard lock(mutex_);
  mpi_ = version;
}

std::string Ledger::mpi() const {
  const std::lock_guard lock(mutex_);
  return mpi_;
}

std::vector<LedgerRow> Ledger::rows() const {
  const std::lock_guard lock(mutex_);
  const auto& functions = ledger_functions();
  std::vector<LedgerRow> rows;
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    for (std::size_t communicator = 0; communicator < communicators_.size(); ++communicator) {
      const auto& counts = counts_[communicator * phase_names.size() + phase];
      for (std::size_t function = 0; function < counts.size(); ++function) {
        const Count& count = counts[function];
        if (count.calls == 0) continue;
        rows.push_back({static_cast<Phase>(phase), communicators_[communicator].name, communicators_[communicator].size,
                        std::string(functions[function]), count.calls, count.sent, count.received, count.seconds,
                        count.wait_seconds});
      }
    }
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

Timeline Ledger::timeline() const {
  const std::lock_guard lock(mutex_);
  NameTable names;
  Timeline timeline;
  timeline.events = phases_.events();
  timeline.events.push_back(current_phase());
  for (Event& event : timeline.events) {
    event.name = names.index_of(std::string(phase_names.at(event.name)));
    event.detail = names.index_of(details_.names().at(event.detail));
  }
  for (Event event : calls_.events()) {
    event.name = names.index_of(std::string(ledger_functions().at(event.name)));
    event.detail = names.index_of(communicators_.at(event.detail).name);
    timeline.events.push_back(event);
  }
  std::stable_sort(timeline.events.begin(), timeline.events.end(), [](const Event& a, const Event& b) { return a.end < b.end; });
  timeline.names = names.names();
  timeline.dropped = phases_.dropped() + calls_.dropped();
  return timeline;
}

}  // namespace hiple::mpi
