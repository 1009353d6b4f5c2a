#pragma once

#include "law/evaluate.hpp"

/// Strong Kleene logic over readings. The causes that a deciding operand makes irrelevant are dropped; what is left is a set,
/// so that no order matters.
namespace hiple::law {

using condition::Truth;

inline void set(Reading& reading, Truth value) {
  reading.value = value;
  reading.causes.clear();
}

/// reading = reading AND part.
inline void conjoin(Reading& reading, const Reading& part) {
  if (reading.value == Truth::no || part.value == Truth::yes) return;
  if (part.value == Truth::no) return set(reading, Truth::no);
  reading.value = Truth::unknown;
  reading.causes.add(part.causes);
}

/// reading = reading OR part.
inline void disjoin(Reading& reading, const Reading& part) {
  if (reading.value == Truth::yes || part.value == Truth::no) return;
  if (part.value == Truth::yes) return set(reading, Truth::yes);
  reading.value = Truth::unknown;
  reading.causes.add(part.causes);
}

/// reading = reading AND NOT part.
inline void conjoin_not(Reading& reading, const Reading& part) {
  if (reading.value == Truth::no || part.value == Truth::no) return;
  if (part.value == Truth::yes) return set(reading, Truth::no);
  reading.value = Truth::unknown;
  reading.causes.add(part.causes);
}

}  // namespace hiple::law
