#include "mpi/program/sibling.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"
#include "process/sibling.hpp"

namespace hiple::program {

std::filesystem::path mpi_program() { return process::sibling("hiple-run"); }

std::string mpi_text() {
  const bool there = std::filesystem::exists(mpi_program());
  return std::string("MPI       ") + (there ? "in hiple-run, which mpirun and srun make of `hiple run`\n" : "not installed\n");
}

void become_mpi_program(const std::vector<std::string>& arguments) {
  std::string program = mpi_program().string();
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw Error(program + ": cannot be started: " + std::system_category().message(errno) +
              " (it belongs beside `hiple`; install both)");
}

}  // namespace hiple::program
