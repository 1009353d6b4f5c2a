#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/model.hpp"
#include "engine/trainer.hpp"
#include "host_platform.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

using testing::HasSubstr;

/// The same training on the processor and by the steps of a device.
struct Both {
  explicit Both(EngineConfig engine, std::size_t rows = 400)
      : config(std::move(engine)),
        data(make_training_data(table_of(rows), config, parts_of(table_of(rows), config))),
        host_network(initialised()),
        device_network(initialised()),
        host(host_source, make_host_stepper(host_source)),
        device(device_source, std::make_unique<device::DeviceStepper<HostPlatform>>(std::move(made), device_source)) {}

  [[nodiscard]] Network initialised() const {
    Network network(network_shape(config.model, data.features, data.target));
    network.initialise(generator);
    return network;
  }

  EngineConfig config;
  TrainingData data;
  Philox generator = Philox(7, "both");
  Network host_network, device_network;
  StepperSource host_source{config.name, host_network, config.train, data, generator, 1};
  StepperSource device_source{config.name, device_network, config.train, data, generator, 1};
  std::unique_ptr<HostPlatform> made = std::make_unique<HostPlatform>();
  HostPlatform& platform = *made;
  Trainer host, device;
};

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(static_cast<double>(a[i] - b[i])));
  return a.size() == b.size() ? largest : 1e30;
}

void expect_equal_training(Both& both, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    both.host.run_epoch({});
    both.device.run_epoch({});
    const TrainingState &a = both.host.state(), &b = both.device.state();
    EXPECT_NEAR(a.training_loss, b.training_loss, 1e-5 * a.training_loss) << epoch;
    EXPECT_NEAR(a.early_stop_loss, b.early_stop_loss, 1e-5 * a.early_stop_loss) << epoch;
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.best_epoch, b.best_epoch);
  }
  const TrainingNumbers a = both.host.stepper().numbers(), b = both.device.stepper().numbers();
  EXPECT_LT(largest_difference(a.parameters, b.parameters), 1e-4);
  EXPECT_LT(largest_difference(a.first_moment, b.first_moment), 1e-4);
  EXPECT_LT(largest_difference(a.second_moment, b.second_moment), 1e-4);
  EXPECT_LT(largest_difference(both.host.best(), both.device.best()), 1e-4);
  EXPECT_EQ(a.steps, b.steps);
}

TEST(DeviceStepper, TrainsAsTheProcessorDoes) {
  for (const char* activation : {"relu", "gelu", "tanh"}) {
    for (const double dropout : {0.0, 0.3}) {
      for (const char* target : {"state", "sum", "wet"}) {
        EngineConfig config = config_of(target);
        config.model.activation = activation;
        config.model.dropout = dropout;
        config.model.hidden = {13, 9};  // no multiples of anything
        config.train.learning_rate = 2e-3;
        SCOPED_TRACE(std::string(activation) + " " + std::to_string(dropout) + " " + target);
        Both both(config);
        expect_equal_training(both, 3);
      }
    }
  }
}

TEST(DeviceStepper, TrainsShapesAtTheEdge) {
  const auto train = [](auto change) {
    EngineConfig config = config_of();
    config.train.learning_rate = 2e-3;
    change(config);
    Both both(config);
    expect_equal_training(both, 2);
  };
  train([](EngineConfig& config) { config.model.hidden = {}; });
  train([](EngineConfig& config) { config.features = {"colour"}; });
  train([](EngineConfig& config) { config.features = {"x", "y"}; });
  train([](EngineConfig& config) { config.train.batch = 100000; });
  train([](EngineConfig& config) { config.train.batch = 1; });
  train([](EngineConfig& config) { config.train.class_weight = "balanced"; });
  train([](EngineConfig& config) { config.train.clip = 0.01; });
  train([](EngineConfig& config) {
    config.train.optimizer = "adam";
    config.train.weight_decay = 0.1;
    config.train.schedule = "cosine";
    config.train.warmup = 5;
  });
}

