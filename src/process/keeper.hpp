#pragma once

#include "process/program.hpp"

namespace hiple::process {

/// The keeper's whole life, in a process that Program has forked: starts the program, passes on signals, and ends everything that
/// descends from it when it has ended or the other end of `socket` is closed. See Program.
[[noreturn]] void keep(int socket, const ProgramStart& start);

}  // namespace hiple::process
