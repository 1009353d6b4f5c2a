#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>

#include "base/error_kinds.hpp"
#include "base/file.hpp"
#include "engine/checkpoint.hpp"
#include "engine/config_json.hpp"
#include "synthetic.hpp"
#include "temporary_folder.hpp"

namespace hiple::engine {
namespace {

using testing::HasSubstr;

struct Stop {};

EngineConfig six_epochs() {
  EngineConfig config = config_of();
  config.train.epochs = 6;
  config.train.early_stop = 0;
  config.train.schedule = "cosine";
  config.train.warmup = 5;
  config.train.clip = 1;
  config.model.dropout = 0.2;
  return config;
}

/// Trains until the epoch is done and is then stopped from outside.
void train_until(std::int64_t epoch, const Table& table, const EngineConfig& config, TrainOptions options) {
  options.on_epoch = [epoch](const Progress& progress) {
    if (progress.epoch == epoch) throw Stop();
  };
  EXPECT_THROW(train(table, config, options), Stop);
}

TEST(Checkpoint, GoingOnGivesTheSameBits) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  const EngineConfig config = six_epochs();
  TrainOptions whole, parted;
  whole.checkpoint = folder.path() / "whole.h5";
  parted.checkpoint = folder.path() / "parted.h5";
  const Judgments expected = train(table, config, whole).judge(table);
  train_until(3, table, config, parted);
  EXPECT_EQ(read_checkpoint(parted.checkpoint).state.epoch, 3);
  std::vector<std::int64_t> epochs;
  parted.on_epoch = [&epochs](const Progress& progress) { epochs.push_back(progress.epoch); };
  const Judgments gone_on = train(table, config, parted).judge(table);
  EXPECT_THAT(epochs, testing::ElementsAre(4, 5, 6));
  EXPECT_EQ(bytes_of(gone_on), bytes_of(expected));

  const Checkpoint a = read_checkpoint(whole.checkpoint), b = read_checkpoint(parted.checkpoint);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.first_moment, b.first_moment);
  EXPECT_EQ(a.second_moment, b.second_moment);
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.state.step, b.state.step);
  EXPECT_EQ(a.state.best_loss, b.state.best_loss);
  EXPECT_EQ(a.temperature, b.temperature);
}

TEST(Checkpoint, AConvolutionalEngineGoesOnWithTheSameBits) {
  const TemporaryFolder folder;
  const Table table = series_table(300);
  EngineConfig config = series_config();
  config.train.epochs = 6;
  config.model.dropout = 0.2;
  TrainOptions whole, parted;
  whole.checkpoint = folder.path() / "whole.h5";
  parted.checkpoint = folder.path() / "parted.h5";
  const Judgments expected = train(table, config, whole).judge(table);
  train_until(3, table, config, parted);
  EXPECT_EQ(bytes_of(train(table, config, parted).judge(table)), bytes_of(expected));
  EXPECT_EQ(bytes_of(Engine::load(parted.checkpoint).judge(table)), bytes_of(expected));
  const Checkpoint a = read_checkpoint(whole.checkpoint), b = read_checkpoint(parted.checkpoint);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.second_moment, b.second_moment);
  EXPECT_EQ(a.features.list()[25].series, "t");
  config.model.convolutions[0].kernel = 5;
  parted.identity = "another";
  EXPECT_THAT([&] { (void)train(table, config, parted); },
              testing::ThrowsMessage<InputError>(HasSubstr("convolutions: [{\"channels\":8,\"kernel\":3,\"stride\":1}")));
}

TEST(Checkpoint, AStepThatFailsLeavesTheOneBefore) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  const EngineConfig config = six_epochs();
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  const Judgments expected = train(table, config).judge(table);
  options.on_step = [](std::uint64_t step) {
    if (step == 21) throw Stop();
  };
  EXPECT_THROW(train(table, config, options), Stop);
  EXPECT_EQ(read_checkpoint(options.checkpoint).state.step, 18U);  // 174 rows in batches of 32: 6 steps an epoch
  options.on_step = {};
  EXPECT_EQ(bytes_of(train(table, config, options).judge(table)), bytes_of(expected));
}

