#pragma once

#include "base/error.hpp"

namespace hiple {

/// An error that the same work on the same input meets again: trying once more is in vain. So is every InputError.
class RepeatableError : public Error {
 public:
  using Error::Error;
};

/// The work was asked to end. What was done is saved, and it can be gone on with.
class Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace hiple
