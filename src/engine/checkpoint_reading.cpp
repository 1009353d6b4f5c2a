#include <algorithm>

#include "base/error.hpp"
#include "engine/checkpoint.hpp"
#include "engine/checkpoint_check.hpp"
#include "engine/config_json.hpp"
#include "h5/h5.hpp"

namespace hiple::engine {

namespace {

ColumnType type_named(const std::string& name) {
  for (const ColumnType type :
       {ColumnType::real, ColumnType::integer, ColumnType::category, ColumnType::boolean, ColumnType::date}) {
    if (name_of(type) == name) return type;
  }
  throw Error("no column type is called \"" + name + "\"");
}

Features read_features(const h5::Reader& file) {
  const auto names = file.read_texts("/features/name"), types = file.read_texts("/features/type"),
             units = file.read_texts("/features/unit"), texts = file.read_texts("/features/vocabulary");
  const auto means = file.read<double>("/features/mean"), scales = file.read<double>("/features/scale");
  const auto sizes = file.read<std::uint32_t>("/features/vocabulary_size");
  std::vector<std::string> series(names.size());
  if (file.has("/features/series")) series = file.read_texts("/features/series");
  std::vector<Feature> features;
  auto text = texts.begin();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (texts.end() - text < static_cast<std::ptrdiff_t>(sizes.at(i))) throw Error("the vocabulary is cut short");
    const auto end = text + static_cast<std::ptrdiff_t>(sizes[i]);
    features.push_back({names[i], type_named(types.at(i)), units.at(i), means.at(i), scales.at(i), {text, end}, series.at(i)});
    text = end;
  }
  return Features(std::move(features));
}

void read_state(const h5::Reader& file, Checkpoint& checkpoint) {
  TrainingState& state = checkpoint.state;
  state.epoch = file.attribute<std::int64_t>("/", "epoch");
  state.step = file.attribute<std::uint64_t>("/", "step");
  state.position = file.attribute<std::uint64_t>("/", "position");
  if (state.position > 0) {  // version 1 lies between epochs
    state.epoch_loss = file.attribute<double>("/", "epoch_loss");
    state.epoch_weight = file.attribute<double>("/", "epoch_weight");
  }
  state.samples = file.attribute<std::uint64_t>("/", "samples");
  state.training_loss = file.attribute<double>("/", "training_loss");
  state.early_stop_loss = file.attribute<double>("/", "early_stop_loss");
  state.best_loss = file.attribute<double>("/", "best_loss");
  state.best_epoch = file.attribute<std::int64_t>("/", "best_epoch");
  state.seconds = file.attribute<double>("/", "training_seconds");
  checkpoint.weights = file.read<float>("/weights");
  checkpoint.first_moment = file.read<float>("/first_moment");
  checkpoint.second_moment = file.read<float>("/second_moment");
  checkpoint.best = file.read<float>("/best");
}

void read_calibration(const h5::Reader& file, Checkpoint& checkpoint) {
  checkpoint.temperature = file.attribute<double>("/", "temperature");
  Typicality::Parameters& typicality = checkpoint.typicality;
  typicality.width = static_cast<std::size_t>(file.attribute<std::uint64_t>("/", "penultimate_width"));
  typicality.factor = file.read<double>("/typicality/factor");
  typicality.means = file.read<double>("/typicality/means");
  typicality.present = file.read<std::uint8_t>("/typicality/present");
  const auto scores = file.read<double>("/typicality/scores");
  std::size_t used = 0;
  for (const std::uint64_t count : file.read<std::uint64_t>("/typicality/score_count")) {
    if (count > scores.size() - used) throw Error("the calibration scores are cut short");
    const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(used);
    typicality.scores.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    used += count;
  }
}

Checkpoint read(const h5::Reader& file) {
  Checkpoint checkpoint;
  checkpoint.identity = file.attribute_text("/", "identity");
  checkpoint.seed = file.attribute<std::uint64_t>("/", "seed");
  checkpoint.finished = file.attribute<std::uint8_t>("/", "finished") == 1;
  checkpoint.instruction_set = file.attribute_text("/", "instruction_set");
  checkpoint.software = file.attribute_text("/", "software");
  checkpoint.device = file.attribute_text("/", "device");
  checkpoint.threads = file.attribute<std::int32_t>("/", "threads");
  const auto config = file.read_texts("/config");
  checkpoint.config = config_from_json(config.at(0));
  checkpoint.features = read_features(file);
  checkpoint.target = {file.attribute_text("/", "target"), file.read_texts("/classes"),
                       file.attribute<double>("/", "target_mean"), file.attribute<double>("/", "target_scale")};
  read_state(file, checkpoint);
  if (checkpoint.finished) read_calibration(file, checkpoint);
  return checkpoint;
}

}  // namespace

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const h5::Reader file(path, checkpoint_format, checkpoint_version);
  try {
    Checkpoint checkpoint = read(file);
    check_checkpoint(checkpoint);
    return checkpoint;
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& problem) {
    throw InputError({path.string(), 0, 0}, "the checkpoint is damaged", problem.what(), "remove it, and the engine trains anew");
  }
}

Model make_model(const Checkpoint& checkpoint, const std::vector<float>& weights) {
  Model model{checkpoint.config,      checkpoint.features,
              checkpoint.target,      Network(network_shape(checkpoint.config.model, checkpoint.features, checkpoint.target)),
              checkpoint.temperature, checkpoint.finished ? Typicality(checkpoint.typicality) : Typicality()};
  std::ranges::copy(weights, model.network.parameters().begin());
  return model;
}

}  // namespace hiple::engine
