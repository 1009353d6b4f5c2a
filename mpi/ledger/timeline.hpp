#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hiple::mpi {

/// What an event of the time line is.
enum class EventKind : std::uint8_t { phase, call };

/// From when to when something went on, in seconds since the ledger of the process began.
struct Event {
  double start = 0, end = 0;
  EventKind kind = EventKind::phase;
  std::uint32_t name = 0;    ///< the phase or the MPI function: an index into Timeline::names
  std::uint32_t detail = 0;  ///< the engine or the communicator, the same way; "" where there is none
  std::uint64_t bytes = 0;   ///< sent and received
  std::uint64_t calls = 1;   ///< over 1: so many polls in a row, drawn as one
  bool operator==(const Event&) const = default;
};

/// The events of a process, in the order in which they ended.
struct Timeline {
  std::vector<std::string> names;  ///< each once
  std::vector<Event> events;
  std::uint64_t dropped = 0;  ///< for which there was no room
};

/// Events up to a number that is known beforehand: recording one never allocates. What does not fit is counted.
class EventBuffer {
 public:
  explicit EventBuffer(std::size_t capacity) : capacity_(capacity) { events_.reserve(capacity); }

  void add(const Event& event) {
    if (events_.size() < capacity_) {
      events_.push_back(event);
    } else {
      ++dropped_;
    }
  }
  /// Makes an event that repeats the last one a part of it, across the time between the two.
  void add_or_extend(const Event& event) {
    if (events_.empty() || !repeats(events_.back(), event) || dropped_ > 0) return add(event);
    Event& last = events_.back();
    last.end = event.end;
    last.bytes += event.bytes;
    last.calls += event.calls;
  }

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  static bool repeats(const Event& last, const Event& event) {
    return last.kind == event.kind && last.name == event.name && last.detail == event.detail;
  }

  std::size_t capacity_;
  std::vector<Event> events_;
  std::uint64_t dropped_ = 0;
};

/// Texts, each once, by number.
class NameTable {
 public:
  /// The number of `name`, a new one where it is not there yet.
  std::uint32_t index_of(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace hiple::mpi
