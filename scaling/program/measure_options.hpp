#pragma once

#include <CLI/CLI.hpp>

#include "scaling/measure/setup.hpp"

namespace hiple::scaling {

/// The options that make one configuration.
void add_configuration(CLI::App& command, MeasureOptions& options);

/// --output, --counters, --ledger, --weights.
void add_outputs(CLI::App& command, MeasureOptions& options);

}  // namespace hiple::scaling
