#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hiple::program {

/// Throws InputError, with the nearest name, where the command line names a command that does not exist: the parser would only
/// say that a command is missing. `program` begins the message.
void refuse_unknown_command(const CLI::App& app, const std::string& program, int argc, const char* const* argv);

}  // namespace hiple::program
