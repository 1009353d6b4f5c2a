#pragma once

#include "condition/syntax.hpp"

namespace hiple::condition {

/// The six comparisons.
inline bool compare(Op op, double a, double b) {
  switch (op) {
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    default:
      return a >= b;
  }
}

}  // namespace hiple::condition
