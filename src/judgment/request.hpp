#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hiple {

/// What a law asks an engine for: cases that it has not judged yet. requests/E.h5, there until it is answered.
struct JudgingRequest {
  std::string engine;
  std::vector<std::uint64_t> case_id;      ///< ascending and unique
  std::string config_sha256, data_sha256;  ///< of the judgments that are to be added to
  std::string law_sha256;                  ///< of the law that asks
  std::uint64_t round = 0;                 ///< of the law, from 0 on: the furthest in which one of the cases is consulted
  std::uint64_t times = 1;                 ///< how often it was asked, answers that never came included

  [[nodiscard]] bool operator==(const JudgingRequest&) const = default;
};

/// Writes it (format "hiple request", version 1), whole or not at all. Throws Error where the cases are not ascending.
void write_request(const std::filesystem::path& path, const JudgingRequest& request);

/// Throws InputError: no such file, damaged, of another engine than `engine`, ids that are not ascending.
JudgingRequest read_request(const std::filesystem::path& path, const std::string& engine);

}  // namespace hiple
