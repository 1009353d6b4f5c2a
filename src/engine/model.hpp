#pragma once

#include <functional>

#include "config/run_config.hpp"
#include "engine/features.hpp"
#include "engine/network.hpp"
#include "engine/target.hpp"
#include "engine/typicality.hpp"

namespace hiple::engine {

/// Everything that judging needs.
struct Model {
  EngineConfig config;
  Features features;
  Target target;
  Network network;
  double temperature = 1;  ///< of a regression: 1
  Typicality typicality;
};

/// The part of a conv1d's network that reads so many series of so many points; of another model, none.
SeriesShape series_shape(const ModelConfig& config, std::size_t series, std::size_t length);

/// The network that a configuration describes for these features and this target.
NetworkShape network_shape(const ModelConfig& config, const Features& features, const Target& target);

/// Fits temperature and typicality of a trained network, the one to the calibration rows, the other to both. `beat`: called for
/// every batch of rows, and between the parts of the work; may be empty.
struct Samples;
void calibrate(Model& model, const Samples& training, const Samples& calibration, int threads, const std::function<void()>& beat);

}  // namespace hiple::engine