TEST(Checkpoint, EarlyStopGoesOnWhereItStood) {
  const TemporaryFolder folder;
  const Table table = table_of(120);
  EngineConfig config = six_epochs();
  config.train.epochs = 400;
  config.train.early_stop = 4;
  config.train.schedule = "constant";
  std::int64_t last = 0;
  TrainOptions options;
  options.on_epoch = [&last](const Progress& progress) { last = progress.epoch; };
  const Judgments expected = train(table, config, options).judge(table);
  ASSERT_LT(last, 400);
  options.checkpoint = folder.path() / "c.h5";
  train_until(last - 2, table, config, options);
  const Engine engine = train(table, config, options);
  EXPECT_EQ(engine.progress().epoch, last);
  EXPECT_EQ(bytes_of(engine.judge(table)), bytes_of(expected));
}

TEST(Checkpoint, AFinishedEngineLoadsAndIsNotTrainedAgain) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  const EngineConfig config = six_epochs();
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  const Engine trained = train(table, config, options);
  const std::string bytes = read_file(options.checkpoint);
  const Engine loaded = Engine::load(options.checkpoint);
  EXPECT_EQ(bytes_of(loaded.judge(table)), bytes_of(trained.judge(table)));
  EXPECT_EQ(loaded.config().features, config.features);
  EXPECT_EQ(loaded.parameters(), trained.parameters());
  EXPECT_EQ(loaded.temperature(), trained.temperature());
  EXPECT_EQ(loaded.progress().step, 36U);
  options.on_epoch = [](const Progress&) { FAIL() << "trained again"; };
  (void)train(table, config, options);
  EXPECT_EQ(read_file(options.checkpoint), bytes);
}

TEST(Checkpoint, AForeignOneIsRefusedByName) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  const EngineConfig config = six_epochs();
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  options.identity = "this data";
  train_until(2, table, config, options);
  const auto message = [&](const EngineConfig& other, std::uint64_t seed, const TrainOptions& changed) -> std::string {
    try {
      (void)Engine::train(table, other, parts_of(table, other), seed, changed);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  TrainOptions other_data = options;
  other_data.identity = "other data";
  EXPECT_THAT(message(config, 7, other_data), HasSubstr("identity \"this data\" and \"other data\""));
  EngineConfig other_engine = config;
  other_engine.name = "another";
  EXPECT_THAT(message(other_engine, 7, options), HasSubstr("name: \"engine-state\" and \"another\""));
  EXPECT_THAT(message(config, 8, options), HasSubstr("seed: 7 and 8"));
  EngineConfig longer = config;
  longer.train.epochs = 7;
  EXPECT_THAT(message(longer, 7, other_data), HasSubstr("differ epochs: 6 and 7 (remove it"));
}

TEST(Checkpoint, AnUnfinishedOneDoesNotJudge) {
  const TemporaryFolder folder;
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  train_until(2, table_of(400), six_epochs(), options);
  try {
    (void)Engine::load(options.checkpoint);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("2 of 6 epochs"));
  }
}

TEST(Checkpoint, AskedForBetweenAnyTwoSteps) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  const EngineConfig config = six_epochs();
  TrainOptions whole;
  whole.checkpoint = folder.path() / "whole.h5";
  const Judgments expected = train(table, config, whole).judge(table);
  const Checkpoint end = read_checkpoint(whole.checkpoint);
  TrainOptions parted;
  parted.checkpoint = folder.path() / "parted.h5";
  std::uint64_t stop_at = 0, step = 0;
  parted.on_step = [&step](std::uint64_t done) { step = done; };
  parted.request = [&] { return step == stop_at ? Request::stop : Request::none; };
  for (stop_at = 1; stop_at < 36; ++stop_at) {  // stopped after each of the 36 steps but the last, which ends the training
    EXPECT_THROW(train(table, config, parted), Interrupted) << stop_at;
    EXPECT_EQ(read_checkpoint(parted.checkpoint).state.step, stop_at);
  }
  EXPECT_EQ(bytes_of(train(table, config, parted).judge(table)), bytes_of(expected));
  const Checkpoint found = read_checkpoint(parted.checkpoint);
  EXPECT_EQ(found.weights, end.weights);
  EXPECT_EQ(found.first_moment, end.first_moment);
  EXPECT_EQ(found.second_moment, end.second_moment);
  EXPECT_EQ(found.best, end.best);
  EXPECT_EQ(found.state.training_loss, end.state.training_loss);
  EXPECT_EQ(found.state.best_epoch, end.state.best_epoch);
  EXPECT_EQ(found.state.samples, end.state.samples);
}

