#pragma once

#include <functional>

#include "base/error.hpp"

namespace hiple::program {

/// Runs a program's work and turns what it throws into a message on standard error and an exit status: the one place where
/// errors end. `before_message` is called before the message; may be empty.
int guard(const std::function<ExitStatus()>& work, const std::function<void()>& before_message = {});

}  // namespace hiple::program
