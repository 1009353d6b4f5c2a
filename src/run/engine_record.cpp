#include "run/engine_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "run/host.hpp"

namespace hiple {

namespace {

/// JSON has no NaN.
nlohmann::ordered_json number(double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr; }

double number_in(const nlohmann::json& record, const char* key) {
  const auto& value = record.at(key);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

nlohmann::ordered_json command_json(const CommandRecord& command) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const auto& [path, sha256] : command.files) files.push_back({{"path", path.string()}, {"sha256", sha256}});
  return {{"words", command.words},
          {"program", command.program.string()},
          {"program_sha256", command.program_sha256},
          {"files", files},
          {"output_sha256", command.output_sha256}};
}

}  // namespace

EngineLog::EngineLog(const std::filesystem::path& path, std::string who) : who_(std::move(who)) {
  make_folder(path.parent_path());
  stream_.open(path, std::ios::app);
  if (!stream_) throw Error(path.string() + ": cannot be written");
}

void EngineLog::line(const std::string& text) { stream_ << utc_now() + " " + who_ + text + "\n" << std::flush; }

ProgressFile::ProgressFile(std::filesystem::path path, int ranks)
    : path_(std::move(path)), interval_(std::max(10.0, ranks / 100.0)), next_(std::chrono::steady_clock::now()) {}

void ProgressFile::note(const engine::Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(interval_);
  write(progress);
}

void ProgressFile::last(const engine::Progress& progress) { write(progress); }

void ProgressFile::write(const engine::Progress& progress) {
  const nlohmann::ordered_json line = {{"time", utc_now()},
                                       {"epoch", progress.epoch},
                                       {"epochs", progress.epochs},
                                       {"step", progress.step},
                                       {"samples", progress.samples},
                                       {"training_loss", number(progress.training_loss)},
                                       {"early_stop_loss", number(progress.early_stop_loss)},
                                       {"best_loss", number(progress.best_loss)},
                                       {"seconds", progress.seconds},
                                       {"device", device_}};
  std::ofstream stream(path_, std::ios::app);
  stream << line.dump() << '\n';
  if (!stream.flush()) throw Error(path_.string() + ": cannot be written");
}

std::vector<ProgressLine> read_progress(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::vector<ProgressLine> lines;
  for (std::string line; std::getline(stream, line);) {
    try {
      const auto record = nlohmann::json::parse(line);
      ProgressLine read;
      record.at("epoch").get_to(read.epoch);
      read.epochs = record.value("epochs", std::int64_t{0});
      for (const auto& [key, number] : {std::pair{"training_loss", &read.training_loss},
                                        {"early_stop_loss", &read.early_stop_loss},
                                        {"samples", &read.samples},
                                        {"seconds", &read.seconds}})
        *number = record.contains(key) ? number_in(record, key) : std::numeric_limits<double>::quiet_NaN();
      read.device = record.value("device", "");
      std::erase_if(lines, [&](const ProgressLine& earlier) { return earlier.epoch >= read.epoch; });
      lines.push_back(read);
    } catch (const nlohmann::json::exception&) {
      // The last line may be half written.
      continue;
    }
  }
  return lines;
}

std::string last_progress(const std::filesystem::path& path) {
  const std::vector<ProgressLine> lines = read_progress(path);
  if (lines.empty()) return "begun";
  return fmt::format("epoch {} of {}, {:.0f} s", lines.back().epoch, lines.back().epochs, lines.back().seconds);
}

void write_result(const std::filesystem::path& path, const FinishedRecord& finished, const engine::Parts& parts) {
  const engine::Progress& progress = finished.progress;
  const engine::HeldOut& held_out = finished.held_out;
  const IsolationRecord& isolation = finished.isolation;
  nlohmann::ordered_json record = {{"engine", finished.engine},
                                   {"domain", finished.domain},
                                   {"parameters", finished.parameters},
                                   {"rows",
                                    {{"training", parts.training.size()},
                                     {"early_stop", parts.early_stop.size()},
                                     {"calibration", parts.calibration.size()},
                                     {"test", parts.test.size()}}},
                                   {"training",
                                    {{"epochs", progress.epoch},
                                     {"steps", progress.step},
                                     {"samples", progress.samples},
                                     {"seconds", progress.seconds},
                                     {"training_loss", number(progress.training_loss)},
                                     {"early_stop_loss", number(progress.early_stop_loss)},
                                     {"best_loss", number(progress.best_loss)},
                                     {"device", finished.device}}},
                                   {"temperature", number(finished.temperature)},
                                   {"held_out",
                                    {{"rows", held_out.rows},
                                     {"abstained", held_out.abstained},
                                     {"accuracy", number(held_out.accuracy)},
                                     {"balanced_accuracy", number(held_out.balanced_accuracy)},
                                     {"log_loss", number(held_out.log_loss)},
                                     {"calibration_error", number(held_out.calibration_error)},
                                     {"rmse", number(held_out.rmse)}}},
                                   {"isolation",
                                    {{"kind", isolation.kind},
                                     {"attempt", isolation.attempt},
                                     {"mapped", isolation.mapped},
                                     {"internet", isolation.internet}}}};
  if (finished.command) record["command"] = command_json(*finished.command);
  write_file(path, record.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

EngineResult read_result(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    const auto record = nlohmann::json::parse(text);
    const auto &held_out = record.at("held_out"), &training = record.at("training");
    EngineResult result;
    record.at("parameters").get_to(result.parameters);
    held_out.at("rows").get_to(result.test_rows);
    held_out.at("abstained").get_to(result.abstained);
    result.accuracy = number_in(held_out, "accuracy");
    result.balanced_accuracy = number_in(held_out, "balanced_accuracy");
    result.rmse = number_in(held_out, "rmse");
    result.calibration_error = number_in(held_out, "calibration_error");
    result.seconds = number_in(training, "seconds");
    training.at("epochs").get_to(result.epochs);
    training.at("steps").get_to(result.steps);
    const auto& isolation = record.at("isolation");
    isolation.at("kind").get_to(result.isolation.kind);
    isolation.at("attempt").get_to(result.isolation.attempt);
    isolation.at("mapped").get_to(result.isolation.mapped);
    isolation.at("internet").get_to(result.isolation.internet);
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Place{path.string()}, "is no result of an engine", error.what(), "train the engine again");
  }
}

void write_failure(const std::filesystem::path& path, const std::string& reason, const std::vector<std::string>& last_lines) {
  const nlohmann::ordered_json record = {
      {"reason", reason}, {"last_lines", last_lines}, {"host", host_name()}, {"time", utc_now()}};
  make_folder(path.parent_path());
  // A reason may quote bytes of a damaged table that are no UTF-8.
  write_file(path, record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<std::string> read_failure(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) return std::nullopt;
  try {
    return nlohmann::json::parse(stream).at("reason").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return "failed, with a record that cannot be read: " + path.string();
  }
}

std::vector<std::string> read_last_lines(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) return {};
  try {
    return nlohmann::json::parse(stream).at("last_lines").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    return {};  // read_failure() tells of it
  }
}

}  // namespace hiple