TEST(Checkpoint, SavedWithoutAnEnd) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  std::uint64_t step = 0;
  std::vector<std::uint64_t> saved;
  options.on_step = [&step](std::uint64_t done) { step = done; };
  options.request = [&] { return step == 8 ? Request::save : Request::none; };
  options.on_save = [&] { saved.push_back(read_checkpoint(options.checkpoint).state.step); };
  EngineConfig config = six_epochs();
  config.train.checkpoint_every = 4;
  const Judgments expected = train(table, config).judge(table);
  EXPECT_EQ(bytes_of(train(table, config, options).judge(table)), bytes_of(expected));
  EXPECT_THAT(saved, testing::ElementsAre(8U, 24U, 36U));
}

TEST(Checkpoint, ADamagedOneFallsBackToTheOneBefore) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  const EngineConfig config = six_epochs();
  const Judgments expected = train(table, config).judge(table);
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  train_until(4, table, config, options);
  const std::string newest = read_file(options.checkpoint), before = read_file(previous_checkpoint(options.checkpoint));
  EXPECT_EQ(read_checkpoint(previous_checkpoint(options.checkpoint)).state.epoch, 3);
  std::vector<std::string> notes;
  options.on_note = [&notes](const std::string& text) { notes.push_back(text); };
  std::string flipped = newest;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  for (const std::string& bytes :
       {newest.substr(0, newest.size() / 2), newest.substr(0, newest.size() - 1), flipped, std::string()}) {
    write_file(options.checkpoint, bytes);
    write_file(previous_checkpoint(options.checkpoint), before);
    notes.clear();
    EXPECT_EQ(bytes_of(train(table, config, options).judge(table)), bytes_of(expected));
    EXPECT_THAT(notes,
                testing::ElementsAre(HasSubstr("cannot be used"), HasSubstr("the checkpoint before, of epoch 3, step 18")));
  }
  // Neither is whole: from the start.
  write_file(options.checkpoint, flipped);
  write_file(previous_checkpoint(options.checkpoint), "");
  notes.clear();
  EXPECT_EQ(bytes_of(train(table, config, options).judge(table)), bytes_of(expected));
  EXPECT_THAT(notes, testing::Contains(HasSubstr("from the start")));
}

TEST(Checkpoint, ADamagedOneDoesNotJudge) {
  const TemporaryFolder folder;
  const Table table = table_of(400);
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  (void)train(table, six_epochs(), options);
  const std::string bytes = read_file(options.checkpoint);
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    write_file(options.checkpoint, bytes.substr(0, size));
    EXPECT_THROW((void)Engine::load(options.checkpoint), InputError) << size;
  }
  EXPECT_THROW((void)Engine::load(folder.path() / "none.h5"), InputError);
}

TEST(Checkpoint, SizesThatDoNotFitAreRefused) {
  const TemporaryFolder folder;
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  (void)train(table_of(400), six_epochs(), options);
  Checkpoint checkpoint = read_checkpoint(options.checkpoint);
  checkpoint.best.pop_back();
  write_checkpoint(options.checkpoint, checkpoint);
  EXPECT_THROW((void)Engine::load(options.checkpoint), InputError);
}

