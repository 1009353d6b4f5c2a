#include "engine/checkpoint_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "config/limits.hpp"

namespace hiple::engine {

namespace {

template <class Number>
void within(const char* what, Number value, Number low, Number high) {
  if (!(value >= low && value <= high)) throw Error(fmt::format("{} is {}, not from {} to {}", what, value, low, high));
}

void finite(const char* what, double value) {
  if (!std::isfinite(value)) throw Error(fmt::format("{} is {}", what, value));
}

void divisor(const char* what, double value) {
  if (!std::isfinite(value) || !(value > 0)) throw Error(fmt::format("{} is {}, not a positive number", what, value));
}

void check_model(const ModelConfig& model) {
  within("the number of hidden layers", model.hidden.size(), std::size_t{0}, limits::layers);
  for (const std::int64_t width : model.hidden) within<std::int64_t>("a hidden layer's width", width, 1, limits::width);
  within("the number of convolutions", model.convolutions.size(), std::size_t{0}, limits::layers);
  for (const ConvolutionConfig& one : model.convolutions) {
    within<std::int64_t>("a convolution's number of channels", one.channels, 1, limits::channels);
    within<std::int64_t>("a convolution's kernel", one.kernel, 1, limits::kernel);
    within<std::int64_t>("a convolution's stride", one.stride, 1, limits::kernel);
  }
  within<std::int64_t>("the width of an embedding", model.embedding, 0, limits::embedding);
  within("dropout", model.dropout, 0.0, limits::dropout);
}

/// The points of a series follow one another, and all series have as many.
void check_series(const Features& features, bool convolutional) {
  std::map<std::string, std::size_t> points;
  const std::string* last = nullptr;
  for (const Feature& feature : features.list()) {
    if (!feature.series.empty()) {
      if (!convolutional) throw Error("it reads \"" + feature.series + "\" as a series, and has no convolutions");
      if (feature.is_category()) throw Error("the point \"" + feature.name + "\" of a series is a category");
      if (++points[feature.series] > 1 && *last != feature.series)
        throw Error("the points of the series \"" + feature.series + "\" do not follow one another");
    }
    last = &feature.series;
  }
  for (const auto& [name, count] : points) {
    if (count != points.begin()->second) throw Error("the series \"" + name + "\" has another length than those before it");
  }
}

void check_features(const Features& features) {
  for (const Feature& feature : features.list()) {
    finite("a feature's mean", feature.mean);
    divisor("a feature's scale", feature.scale);
  }
}

void check_target(const Target& target) {
  within("the number of classes", target.classes.size(), std::size_t{0}, std::size_t{no_label});
  finite("the target's mean", target.mean);
  divisor("the target's scale", target.scale);
}

void check_state(const Checkpoint& checkpoint) {
  const TrainingState& state = checkpoint.state;
  within<std::int64_t>("the number of epochs", checkpoint.config.train.epochs, 1, limits::epochs);
  within<std::int64_t>("the epoch", state.epoch, 0, checkpoint.config.train.epochs);
  within<std::int64_t>("the best epoch", state.best_epoch, 0, state.epoch);
  within<std::int32_t>("the number of threads", checkpoint.threads, 1, limits::threads);
}

void check_calibration(const Checkpoint& checkpoint, const Layout& layout) {
  divisor("the temperature", checkpoint.temperature);
  if (!std::ranges::all_of(checkpoint.best, [](float weight) { return std::isfinite(weight); }))
    throw Error("a weight is not a finite number");
  const Typicality::Parameters& typicality = checkpoint.typicality;
  const auto width = static_cast<std::size_t>(layout.layers.back().columns), classes = checkpoint.target.outputs();
  if (typicality.width != width || typicality.present.size() != classes)
    throw Error(fmt::format("typicality is of {} numbers and {} classes, the network of {} and {}", typicality.width,
                            typicality.present.size(), width, classes));
  if (typicality.factor.size() != width * width || typicality.means.size() != classes * width ||
      typicality.scores.size() != classes)
    throw Error(fmt::format("typicality of {} numbers and {} classes has {} factors, {} means and scores of {} classes", width,
                            classes, typicality.factor.size(), typicality.means.size(), typicality.scores.size()));
  for (const auto& scores : typicality.scores) {
    if (!std::ranges::is_sorted(scores) || std::ranges::any_of(scores, [](double score) { return std::isnan(score); }))
      throw Error("the calibration scores are not in order");
  }
}

}  // namespace

void check_checkpoint(const Checkpoint& checkpoint) {
  check_model(checkpoint.config.model);
  check_series(checkpoint.features, !checkpoint.config.model.convolutions.empty());
  check_features(checkpoint.features);
  check_target(checkpoint.target);
  check_state(checkpoint);
  const Layout layout(network_shape(checkpoint.config.model, checkpoint.features, checkpoint.target));
  for (const auto* values : {&checkpoint.weights, &checkpoint.first_moment, &checkpoint.second_moment, &checkpoint.best}) {
    if (values->size() != layout.size) throw Error(fmt::format("a network of {} numbers has {}", layout.size, values->size()));
  }
  if (checkpoint.finished) check_calibration(checkpoint, layout);
}

}  // namespace hiple::engine
