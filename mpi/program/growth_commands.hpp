#pragma once

#include "mpi/program/commands.hpp"

namespace hiple::program {

void add_add_engine(CLI::App& app, Work& work);
void add_wear(CLI::App& app, Work& work);
void add_propose(CLI::App& app, Work& work);

}  // namespace hiple::program