TEST(DeviceStepper, ABlockOfStepsComesToTheBitsOfSingleOnes) {
  EngineConfig config = config_of();
  config.train.batch = 4;
  Both one(config), many(config);
  one.device.step_by_step();
  for (int epoch = 0; epoch < 3; ++epoch) {
    one.device.run_epoch({});
    many.device.run_epoch({});
  }
  EXPECT_EQ(one.device.stepper().numbers().parameters, many.device.stepper().numbers().parameters);
  EXPECT_EQ(one.device.state().training_loss, many.device.state().training_loss);
  EXPECT_EQ(many.platform.recordings, 2U);  // the steps, and the looks at the early-stop rows
  EXPECT_EQ(many.device.state().step, 132U);
}

TEST(DeviceStepper, GoesOnFromNumbersBitByBit) {
  EngineConfig config = config_of();
  config.model.dropout = 0.1;
  Both whole(config), first(config), second(config);
  for (int epoch = 0; epoch < 4; ++epoch) whole.device.run_epoch({});
  // Stopped within an epoch, after step 9.
  first.device.step_by_step();
  first.device.run_epoch({});
  int left = 3;
  EXPECT_FALSE(first.device.run_epoch({}, [&left] { return --left == 0; }));
  EXPECT_EQ(first.device.state().step, 9U);
  second.device.state() = first.device.state();
  second.device.best() = first.device.best();
  second.device.stepper().set_numbers(first.device.stepper().numbers());
  while (second.device.state().epoch < 4) second.device.run_epoch({});
  EXPECT_EQ(whole.device.stepper().numbers().parameters, second.device.stepper().numbers().parameters);
  EXPECT_EQ(whole.device.state().early_stop_loss, second.device.state().early_stop_loss);
}

TEST(DeviceStepper, ManyEarlyStopRowsAreSeenInSeveralBlocks) {
  EngineConfig config = config_of();
  config.model.hidden = {4};
  config.train.batch = 4096;
  Both both(config, 40000);
  ASSERT_GT(both.data.early_stop.rows(), 2U * 1024U);
  expect_equal_training(both, 1);
}

TEST(DeviceStepper, ALossThatIsNotFiniteNamesEpochAndStep) {
  EngineConfig config = config_of();
  config.train.learning_rate = 1e30;
  Both both(config);
  try {
    both.device.run_epoch({});
    both.device.run_epoch({});
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("in epoch 1, step 2: lower lr"));
  }
}

TEST(DeviceStepper, SomebodyMayChangeTheParameters) {
  Both both(config_of());
  both.device.stepper().change_parameters([](std::span<float> parameters) { std::ranges::fill(parameters, 0.25F); });
  std::vector<float> parameters(both.device_network.parameters().size());
  both.device.stepper().read_parameters(parameters);
  EXPECT_EQ(std::ranges::count(parameters, 0.25F), std::ssize(parameters));
}

/// What a broken library or driver would compute: every product's fault is found in the first step, before anything rests on it.
TEST(DeviceStepper, ADeviceThatComputesSomethingElseIsRefused) {
  using device::Epilogue;
  for (const Epilogue wrong : {Epilogue::bias, Epilogue::bias_relu_mask, Epilogue::relu_gradient, Epilogue::bias_gradient}) {
    Both both(config_of());
    both.platform.after_product = [wrong](const device::ProductShape& shape, const device::ProductData& data) {
      if (shape.epilogue != wrong) return;
      if (wrong == Epilogue::bias_gradient) {
        data.bias[0] += 0.5F;
      } else {
        for (std::int64_t i = 0; i < shape.m * shape.n; ++i) data.d[i] *= 1.2F;
      }
    };
    try {
      both.device.run_epoch({});
      FAIL() << static_cast<int>(wrong);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  testing::AllOf(HasSubstr("engine engine-state: the tests' device computes another"), HasSubstr("device: cpu")));
    }
  }
}

}  // namespace
}  // namespace hiple::engine
