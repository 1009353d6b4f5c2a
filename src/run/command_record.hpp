#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hiple {

/// What a command was and did: its provenance, in result.json.
struct CommandRecord {
  std::vector<std::string> words;  ///< as it was started
  std::filesystem::path program;
  std::string program_sha256;
  std::vector<std::pair<std::filesystem::path, std::string>> files;  ///< among the words, each with its SHA-256
  std::string output_sha256;                                         ///< of the file that the program wrote
  std::uint64_t steps = 0;                                           ///< as its progress file says last
  double seconds = 0;
  std::vector<std::string> mapped;  ///< libraries of MPI, NCCL and SHMEM that it was seen to have mapped
};

}  // namespace hiple
