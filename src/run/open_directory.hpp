#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

/// "engines.hypo.train.epochs" -> "80": every setting of run.yaml, defaults too. Engines go by name, so that their order does not
/// matter.
using Settings = std::map<std::string, std::string>;
Settings settings_of(const RunConfig& config);

/// What differs between the run that a directory holds and another one, such that they may not share it: one line each,
/// "engines.hypo.train.epochs: was 80, is 100". Free to change: order, output, isolation, restarts, limits, integrate, the law,
/// the gates, the evidence; new engines may join.
std::vector<std::string> differences(const RunConfig& held, const RunConfig& wanted);

/// Throws InputError where the directory cannot take the run: it holds other files, or a different run and not `fresh`, or a
/// process of another job works in it. Where a process of the same job holds the lock, it has checked. Changes nothing.
void check_directory(const RunDirectory& directory, const RunConfig& wanted, bool fresh, const std::string& job);

/// Throws InputError where a process of another job trains one of the engines.
void check_engines_free(const RunDirectory& directory, const PreparedRun& run, const std::string& job);

/// Makes the directory ready: removes what a new start must not find (FAILED, STATUS, decisions, locks of processes that
/// are gone; with `fresh` everything that a run leaves), and writes run.yaml and build.json. The caller holds the lock.
void start_directory(const RunDirectory& directory, const PreparedRun& run, bool fresh);

/// For a process that does a part of a run: writes run.yaml and build.json if they are not there yet.
void join_directory(const RunDirectory& directory, const PreparedRun& run);

/// Removes STATUS, decisions and whatever else the integration writes.
void forget_decisions(const RunDirectory& directory);

}  // namespace hiple
