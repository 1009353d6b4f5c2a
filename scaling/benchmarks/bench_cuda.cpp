// What a CUDA device does: steps of engines, Adam beside a plain copy, and many small engines at once; JSON on standard output.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/error.hpp"
#include "engine/cuda_platform.hpp"
#include "engine/cuda_stepper.hpp"
#include "engine/device_stepper.hpp"
#include "scaling/benchmarks/benchmark.hpp"
#include "scaling/benchmarks/engine_case.hpp"

namespace hiple::engine {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr int measurements = 5;

/// An engine in training: normal numbers with random labels, as hiple-bench-engine has them.
struct Bench {
  static constexpr std::size_t batches = 8;

  Bench(const Case& chosen, double rate, int device, std::uint64_t seed = 1)
      : generator(seed, "bench"), network(chosen.shape), rows(batches * static_cast<std::size_t>(chosen.batch)) {
    network.initialise(generator);
    config.batch = chosen.batch;
    config.optimizer = "adam";
    config.weight_decay = 0;
    learning_rate = rate;
    PhiloxStream stream(generator, 0, 0, 1);
    Samples& samples = data.training;
    samples.inputs.dense.resize(rows * static_cast<std::size_t>(chosen.shape.inputs));
    samples.labels.resize(rows);
    for (float& value : samples.inputs.dense) value = static_cast<float>(stream.next_normal());
    for (std::int32_t& label : samples.labels)
      label = static_cast<std::int32_t>(stream.next_below(static_cast<std::uint32_t>(chosen.shape.outputs)));
    samples.weights.assign(rows, 1.0F);
    data.target.classes.resize(static_cast<std::size_t>(chosen.shape.outputs));
    order.resize(rows);
    std::iota(order.begin(), order.end(), 0U);
    stepper = make_cuda_stepper(source, device);
    stepper->begin_epoch(order);
    run(1);  // compared with the processor's
  }

  /// The next steps, all of them if `same`, on the first batch.
  void launch(std::size_t count, bool same = false) {
    plans.clear();
    plans.reserve(count);
    for (std::size_t i = 0; i < count; ++i, ++steps) {
      const std::size_t batch = same ? 0 : steps % batches;
      plans.push_back({.first = batch * static_cast<std::size_t>(config.batch),
                       .rows = static_cast<std::uint32_t>(config.batch),
                       .epoch = 0,
                       .step_of_epoch = static_cast<std::uint32_t>(steps),
                       .learning_rate = learning_rate});
    }
    stepper->launch(plans);
  }
  std::span<const BatchLoss::Sum> run(std::size_t count, bool same = false) {
    launch(count, same);
    return stepper->finish();
  }