TEST(Checkpoint, NumbersThatNoTrainingLeavesAreRefused) {
  const TemporaryFolder folder;
  TrainOptions options;
  options.checkpoint = folder.path() / "c.h5";
  EngineConfig config = series_config();
  config.train.epochs = 2;
  (void)train(series_table(300), config, options);
  const Checkpoint sound = read_checkpoint(options.checkpoint);
  ASSERT_TRUE(sound.finished);
  const auto refusal = [&](const std::function<void(Checkpoint&)>& spoil) -> std::string {
    Checkpoint checkpoint = sound;
    spoil(checkpoint);
    write_checkpoint(options.checkpoint, checkpoint);
    try {
      (void)Engine::load(options.checkpoint);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto change_features = [](Checkpoint& checkpoint, const std::function<void(std::vector<Feature>&)>& change) {
    std::vector<Feature> features = checkpoint.features.list();
    change(features);
    checkpoint.features = Features(std::move(features));
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([](Checkpoint&) {}), "accepted");
  for (const int threads : {-1, 0, 100'000})
    EXPECT_THAT(refusal([&](Checkpoint& c) { c.threads = threads; }), HasSubstr("number of threads"));
  for (const std::int64_t width : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 62})
    EXPECT_THAT(refusal([&](Checkpoint& c) { c.config.model.hidden = {4, width}; }), HasSubstr("hidden layer's width"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.config.model.convolutions[0].stride = 0; }), HasSubstr("stride is 0"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.config.model.embedding = -1; }), HasSubstr("embedding"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.temperature = 0; }), HasSubstr("temperature"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.temperature = nan; }), HasSubstr("temperature"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.best[0] = static_cast<float>(nan); }), HasSubstr("a weight"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.state.epoch = -3; }), HasSubstr("the epoch is -3"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.state.best_epoch = 3; }), HasSubstr("best epoch is 3, not from 0 to 2"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.target.scale = 0; }), HasSubstr("target's scale"));
  EXPECT_THAT(refusal([&](Checkpoint& c) { change_features(c, [](auto& list) { list[0].scale = 0; }); }),
              HasSubstr("scale is 0"));
  EXPECT_THAT(refusal([&](Checkpoint& c) { change_features(c, [](auto& list) { list[0].mean = nan; }); }),
              HasSubstr("mean is nan"));
  // Typicality of another network: it would look beyond the activations.
  EXPECT_THAT(refusal([](Checkpoint& c) {
                c.typicality = {2 * c.typicality.width, std::vector<double>(4 * c.typicality.width * c.typicality.width, 1),
                                std::vector<double>(2 * c.typicality.width * c.typicality.present.size()), c.typicality.present,
                                c.typicality.scores};
              }),
              HasSubstr("typicality is of"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.typicality = {}; }), HasSubstr("typicality is of 0 numbers"));
  EXPECT_THAT(refusal([](Checkpoint& c) { c.typicality.scores[0] = {2, 1}; }), HasSubstr("not in order"));
  // Points of a series that would be written beyond the row.
  EXPECT_THAT(refusal([&](Checkpoint& c) {
                change_features(c, [](auto& list) {
                  for (auto& feature : list) {
                    if (!feature.series.empty()) {
                      feature.series += "2";
                      return;
                    }
                  }
                });
              }),
              HasSubstr("series"));
}

TEST(Checkpoint, TheConfigurationSurvivesAsJson) {
  EngineConfig config = six_epochs();
  config.abstain_below = 0.1;
  config.features = {"a \"quoted\" name", "größe"};
  const EngineConfig read = config_from_json(to_json(config));
  EXPECT_EQ(to_json(read), to_json(config));
  EXPECT_EQ(read.abstain_below, 0.1);
  EXPECT_EQ(read.features, config.features);
  const EngineConfig convolutional = series_config();
  EXPECT_EQ(to_json(config_from_json(to_json(convolutional))), to_json(convolutional));
  EXPECT_THROW((void)config_from_json("{}"), Error);
  EXPECT_THROW((void)config_from_json("{"), Error);
}

}  // namespace
}  // namespace hiple::engine
