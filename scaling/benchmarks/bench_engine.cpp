// Training steps a second of engines of several sizes, as JSON on standard output.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/error.hpp"
#include "engine/adam.hpp"
#include "engine/loss.hpp"
#include "engine/network.hpp"
#include "scaling/benchmarks/benchmark.hpp"
#include "scaling/benchmarks/engine_case.hpp"

namespace hiple::engine {
namespace {

using Json = nlohmann::json;
/// How long to measure, and on which clock.
struct Timer {
  double seconds = 0.5;
  bool processor_time = false;  ///< this process's processor time, which other programs on the machine disturb less

  [[nodiscard]] double now() const {
    if (processor_time) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  /// Seconds a call, from as many calls as fill the time; at most twice as many between two looks at the clock.
  template <typename Function>
  [[nodiscard]] double operator()(Function&& function) const {
    const double start = now();
    std::int64_t calls = 0, more = 1;
    while (true) {
      for (std::int64_t i = 0; i < more; ++i) function();
      calls += more;
      const double elapsed = now() - start;
      if (elapsed >= seconds) return elapsed / static_cast<double>(calls);
      const double share = elapsed > 0 ? std::min(1.0, (seconds - elapsed) / elapsed) : 1.0;
      more = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(calls) * share));
    }
  }
};

/// What a training loop has at hand: a network, its optimizer, and one batch of normal numbers with labels.
struct Bench {
  Bench(const Case& chosen, double learning_rate, int threads)
      : network(chosen.shape),
        pass(network, chosen.batch, Philox(1, "bench"), threads),
        judging(network, chosen.batch, threads),
        adam({.decoupled = false}, network.layout().size, threads),
        rate(learning_rate),
        batch(chosen.batch),
        dense(static_cast<std::size_t>(batch * chosen.shape.inputs)),
        labels(static_cast<std::size_t>(batch)),
        rows(static_cast<std::size_t>(batch)) {
    const Philox generator(1, "bench");
    network.initialise(generator);
    PhiloxStream stream(generator, 0, 0, 1);
    for (float& value : dense) value = static_cast<float>(stream.next_normal());
    for (std::int32_t& label : labels)
      label = static_cast<std::int32_t>(stream.next_below(static_cast<std::uint32_t>(chosen.shape.outputs)));
    std::iota(rows.begin(), rows.end(), 0U);
  }

  /// The batch judged: no loss, no gradient, no dropout.
  void judge() { (void)judging.forward({.dense = dense, .codes = {}}, rows); }

  double step() {
    const auto index = static_cast<std::uint32_t>(adam.steps());
    pass.load({.dense = dense, .codes = {}}, rows);
    const double loss =
        softmax_cross_entropy(pass.forward(0, index), labels, {}, static_cast<double>(batch), pass.output_gradient());
    pass.backward();
    adam.step(network.parameters(), network.gradients(), rate);
    return loss;
  }

