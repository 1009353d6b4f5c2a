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
  const auto found = record.find(key);
  return found != record.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

EngineLog::EngineLog(const std::filesystem::path& path) : stream_(path, std::ios::app) {
  if (!stream_) throw Error(path.string() + ": cannot be written");
}

void EngineLog::line(const std::string& text) { stream_ << utc_now() << ' ' << text << std::endl; }

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
                                       {"seconds", progress.seconds}};
  std::ofstream stream(path_, std::ios::app);
  stream << line.dump() << '\n';
  if (!stream.flush()) throw Error(path_.string() + ": cannot be written");
}

std::string last_progress(const std::filesystem::path& path) {
  std::ifstream stream(path);
  nlohmann::json last;
  for (std::string line; std::getline(stream, line);) {
    auto record = nlohmann::json::parse(line, nullptr, false);
    if (record.is_object()) last = std::move(record);
  }
  if (!last.is_object()) return "begun";
  return fmt::format("epoch {} of {}, {:.0f} s", last.value("epoch", std::int64_t{0}), last.value("epochs", std::int64_t{0}),
                     last.value("seconds", 0.0));
}

void write_result(const std::filesystem::path& path, const engine::Engine& engine, const engine::Parts& parts,
                  const engine::HeldOut& held_out) {
  const engine::Progress progress = engine.progress();
  const nlohmann::ordered_json record = {{"engine", engine.config().name},
                                         {"domain", engine.config().domain},
                                         {"parameters", engine.parameters()},
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
                                           {"best_loss", number(progress.best_loss)}}},
                                         {"temperature", number(engine.temperature())},
                                         {"held_out",
                                          {{"rows", held_out.rows},
                                           {"abstained", held_out.abstained},
                                           {"accuracy", number(held_out.accuracy)},
                                           {"balanced_accuracy", number(held_out.balanced_accuracy)},
                                           {"log_loss", number(held_out.log_loss)},
                                           {"calibration_error", number(held_out.calibration_error)},
                                           {"rmse", number(held_out.rmse)}}}};
  write_file(path, record.dump(2) + "\n");
}

EngineResult read_result(const std::filesystem::path& path) {
  const auto record = nlohmann::json::parse(read_file(path), nullptr, false);
  const Place place{path.string()};
  if (!record.is_object() || !record.contains("held_out") || !record.contains("training"))
    throw InputError(place, "is no result of an engine", {}, "train the engine again");
  const auto& held_out = record["held_out"];
  EngineResult result;
  result.parameters = record.value("parameters", std::uint64_t{0});
  result.test_rows = held_out.value("rows", std::uint64_t{0});
  result.abstained = held_out.value("abstained", std::uint64_t{0});
  result.accuracy = number_in(held_out, "accuracy");
  result.balanced_accuracy = number_in(held_out, "balanced_accuracy");
  result.rmse = number_in(held_out, "rmse");
  result.seconds = number_in(record["training"], "seconds");
  result.epochs = record["training"].value("epochs", std::int64_t{0});
  return result;
}

void write_failure(const std::filesystem::path& path, const std::string& reason) {
  const nlohmann::ordered_json record = {{"reason", reason}, {"host", host_name()}, {"time", utc_now()}};
  make_folder(path.parent_path());
  // A reason may quote bytes of a damaged table that are no UTF-8.
  write_file(path, record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<std::string> read_failure(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) return std::nullopt;
  const auto record = nlohmann::json::parse(stream, nullptr, false);
  if (!record.is_object()) return "failed, with a record that cannot be read: " + path.string();
  return record.value("reason", "failed without a reason");
}

}  // namespace hiple
