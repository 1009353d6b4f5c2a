#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hiple {

/// What an engine did with a case; the numbers stand in files.
enum class JudgmentStatus : std::uint8_t {
  judged = 0,
  abstained = 1,  ///< its typicality is under the engine's bound
  invalid = 2,    ///< an input is invalid
  not_asked = 3,
  absent = 255,  ///< no word of the engine: the fill value
};

/// Label where the status is not `judged`.
inline constexpr std::uint16_t no_label = 65535;

/// The judgments of one engine, one entry a case, case ids ascending and unique.
struct Judgments {
  std::string engine;
  std::string domain;
  std::int32_t level = 0;
  std::vector<std::string> classes;  ///< empty for a regression
  std::vector<std::uint64_t> case_id;
  std::vector<std::uint16_t> label;  ///< index into classes
  std::vector<float> confidence;     ///< calibrated probability of the label
  std::vector<float> probability;    ///< [cases, classes], or empty where the engine leaves it out
  std::vector<float> value;          ///< of a regression: the predicted value; else empty
  std::vector<float> typicality;     ///< conformal p-value
  std::vector<JudgmentStatus> status;

  std::string checkpoint_sha256, data_sha256, config_sha256;
  double training_seconds = 0;
  std::uint64_t steps = 0, samples = 0;
  std::string sha256;  ///< of the content of the file that they were read from: what its first line says

  [[nodiscard]] std::size_t size() const { return case_id.size(); }
};

/// Writes judgments/E.h5 (format "hiple judgments", version 2), whole or not at all. Throws Error where the judgments are not
/// as read_judgments() wants them. Where nothing was judged, confidence, probability, value and typicality may be NaN.
void write_judgments(const std::filesystem::path& path, const Judgments& judgments);

/// Throws InputError with the file and the reason: not complete, truncated, version 1, whose data were hashed otherwise, sizes
/// that differ, ids not ascending, a label that is no class, a status that is none, a probability outside [0, 1] or NaN.
Judgments read_judgments(const std::filesystem::path& path);

/// Writes the index judgments.h5: for each engine a group /engines/NAME with attributes sha256, file and status ("complete" or
/// "failed"), its classes, and, if it is complete, `judgments`, an external link to its file (relative to the index).
struct IndexEntry {
  std::string engine;
  std::filesystem::path file;  ///< relative to the index; empty if it failed
  std::string sha256;
  std::vector<std::string> classes;
  std::string status;
};
void write_judgment_index(const std::filesystem::path& path, const std::vector<IndexEntry>& entries);
std::vector<IndexEntry> read_judgment_index(const std::filesystem::path& path);

}  // namespace hiple
