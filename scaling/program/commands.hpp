#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/error.hpp"

namespace hiple::scaling {

/// What the chosen command does; set while the command line is parsed, called afterwards.
using Work = std::function<ExitStatus()>;

void add_measure(CLI::App& app, Work& work);
void add_check(CLI::App& app, Work& work);
void add_micro(CLI::App& app, Work& work);
void add_plan(CLI::App& app, Work& work);
void add_claims(CLI::App& app, Work& work);
void add_pieces(CLI::App& app, Work& work);

}  // namespace hiple::scaling
