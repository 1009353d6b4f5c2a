#include "base/philox.hpp"
#include "base/publish_guard.hpp"
#include "engine/checkpoint.hpp"
#include "engine/config_json.hpp"
#include "engine/machine.hpp"
#include "h5/h5.hpp"

namespace hiple::engine {

namespace {

void write_features(h5::Writer& file, const Features& features) {
  std::vector<std::string> names, types, units, texts, series;
  std::vector<double> means, scales;
  std::vector<std::uint32_t> sizes;
  for (const Feature& feature : features.list()) {
    names.push_back(feature.name);
    types.emplace_back(name_of(feature.type));
    units.push_back(feature.unit);
    series.push_back(feature.series);
    means.push_back(feature.mean);
    scales.push_back(feature.scale);
    sizes.push_back(static_cast<std::uint32_t>(feature.vocabulary.size()));
    texts.insert(texts.end(), feature.vocabulary.begin(), feature.vocabulary.end());
  }
  file.write("/features/name", names);
  file.write("/features/type", types);
  file.write("/features/unit", units);
  file.write("/features/mean", means);
  file.write("/features/scale", scales);
  file.write("/features/vocabulary_size", sizes);
  file.write("/features/vocabulary", texts);
  if (features.series_count() > 0) file.write("/features/series", series);
}

void write_state(h5::Writer& file, const Checkpoint& checkpoint) {
  const TrainingState& state = checkpoint.state;
  file.attribute("/", "epoch", state.epoch);
  file.attribute("/", "step", state.step);
  file.attribute("/", "position", state.position);
  file.attribute("/", "epoch_loss", state.epoch_loss);
  file.attribute("/", "epoch_weight", state.epoch_weight);
  file.attribute("/", "samples", state.samples);
  file.attribute("/", "training_loss", state.training_loss);
  file.attribute("/", "early_stop_loss", state.early_stop_loss);
  file.attribute("/", "best_loss", state.best_loss);
  file.attribute("/", "best_epoch", state.best_epoch);
  file.attribute("/", "training_seconds", state.seconds);
  const Philox::Key key = Philox(checkpoint.seed, checkpoint.config.name).key();
  file.write("/random/key", std::vector<std::uint32_t>(key.begin(), key.end()));
  file.write("/weights", checkpoint.weights);
  file.write("/first_moment", checkpoint.first_moment);
  file.write("/second_moment", checkpoint.second_moment);
  file.write("/best", checkpoint.best);
}

void write_calibration(h5::Writer& file, const Checkpoint& checkpoint) {
  const Typicality::Parameters& typicality = checkpoint.typicality;
  std::vector<double> scores;
  std::vector<std::uint64_t> counts;
  for (const auto& of_class : typicality.scores) {
    scores.insert(scores.end(), of_class.begin(), of_class.end());
    counts.push_back(of_class.size());
  }
  file.attribute("/", "temperature", checkpoint.temperature);
  file.attribute("/", "penultimate_width", std::uint64_t{typicality.width});
  file.write("/typicality/factor", typicality.factor);
  file.write("/typicality/means", typicality.means);
  file.write("/typicality/present", typicality.present);
  file.write("/typicality/scores", scores);
  file.write("/typicality/score_count", counts);
}

/// A second name for the file that is there; where the file system has none, the file itself. The new one takes its place.
void keep_previous(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return;
  check_may_publish();
  const auto previous = previous_checkpoint(path);
  std::error_code problem;
  std::filesystem::remove(previous, problem);
  std::filesystem::create_hard_link(path, previous, problem);
  if (problem) std::filesystem::rename(path, previous);
}

}  // namespace

std::filesystem::path previous_checkpoint(const std::filesystem::path& path) {
  auto name = path.stem();
  name += ".previous";
  name += path.extension();
  return path.parent_path() / name;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  h5::Writer file(path, checkpoint_format, checkpoint_version);
  file.attribute("/", "engine", checkpoint.config.name);
  file.attribute("/", "identity", checkpoint.identity);
  file.attribute("/", "seed", checkpoint.seed);
  file.attribute("/", "finished", std::uint8_t{checkpoint.finished});
  file.attribute("/", "instruction_set", instruction_set());
  file.attribute("/", "threads", checkpoint.threads);
  file.attribute("/", "device", checkpoint.device);
  file.attribute("/", "target", checkpoint.target.column);
  file.attribute("/", "target_mean", checkpoint.target.mean);
  file.attribute("/", "target_scale", checkpoint.target.scale);
  file.write("/config", std::vector<std::string>{to_json(checkpoint.config)});
  file.write("/classes", checkpoint.target.classes);
  write_features(file, checkpoint.features);
  write_state(file, checkpoint);
  if (checkpoint.finished) write_calibration(file, checkpoint);
  keep_previous(path);
  file.finish();
}

}  // namespace hiple::engine