  std::string name = "bench";
  Philox generator;
  Network network;
  TrainConfig config;
  TrainingData data;
  double learning_rate = 0;
  std::size_t rows, steps = 0;
  StepperSource source{name, network, config, data, generator, 1};
  std::vector<std::uint32_t> order;
  std::vector<StepPlan> plans;
  std::unique_ptr<Stepper> stepper;
};

/// Steps a second, five times.
Json measure_steps(const Case& chosen, int device, double seconds) {
  Bench bench(chosen, 1e-6, device);
  const std::size_t block = bench.stepper->most_steps();
  bench.run(block);
  std::vector<double> rates;
  rates.reserve(measurements);
  for (int i = 0; i < measurements; ++i) {
    const auto begin = Clock::now();
    std::size_t done = 0;
    for (; seconds_since(begin) < seconds; done += block) bench.run(block);
    rates.push_back(static_cast<double>(done) / seconds_since(begin));
  }
  return {{"case", chosen.name}, {"steps_per_second", rates}, {"median_steps_per_second", scaling::median_of(rates)}};
}

/// Engines with steps on the device at once, against the same one after another.
Json measure_packed(const Case& chosen, int device, int engines, double seconds) {
  std::vector<std::unique_ptr<Bench>> all;
  all.reserve(static_cast<std::size_t>(engines));
  for (int i = 0; i < engines; ++i)
    all.push_back(std::make_unique<Bench>(chosen, 1e-6, device, static_cast<std::uint64_t>(i) + 1));
  const std::size_t block = all.front()->stepper->most_steps();
  const auto one_after_another = [&] {
    for (auto& bench : all) bench->run(block);
  };
  const auto at_once = [&] {
    for (auto& bench : all) bench->launch(block);
    for (auto& bench : all) bench->stepper->finish();
  };
  const auto rate_of = [&](const auto& work) {
    work();
    std::vector<double> rates;
    rates.reserve(measurements);
    for (int i = 0; i < measurements; ++i) {
      const auto begin = Clock::now();
      std::size_t rounds = 0;
      for (; seconds_since(begin) < seconds; ++rounds) work();
      rates.push_back(static_cast<double>(rounds * block * all.size()) / seconds_since(begin));
    }
    return scaling::median_of(rates);
  };
  const double alone = rate_of(one_after_another), together = rate_of(at_once);
  return {{"case", chosen.name},
          {"engines", engines},
          {"one_after_another_steps_per_second", alone},
          {"at_once_steps_per_second", together},
          {"ratio", together / alone}};
}

/// Bytes a second of Adam (four arrays read, three written) and of a copy of the same size, by the device's own clock.
Json measure_adam(std::size_t parameters, int device) {
  cuda::Platform platform(device);
  parameters = parameters / 4 * 4;
  auto values = platform.array<float>(parameters), gradients = platform.array<float>(parameters);
  device::Optimizer<cuda::Platform> optimizer(platform, parameters, 0);
  auto steps = platform.copy_of(std::vector<device::Step>{{.rows = 1, .adam = adam_factors({}, 1, 1e-3)}});
  auto index = platform.array<std::uint32_t>(1);
  cudaEvent_t begin = nullptr, end = nullptr;
  cuda::check(cudaEventCreate(&begin), "cudaEventCreate");
  cuda::check(cudaEventCreate(&end), "cudaEventCreate");
  const auto seconds_of = [&](const auto& work) {
    constexpr int warm_up = 2;
    std::vector<double> all;
    all.reserve(2 * measurements);
    for (int i = 0; i < warm_up + 2 * measurements; ++i) {
      cuda::check(cudaEventRecord(begin, platform.stream()), "cudaEventRecord");
      work();
      cuda::check(cudaEventRecord(end, platform.stream()), "cudaEventRecord");
      cuda::check(cudaEventSynchronize(end), "cudaEventSynchronize");
      float milliseconds = 0;
      cuda::check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
      if (i >= warm_up) all.push_back(1e-3 * static_cast<double>(milliseconds));
    }
    return scaling::median_of(all);
  };
  const double bytes = static_cast<double>(parameters) * sizeof(float);
  const double copy = 2 * bytes / seconds_of([&] {
                        cuda::check(cudaMemcpyAsync(values.data(), gradients.data(), parameters * sizeof(float),
                                                    cudaMemcpyDeviceToDevice, platform.stream()),
                                    "cudaMemcpyAsync");
                      });
  const double adam = 7 * bytes / seconds_of([&] {
                        optimizer.run(platform, {steps.data(), index.data()}, values.data(), gradients.data());
                      });
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return {{"parameters", parameters}, {"copy_bytes_per_second", copy}, {"adam_bytes_per_second", adam}, {"share", adam / copy}};
}

template <typename Number>
void write_numbers(const std::string& path, std::span<const Number> numbers) {
  std::ofstream file(path, std::ios::binary);
  const auto bytes = std::as_bytes(numbers);
  file.write(static_cast<const char*>(static_cast<const void*>(bytes.data())), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Error("cannot write " + path);
}

/// What a peer needs to repeat the first steps, and the losses of 20 steps on one batch, as hiple-bench-engine --losses has them.
Json losses(const Case& chosen, const std::string& folder, int device) {
  Bench bench(chosen, 1e-4, device);
  Network begin(chosen.shape);
  begin.initialise(bench.generator);
  bench.stepper->set_numbers({{begin.parameters().begin(), begin.parameters().end()},
                              std::vector<float>(begin.layout().size),
                              std::vector<float>(begin.layout().size),
                              0});
  const auto& layers = begin.layout().layers;
  const auto parameters = std::as_const(begin).parameters();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto outputs = static_cast<std::size_t>(layers[i].rows);
    write_numbers(fmt::format("{}/weight{}.f32", folder, i),
                  parameters.subspan(layers[i].weight, outputs * static_cast<std::size_t>(layers[i].columns)));
    write_numbers(fmt::format("{}/bias{}.f32", folder, i), parameters.subspan(layers[i].bias, outputs));
  }
  const auto batch = static_cast<std::size_t>(chosen.batch);
  write_numbers<float>(folder + "/inputs.f32",
                       std::span(bench.data.training.inputs.dense).first(batch * static_cast<std::size_t>(chosen.shape.inputs)));
  write_numbers<std::int32_t>(folder + "/labels.i32", std::span(bench.data.training.labels).first(batch));
  std::vector<double> values;
  constexpr std::size_t steps = 20;
  values.reserve(steps);
  for (const BatchLoss::Sum& sum : bench.run(steps, true)) values.push_back(sum.loss);
  return {{"case", chosen.name}, {"losses", values}};
}

int run(int argc, char** argv) {
  CLI::App app("What a CUDA device does with engines (fp32), as JSON on standard output");
  std::vector<std::string> cases;
  std::string folder;
  std::size_t parameters = 0;
  int device = 0, packed = 0;
  double seconds = 0.5;
  app.add_option("--case", cases, "steps a second of this one: widths and batch, as 32-64-64-8:64; may be repeated");
  app.add_option("--packed", packed, "so many engines of each case at once, instead");
  app.add_option("--losses", folder, "instead, write weights and batch of the first case here, and print the losses of 20 steps");
  app.add_option("--adam", parameters, "Adam over so many parameters beside a copy");
  app.add_option("--device", device, "as CUDA counts the visible ones");
  app.add_option("--seconds", seconds, "length of a measurement")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  Json report{{"program", software()}, {"compiler", build_info().compiler}, {"created", utc_now()}};
  report["device"] = cuda::Platform(device).name();
  report["results"] = Json::array();
  for (const std::string& text : cases) {
    const Case chosen = parse_case(text);
    report["results"].push_back(!folder.empty() ? losses(chosen, folder, device)
                                : packed > 0    ? measure_packed(chosen, device, packed, seconds)
                                                : measure_steps(chosen, device, seconds));
    if (!folder.empty()) break;
  }
  if (parameters > 0) report["adam"] = measure_adam(parameters, device);
  std::cout << report.dump(2) << '\n';
  return 0;
}

}  // namespace
}  // namespace hiple::engine

int main(int argc, char** argv) { return hiple::scaling::run_benchmark(hiple::engine::run, argc, argv); }
