#pragma once

#include <CLI/CLI.hpp>

#include "run/law_setting.hpp"

namespace hiple::program {

/// What a law is read against: --run, --schema, --engine, --as-of. Returns them, for what they need or exclude.
std::vector<CLI::Option*> add_setting_options(CLI::App& command, LawOptions& options);

/// LAW.yaml, and the above.
void add_law_options(CLI::App& command, LawOptions& options);

}  // namespace hiple::program
