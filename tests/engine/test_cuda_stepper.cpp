#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "device/device.hpp"
#include "engine/cuda_stepper.hpp"
#include "engine/device_memory.hpp"
#include "engine/host_stepper.hpp"
#include "engine/model.hpp"
#include "engine/trainer.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

using testing::HasSubstr;

struct CudaCase {
  explicit CudaCase(EngineConfig engine)
      : config(std::move(engine)), data(make_training_data(table_of(2000), config, parts_of(table_of(2000), config))) {}

  /// A trainer with the weights to begin with; `device`: a CUDA device, or the processor.
  [[nodiscard]] Trainer trainer(Network& network, int device) const {
    network.initialise(generator);
    const StepperSource source{config.name, network, config.train, data, generator, 1};
    return {source, device == processor ? make_host_stepper(source) : make_cuda_stepper(source, device)};
  }
  [[nodiscard]] Network network() const { return Network(network_shape(config.model, data.features, data.target)); }

  EngineConfig config;
  TrainingData data;
  Philox generator = Philox(7, "cuda");
};

/// Where there is no device, a message and no crash: CUDA's own words, or that this build has none.
TEST(CudaStepper, WithoutADeviceItSaysSo) {
  if (!visible_devices().empty()) GTEST_SKIP() << "there is a device";
  const CudaCase tried(config_of());
  Network network = tried.network();
  try {
    (void)tried.trainer(network, 0);
    FAIL() << "a stepper without a device";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("engine engine-state: "));
    EXPECT_THAT(error.what(), HasSubstr(built_with_cuda() ? "CUDA: cudaSetDevice: " : "built without CUDA"));
  }
}

/// As good as linking: every function is looked up by its name, and one is called.
TEST(CudaStepper, ItsLibrariesAreOpened) {
  if (built_with_cuda()) {
    EXPECT_THAT(cuda_libraries(), testing::StartsWith("cuBLASLt 1"));
  } else {
    EXPECT_THROW(cuda_libraries(), Error);
  }
}

TEST(CudaStepper, AFullDeviceIsToldWithItsFigures) {
  EXPECT_EQ(out_of_memory_text("device 0 (a card)", 3U << 20U, std::uint64_t{2} << 20U, std::uint64_t{80} << 30U),
            "device 0 (a card) is out of memory: 3.0 MiB more were wanted, 2 of its 81920 MiB are free");
}

/// On a device: the label gpu. Each of these is skipped where there is none.
struct GpuTest : testing::Test {
  void SetUp() override {
    if (visible_devices().empty()) GTEST_SKIP() << "no CUDA device is visible here";
  }
};

TEST_F(GpuTest, TrainsAsTheProcessorDoes) {
  for (const char* activation : {"relu", "gelu", "tanh"}) {
    for (const double dropout : {0.0, 0.3}) {
      for (const char* target : {"state", "sum"}) {
        EngineConfig config = config_of(target);
        config.model.activation = activation;
        config.model.dropout = dropout;
        config.train.learning_rate = 2e-3;
        config.train.clip = 1;
        SCOPED_TRACE(std::string(activation) + " " + std::to_string(dropout) + " " + target);
        const CudaCase tried(config);
        Network on_host = tried.network(), on_device = tried.network();
        Trainer host = tried.trainer(on_host, processor), device = tried.trainer(on_device, 0);
        for (int epoch = 0; epoch < 3; ++epoch) {
          host.run_epoch({});
          device.run_epoch({});
          EXPECT_NEAR(host.state().training_loss, device.state().training_loss, 1e-4 * host.state().training_loss);
          EXPECT_NEAR(host.state().early_stop_loss, device.state().early_stop_loss, 1e-4 * host.state().early_stop_loss);
        }
      }
    }
  }
}

TEST_F(GpuTest, TwoRunsAreEqualBitByBit) {
  EngineConfig config = config_of();
  config.model.dropout = 0.2;
  const CudaCase tried(config);
  std::vector<float> results[2];
  for (auto& result : results) {
    Network network = tried.network();
    Trainer trainer = tried.trainer(network, 0);
    for (int epoch = 0; epoch < 3; ++epoch) trainer.run_epoch({});
    result = trainer.stepper().numbers().parameters;
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace hiple::engine