  Network network;
  TrainingPass pass;
  JudgingPass judging;
  Adam adam;
  double rate;
  std::int64_t batch;
  std::vector<float> dense;
  std::vector<std::int32_t> labels;
  std::vector<std::uint32_t> rows;
};

/// The parts of a step, each repeated alone: what bounds it.
Json parts_of_step(Bench& bench, const Timer& time_of) {
  const auto forward = [&bench] { return bench.pass.forward(0, 0); };
  const auto loss = [&bench, logits = forward()] {
    return softmax_cross_entropy(logits, bench.labels, {}, static_cast<double>(bench.batch), bench.pass.output_gradient());
  };
  loss();
  return {{"load_us", 1e6 * time_of([&bench] { bench.pass.load({.dense = bench.dense, .codes = {}}, bench.rows); })},
          {"forward_us", 1e6 * time_of(forward)},
          {"loss_us", 1e6 * time_of(loss)},
          {"backward_us", 1e6 * time_of([&bench] { bench.pass.backward(); })},
          {"adam_us", 1e6 * time_of([&bench] { bench.adam.step(bench.network.parameters(), bench.network.gradients(), 1e-6); })}};
}

Json measure(const Case& chosen, int repetitions, const Timer& time_of, int threads) {
  Bench bench(chosen, 1e-6, threads);
  const double warm_up = Timer{.seconds = 0.1}([&bench] { bench.step(); });
  std::vector<double> rates;
  rates.reserve(static_cast<std::size_t>(repetitions));
  for (int i = 0; i < repetitions; ++i) rates.push_back(1.0 / time_of([&bench] { bench.step(); }));
  const double middle = scaling::median_of(rates);
  return {{"case", chosen.name},
          {"parameters", bench.network.layout().parameters},
          {"steps_per_second", rates},
          {"median_steps_per_second", middle},
          {"product_gflops", chosen.operations() * middle * 1e-9},
          {"warm_up_step_us", 1e6 * warm_up},
          {"parts", parts_of_step(bench, {.seconds = time_of.seconds / 5, .processor_time = time_of.processor_time})}};
}

/// Batches judged a second.
Json measure_judging(const Case& chosen, int repetitions, const Timer& time_of, int threads) {
  Bench bench(chosen, 1e-6, threads);
  (void)Timer{.seconds = 0.1}([&bench] { bench.judge(); });
  std::vector<double> rates;
  for (int i = 0; i < repetitions; ++i) rates.push_back(1.0 / time_of([&bench] { bench.judge(); }));
  return {{"case", chosen.name},
          {"parameters", bench.network.layout().parameters},
          {"batches_per_second", rates},
          {"median_batches_per_second", scaling::median_of(rates)}};
}

template <typename Number>
void write_numbers(const std::string& path, std::span<const Number> numbers) {
  std::ofstream file(path, std::ios::binary);
  const auto bytes = std::as_bytes(numbers);
  file.write(static_cast<const char*>(static_cast<const void*>(bytes.data())), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Error("cannot write " + path);
}

/// Writes what a peer needs to repeat the first steps: weights, biases, inputs and labels as little-endian numbers without a
/// header, and returns the losses of 20 steps at a learning rate of 1e-4.
Json losses(const Case& chosen, const std::string& folder, int threads) {
  Bench bench(chosen, 1e-4, threads);
  const auto parameters = std::as_const(bench.network).parameters();
  const auto& layers = bench.network.layout().layers;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto outputs = static_cast<std::size_t>(layers[i].rows);
    write_numbers(fmt::format("{}/weight{}.f32", folder, i),
                  parameters.subspan(layers[i].weight, outputs * static_cast<std::size_t>(layers[i].columns)));
    write_numbers(fmt::format("{}/bias{}.f32", folder, i), parameters.subspan(layers[i].bias, outputs));
  }
  write_numbers<float>(folder + "/inputs.f32", bench.dense);
  write_numbers<std::int32_t>(folder + "/labels.i32", bench.labels);
  std::vector<double> values;
  values.reserve(20);
  for (int i = 0; i < 20; ++i) values.push_back(bench.step());
  return {{"case", chosen.name}, {"losses", values}};
}

Json metadata(int threads, bool processor_time) {
  const BuildInfo& build = build_info();
  return {{"program", software()},
          {"compiler", build.compiler},
          {"build_type", build.build_type},
          {"flags", build.flags},
          {"clock", processor_time ? "processor" : "wall"},
          {"threads", threads},
          {"created", utc_now()}};
}

int run(int argc, char** argv) {
  CLI::App app("Training steps a second (forward, softmax cross-entropy, backward, Adam; fp32) as JSON on standard output");
  bool judging = false;
  std::vector<std::string> cases{"32-64-64-8:64", "32-128-128-8:256", "64-256-256-16:256", "64-512-512-16:512",
                                 "128-1024-1024-1024-16:512"};
  int repetitions = 5, threads = 1;
  Timer timer;
  std::string folder;
  app.add_option("--case", cases, "widths and batch, as 32-64-64-8:64; may be repeated");
  app.add_option("--repetitions", repetitions, "measurements a case")->check(CLI::PositiveNumber);
  app.add_flag("--processor-time", timer.processor_time, "measure processor time instead of the wall's");
  app.add_option("--seconds", timer.seconds, "length of a measurement")->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "threads a step uses")->check(CLI::PositiveNumber);
  app.add_flag("--judging", judging, "measure batches judged a second instead: the forward pass alone");
  app.add_option("--losses", folder,
                 "do not measure: write weights and batch of the first case to this folder, and print the losses of 20 steps");
  CLI11_PARSE(app, argc, argv);
  Json report{{"metadata", metadata(threads, timer.processor_time)}, {"results", Json::array()}};
  for (const std::string& text : cases) {
    const Case chosen = parse_case(text);
    if (!folder.empty()) {
      report["results"].push_back(losses(chosen, folder, threads));
      break;
    }
    report["results"].push_back(judging ? measure_judging(chosen, repetitions, timer, threads)
                                        : measure(chosen, repetitions, timer, threads));
  }
  std::cout << report.dump(2) << '\n';
  return 0;
}

}  // namespace
}  // namespace hiple::engine

int main(int argc, char** argv) { return hiple::scaling::run_benchmark(hiple::engine::run, argc, argv); }
