#include "engine/model.hpp"

#include <algorithm>
#include <numeric>

#include "base/log.hpp"
#include "engine/calibration.hpp"
#include "engine/judging.hpp"
#include "engine/samples.hpp"

namespace hiple::engine {

namespace {

/// What a network says of some rows, before calibration.
struct Answers {
  std::vector<float> outputs, activations;
  std::size_t width = 0;
};

Answers answers_of(const Network& network, const Samples& samples, int threads, const std::function<void()>& beat) {
  JudgingPass pass(network, judging_batch, threads);
  Answers answers;
  answers.width = static_cast<std::size_t>(pass.penultimate_width());
  std::vector<std::uint32_t> rows(samples.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  for (std::size_t first = 0; first < rows.size(); first += judging_batch) {
    if (beat) beat();
    const auto batch =
        std::span<const std::uint32_t>(rows).subspan(first, std::min<std::size_t>(judging_batch, rows.size() - first));
    const std::span<const float> outputs = pass.forward(samples.examples(), batch);
    const std::span<const float> activations = pass.penultimate();
    answers.outputs.insert(answers.outputs.end(), outputs.begin(), outputs.end());
    answers.activations.insert(answers.activations.end(), activations.begin(), activations.end());
  }
  return answers;
}

}  // namespace

SeriesShape series_shape(const ModelConfig& config, std::size_t series, std::size_t length) {
  SeriesShape shape;
  if (config.convolutions.empty()) return shape;
  shape.channels = 2 * static_cast<std::int64_t>(series);  // the value, and whether it is missing
  shape.length = static_cast<std::int64_t>(length);
  for (const ConvolutionConfig& one : config.convolutions) shape.convolutions.push_back({one.channels, one.kernel, one.stride});
  shape.pool = parse_pool(config.pool);
  return shape;
}

NetworkShape network_shape(const ModelConfig& config, const Features& features, const Target& target) {
  NetworkShape shape;
  shape.inputs = static_cast<std::int64_t>(features.scalar_width());
  shape.series = series_shape(config, features.series_count(), features.series_length());
  for (const std::int64_t values : features.vocabulary_sizes()) {
    constexpr std::int64_t widest = 16;
    shape.embeddings.push_back({values, config.embedding > 0 ? config.embedding : std::min(widest, (values + 1) / 2)});
  }
  shape.hidden = config.hidden;
  shape.outputs = static_cast<std::int64_t>(target.outputs());
  shape.activation = parse_activation(config.activation);
  shape.dropout = config.dropout;
  return shape;
}

void calibrate(Model& model, const Samples& training, const Samples& calibration, int threads,
               const std::function<void()>& beat) {
  const Answers known = answers_of(model.network, training, threads, beat);
  const Answers held_out = answers_of(model.network, calibration, threads, beat);
  if (!model.target.is_regression()) {
    model.temperature = fit_temperature(held_out.outputs, model.target.outputs(), calibration.labels);
  }
  if (beat) beat();
  model.typicality = Typicality::fit(known.width, model.target.outputs(), {known.activations, training.labels},
                                     {held_out.activations, calibration.labels});
  const double resolution = model.typicality.resolution();
  if (resolution >= model.config.abstain_below && model.config.abstain_below > 0) {
    spdlog::warn("engine {}: {} calibration rows cannot show a typicality under {:.4f}: it never falls under abstain_below, {}",
                 model.config.name, calibration.rows(), resolution, model.config.abstain_below);
  }
}

}  // namespace hiple::engine
