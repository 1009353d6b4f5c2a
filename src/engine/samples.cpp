#include "engine/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "engine/loss.hpp"

namespace hiple::engine {

namespace {

constexpr const char* more_rows = "give the engine more rows (`cases`, `split`), or leave it out";

void warn_left_out(const EngineConfig& config, const char* part, std::size_t given, std::size_t used, const std::string& why) {
  if (used == given) return;
  spdlog::warn("engine {}: {} of {} {} rows are left out: {}", config.name, given - used, given, part, why);
}

void refuse_empty(const EngineConfig& config, const char* part, std::span<const std::uint32_t> given,
                  std::span<const std::uint32_t> used) {
  if (!used.empty()) return;
  throw InputError(config.place, fmt::format("engine {}: no {} row is left of {}", config.name, part, given.size()),
                   "none has a known " + config.target + " and only valid features",
                   "correct the table, or the ranges and values in the schema");
}

std::vector<std::uint32_t> usable(const Table& table, const EngineConfig& config, const char* part,
                                  std::span<const std::uint32_t> given) {
  const auto known = rows_with_target(table, config.target, given);
  warn_left_out(config, part, given.size(), known.size(), config.target + " is not known");
  auto valid = rows_without_invalid(table, config.features, known);
  warn_left_out(config, part, known.size(), valid.size(), "a feature is invalid");
  refuse_empty(config, part, given, valid);
  return valid;
}

std::vector<std::uint32_t> readable(const FeatureReader& reader, const EngineConfig& config, const char* part,
                                    std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> valid;
  std::ranges::copy_if(rows, std::back_inserter(valid), [&](std::uint32_t row) { return reader.valid(row); });
  warn_left_out(config, part, rows.size(), valid.size(), "a category that no training row has");
  refuse_empty(config, part, rows, valid);
  return valid;
}

void fit_scale(Target& target, const EngineConfig& config, const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  double mean = 0, square = 0;
  const auto count = static_cast<double>(numbers.size());
  for (const double number : numbers) mean += largest > 0 ? number / largest / count : 0;
  for (const double number : numbers) square += largest > 0 ? std::pow(number / largest - mean, 2) / count : 0;
  if (!(std::sqrt(square) > 1e-12)) {
    throw InputError(config.target_place,
                     fmt::format("engine {}: all {} training rows have the same {}", config.name, numbers.size(), config.target),
                     "there is nothing to learn", more_rows);
  }
  constexpr double most = 1e37;
  if (largest > most) {
    throw InputError(config.target_place,
                     fmt::format("engine {}: a {} of {} is more than a judgment can hold", config.name, config.target, largest),
                     {}, "give the column another unit or a range in the schema");
  }
  target.mean = mean * largest;
  target.scale = std::sqrt(square) * largest;
}

std::vector<double> fit_weights(const Target& target, const EngineConfig& config, std::span<const std::uint32_t> classes) {
  std::vector<double> weights = class_weights(config.train.class_weight, classes, target.classes.size());
  if (std::ranges::count(weights, 0.0) + 1 >= std::ssize(weights)) {
    throw InputError(config.target_place,
                     fmt::format("engine {}: all {} training rows have {} = {}", config.name, classes.size(), config.target,
                                 target.classes.at(classes.front())),
                     "it takes two classes to learn", more_rows);
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] > 0) continue;
    spdlog::warn("engine {}: no training row has {} = {}: that class weighs nothing and is not learned", config.name,
                 config.target, target.classes[k]);
  }
  return weights;
}

Samples read_samples(const Table& table, const FeatureReader& reader, const Target& target, std::span<const double> weights,
                     std::span<const std::uint32_t> rows) {
  Samples samples;
  reader.read(rows, samples.inputs);
  if (target.is_regression()) {
    for (const double number : target_numbers(table, target, rows)) {
      const double deviation = (number - target.mean) / target.scale;
      samples.numbers.push_back(static_cast<float>(std::clamp(deviation, -largest_deviation, largest_deviation)));
    }
    samples.labels.assign(rows.size(), 0);
    samples.weights.assign(rows.size(), 1.0F);
    return samples;
  }
  for (const std::uint32_t value : target_classes(table, target, rows)) {
    samples.labels.push_back(static_cast<std::int32_t>(value));
    samples.weights.push_back(static_cast<float>(weights[value]));
  }
  return samples;
}

}  // namespace

TrainingData make_training_data(const Table& table, const EngineConfig& config, const Parts& parts) {
  const auto training = usable(table, config, "training", parts.training);
  TrainingData data;
  data.features = Features::fit(table, config.features, training, config.is_convolutional());
  data.target = make_target(table, config.target);
  std::vector<double> weights;
  if (data.target.is_regression()) {
    fit_scale(data.target, config, target_numbers(table, data.target, training));
  } else {
    weights = fit_weights(data.target, config, target_classes(table, data.target, training));
  }
  const FeatureReader reader(data.features, table);
  const auto read_part = [&](const char* part, const std::vector<std::uint32_t>& rows) {
    return read_samples(table, reader, data.target, weights, readable(reader, config, part, usable(table, config, part, rows)));
  };
  data.training = read_samples(table, reader, data.target, weights, training);
  data.early_stop = read_part("early-stop", parts.early_stop);
  data.calibration = read_part("calibration", parts.calibration);
  return data;
}

BatchLoss::BatchLoss(const Samples& samples, std::size_t outputs, bool regression, std::size_t largest_batch)
    : samples_(&samples),
      outputs_(outputs),
      regression_(regression),
      labels_(largest_batch),
      numbers_(regression ? largest_batch : 0),
      weights_(largest_batch) {}

BatchLoss::Sum BatchLoss::operator()(std::span<const std::uint32_t> rows, std::span<const float> outputs,
                                     std::span<float> gradient) {
  Sum sum;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    labels_[i] = samples_->labels[rows[i]];
    weights_[i] = samples_->weights[rows[i]];
    if (regression_) numbers_[i] = samples_->numbers[rows[i]];
    sum.weight += static_cast<double>(weights_[i]);
  }
  const std::span<const float> weights = std::span(weights_).first(rows.size());
  const double normaliser = sum.weight > 0 ? sum.weight : 1;
  sum.loss = regression_ ? squared_error(outputs, std::span(numbers_).first(rows.size()), weights, normaliser, gradient)
                         : softmax_cross_entropy(outputs, std::span(labels_).first(rows.size()), weights, normaliser, gradient);
  return sum;
}

}  // namespace hiple::engine
