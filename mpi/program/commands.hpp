#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/error.hpp"

namespace hiple::program {

/// What the chosen command does; set while the command line is parsed, called afterwards.
using Work = std::function<ExitStatus()>;

void add_check(CLI::App& app, Work& work);
void add_run(CLI::App& app, Work& work);
void add_train(CLI::App& app, Work& work);
void add_judge(CLI::App& app, Work& work);
void add_integrate(CLI::App& app, Work& work);
void add_explain(CLI::App& app, Work& work);
void add_replay(CLI::App& app, Work& work);
void add_gates(CLI::App& app, Work& work);
void add_status(CLI::App& app, Work& work);
void add_report(CLI::App& app, Work& work);
void add_law(CLI::App& app, Work& work);
void add_evidence(CLI::App& app, Work& work);
void add_revise(CLI::App& app, Work& work);
void add_knowledge(CLI::App& app, Work& work);
void add_add_engine(CLI::App& app, Work& work);
void add_wear(CLI::App& app, Work& work);
void add_propose(CLI::App& app, Work& work);
void add_submit(CLI::App& app, Work& work);
void add_devices(CLI::App& app, Work& work);
void add_data(CLI::App& app, Work& work);
void add_planted(CLI::App& generators, Work& work);  ///< below `data generate`

}  // namespace hiple::program
