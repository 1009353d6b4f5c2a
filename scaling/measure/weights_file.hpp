#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scaling/strategy/communicator.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

/// Writes the trained weights on rank 0 (format "hiple scaling weights", version 1): for each model a group with its name and,
/// as its layers divide the flat buffer, `layerI/weight` f32 [outputs, inputs] and `layerI/bias` f32 [outputs]. Of
/// a model that several ranks trained, the first one's. All ranks call it.
void write_weights(const std::filesystem::path& path, const std::vector<TrainedModel>& models, Communicator& world);

}  // namespace hiple::scaling
