#include "scaling/measure/pieces.hpp"

#include <time.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "engine/adam.hpp"
#include "engine/loss.hpp"
#include "scaling/measure/engine_chain.hpp"

namespace hiple::scaling {

namespace {

using Json = nlohmann::ordered_json;

double processor_seconds() {
  struct timespec now {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Seconds of one call, each value over as many calls as make 2 ms at least; the first call is not counted.
std::vector<double> seconds_of(int repetitions, const std::function<void()>& call) {
  constexpr double least = 2e-3;
  double begin = processor_seconds();
  call();
  const double once = std::max(1e-9, processor_seconds() - begin);
  const int calls = std::max(1, static_cast<int>(least / once));
  std::vector<double> values;
  for (int i = 0; i < repetitions; ++i) {
    begin = processor_seconds();
    for (int k = 0; k < calls; ++k) call();
    values.push_back((processor_seconds() - begin) / calls);
  }
  return values;
}

Numbers filled(std::int64_t count, float value) {
  Numbers numbers(static_cast<std::size_t>(count));
  std::fill_n(numbers.data(), numbers.size(), value);
  return numbers;
}

Json measure_layer(const PieceShape& shape, int repetitions) {
  ComputeClock clock(Stretch(1, 0, 1, 0));
  EngineChain chain({.widths = {shape.inputs, shape.outputs}, .rows = shape.rows}, clock);
  const Numbers weight = filled(shape.inputs * shape.outputs, 1e-3F);
  Numbers gradient = filled(shape.inputs * shape.outputs, 0), bias = filled(shape.outputs, 1e-3F);
  for (std::size_t place = 0; place < 2; ++place) {
    const std::int64_t width = place == 0 ? shape.inputs : shape.outputs;
    for (std::int64_t row = 0; row < shape.rows; ++row)
      std::fill_n(chain.values(place).values + row * chain.values(place).stride, width, 1e-2F);
  }
  const std::int64_t most = rows_at_a_time(chain.layers().front());
  const auto whole_gradient = [&] {
    for (std::int64_t end = shape.outputs; end > 0;) {
      const std::int64_t first = std::max<std::int64_t>(0, end - most);
      chain.weight_gradient(0, first, end - first, gradient.data() + first * shape.inputs, false);
      end = first;
    }
  };
  const std::vector<std::pair<const char*, std::function<void()>>> parts = {
      {"multiply", [&] { chain.multiply(0, weight.data()); }},
      {"activate", [&] { chain.activate(0, bias.data()); }},
      {"through_activation", [&] { chain.through_activation(0, bias.data(), false); }},
      {"weight_row", whole_gradient},
      {"input", [&] { chain.input_gradient(0, weight.data()); }}};
  Json json{{"inputs", shape.inputs}, {"outputs", shape.outputs}, {"rows", shape.rows}};
  Json samples;
  for (const auto& [name, call] : parts) {
    std::vector<double> values = seconds_of(repetitions, call);
    if (std::string(name) == "weight_row")
      for (double& value : values) value /= static_cast<double>(shape.outputs);
    json[name] = median(values);
    samples[name] = values;
  }
  json["samples"] = samples;
  return json;
}

Json measure_adam(std::int64_t size, int repetitions) {
  Numbers parameter = filled(size, 1), gradient = filled(size, 1e-3F);
  engine::Adam adam({}, parameter.size());
  const auto values = seconds_of(repetitions, [&] {
    adam.step({parameter.data(), parameter.size()}, {gradient.data(), gradient.size()}, 1e-6);
  });
  return {{"numbers", size}, {"seconds", median(values) / static_cast<double>(size)}, {"samples", values}};
}

double measure_copy(int repetitions) {
  constexpr std::int64_t width = 1024, rows = 1024;
  const Numbers from = filled(width * rows, 1);
  Numbers to = filled(width * rows, 0);
  return median(seconds_of(repetitions, [&] { unpack(from.data(), rows, width, {to.data(), width}); })) / (width * rows);
}

double measure_loss(int repetitions) {
  constexpr std::size_t rows = 128, classes = 16;
  Numbers outputs = filled(rows * classes, 0.1F), gradient = filled(rows * classes, 0);
  const std::vector<std::int32_t> labels(rows, 1);
  const auto call = [&] {
    engine::softmax_cross_entropy({outputs.data(), rows * classes}, std::span(labels), {}, rows,
                                  {gradient.data(), rows * classes});
  };
  return median(seconds_of(repetitions, call)) / (rows * classes);
}

}  // namespace

PieceShape parse_piece(const std::string& text) {
  const auto parts = split(text, 'x');
  std::vector<std::int64_t> numbers;
  for (const std::string& part : parts) {
    const auto number = parse_integer(part);
    if (number && *number >= 1 && *number <= 1 << 20) numbers.push_back(*number);
  }
  if (parts.size() != 3 || numbers.size() != 3)
    throw InputError(Place{"SHAPE"}, "\"" + printable(text) + "\" is no shape",
                     "it is INPUTSxOUTPUTSxROWS, each from 1 to 1048576", "write 2976x2976x128");
  if (static_cast<double>(numbers[0]) * static_cast<double>(numbers[1]) > 2147483647.0)
    throw InputError(Place{"SHAPE"}, "\"" + printable(text) + "\" has more than 2147483647 weights", {}, "give a smaller one");
  return {numbers[0], numbers[1], numbers[2]};
}

Json measure_pieces(const std::vector<PieceShape>& shapes, std::int64_t largest, int repetitions) {
  Json layers = Json::array(), adam = Json::array();
  for (const PieceShape& shape : shapes) layers.push_back(measure_layer(shape, repetitions));
  for (std::int64_t size = 1000; size <= largest; size *= 10) adam.push_back(measure_adam(size, repetitions));
  return {{"layers", layers}, {"adam", adam}, {"copy", measure_copy(repetitions)}, {"loss", measure_loss(repetitions)}};
}

}  // namespace hiple::scaling
