#include <gtest/gtest.h>

#include <algorithm>

#include "allocations.hpp"
#include "engine/host_stepper.hpp"
#include "engine/model.hpp"
#include "engine/trainer.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

/// A network and its trainer on the synthetic table.
struct Setting {
  EngineConfig config;
  TrainingData data;
  Network network;
  Philox generator = Philox(7, config.name);
  StepperSource source{config.name, network, config.train, data, generator, 1};
  Trainer trainer;

  explicit Setting(const EngineConfig& engine, std::size_t rows = 400)
      : Setting(engine, make_training_data(table_of(rows), engine, parts_of(table_of(rows), engine))) {}

 private:
  Setting(const EngineConfig& engine, TrainingData made)
      : config(engine), data(std::move(made)), network(initialised(engine, data)), trainer(source, make_host_stepper(source)) {}

  static Network initialised(const EngineConfig& engine, const TrainingData& data) {
    Network network(network_shape(engine.model, data.features, data.target));
    network.initialise(Philox(7, engine.name));
    return network;
  }
};

TEST(Trainer, AStepAllocatesNothing) {
  for (const char* target : {"state", "sum"}) {
    EngineConfig config = config_of(target);
    config.model.dropout = 0.1;
    config.train.clip = 1;
    Setting setting(config);
    std::vector<std::uint64_t> counts;
    counts.reserve(100);
    const std::function<void(std::uint64_t)> on_step = [&counts](std::uint64_t) { counts.push_back(allocation_count()); };
    setting.trainer.run_epoch(on_step);
    setting.trainer.run_epoch(on_step);
    EXPECT_EQ(counts.front(), counts.back()) << target;
  }
}

TEST(Trainer, CountsStepsAndSamples) {
  Setting setting(config_of());
  std::vector<std::uint64_t> steps;
  setting.trainer.run_epoch([&steps](std::uint64_t step) { steps.push_back(step); });
  EXPECT_EQ(setting.data.training.rows(), 174U);
  EXPECT_EQ(steps, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(setting.trainer.state().samples, 174U);
  EXPECT_EQ(setting.trainer.state().epoch, 1);
}

TEST(Trainer, KeepsTheWeightsOfTheBestEpoch) {
  EngineConfig config = config_of();
  config.train.learning_rate = 0.05;
  Setting setting(config, 100);
  std::vector<float> best;
  double best_loss = std::numeric_limits<double>::infinity();
  for (int epoch = 0; epoch < 30; ++epoch) {
    setting.trainer.run_epoch({});
    if (setting.trainer.state().early_stop_loss >= best_loss) continue;
    best_loss = setting.trainer.state().early_stop_loss;
    best.assign(setting.network.parameters().begin(), setting.network.parameters().end());
  }
  ASSERT_LT(setting.trainer.state().best_epoch, 30);
  EXPECT_EQ(setting.trainer.best(), best);
  EXPECT_EQ(setting.trainer.state().best_loss, best_loss);
}

TEST(Trainer, StopsAfterThatManyEpochsWithoutImprovement) {
  EngineConfig config = config_of();
  config.train.early_stop = 3;
  config.train.epochs = 1000;
  config.train.learning_rate = 0.05;
  Setting setting(config, 100);
  while (!setting.trainer.done()) setting.trainer.run_epoch({});
  EXPECT_EQ(setting.trainer.state().epoch, setting.trainer.state().best_epoch + 3);
}

/// The first loss, before any step, by hand: the mean over rows of weight * -log p, and so for the early-stop part.
TEST(Trainer, TheFirstLossIsThatOfTheInitialWeights) {
  EngineConfig config = config_of();
  config.train.learning_rate = 0;
  config.train.weight_decay = 0;
  config.train.class_weight = "balanced";
  Setting setting(config);
  setting.trainer.run_epoch({});
  const auto mean_loss = [&](const Samples& samples) {
    JudgingPass pass(setting.network, static_cast<std::int64_t>(samples.rows()));
    std::vector<std::uint32_t> rows(samples.rows());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto outputs = pass.forward(samples.examples(), rows);
    double loss = 0, weight = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += std::exp(static_cast<double>(outputs[3 * i + k]));
      loss += samples.weights[i] * (std::log(sum) - outputs[3 * i + static_cast<std::size_t>(samples.labels[i])]);
      weight += samples.weights[i];
    }
    return loss / weight;
  };
  EXPECT_NEAR(setting.trainer.state().training_loss, mean_loss(setting.data.training), 1e-6);
  EXPECT_NEAR(setting.trainer.state().early_stop_loss, mean_loss(setting.data.early_stop), 1e-6);
}

}  // namespace
}  // namespace hiple::engine
