#pragma once

#include "mpi/program/commands.hpp"

namespace hiple::program {

void add_revise(CLI::App& app, Work& work);
void add_knowledge(CLI::App& app, Work& work);

}  // namespace hiple::program
