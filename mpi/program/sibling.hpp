#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hiple::program {

/// The program with MPI, in the same folder as this one.
std::filesystem::path mpi_program();

/// Whether it is there, in a line for `--version`.
std::string mpi_text();

/// Becomes that program, with these arguments. Returns only by throwing Error.
[[noreturn]] void become_mpi_program(const std::vector<std::string>& arguments);

}  // namespace hiple::program
