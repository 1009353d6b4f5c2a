#include "engine/first_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace hiple::engine {

namespace {

double norm_of(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squares);
}

double distance(std::span<const float> a, std::span<const float> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  return std::sqrt(squares);
}

Error other_step(const StepperSource& source, const std::string& device, const std::string& what, double ours, double theirs) {
  return Error(fmt::format(
      "engine {}: {} computes another {} of the first step than the processor: {:.7g} and {:.7g}. Train it with device: cpu, and "
      "report this with the device's name and the driver's version",
      source.name, device, what, theirs, ours));
}

}  // namespace

FirstStep first_step(const StepperSource& source, std::span<const float> parameters, std::span<const std::uint32_t> rows,
                     const StepPlan& step) {
  Network network(source.network.shape());
  std::ranges::copy(parameters, network.parameters().begin());
  TrainingPass pass(network, static_cast<std::int64_t>(rows.size()), source.generator, source.threads);
  BatchLoss loss(source.data.training, source.data.target.outputs(), source.data.target.is_regression(), rows.size());
  pass.load(source.data.training.examples(), rows);
  const std::span<const float> outputs = pass.forward(step.epoch, step.step_of_epoch);
  FirstStep result;
  result.loss = loss(rows, outputs, pass.output_gradient()).loss;
  pass.backward();
  result.gradient.assign(network.gradients().begin(), network.gradients().end());
  return result;
}

void refuse_other_step(const StepperSource& source, const FirstStep& ours, double loss, std::span<const float> gradient,
                       const std::string& device) {
  // A unit whose input is zero but for rounding may be on here and off there. That changes the gradient of a layer of 16 units
  // and 32 rows by a twentieth at most; what is computed wrongly changes it by more.
  constexpr double loss_tolerance = 1e-4, layer_tolerance = 0.05, least_share = 1e-5;
  if (!std::isfinite(ours.loss) && !std::isfinite(loss)) return;  // the trainer tells of that
  if (!(std::abs(loss - ours.loss) <= loss_tolerance * std::max(1.0, std::abs(ours.loss))))
    throw other_step(source, device, "loss", ours.loss, loss);
  const double whole = norm_of(ours.gradient);
  for (const LayerSlice& layer : source.network.layout().layers) {
    const auto here = std::span<const float>(ours.gradient).subspan(layer.begin, layer.size);
    const auto there = gradient.subspan(layer.begin, layer.size);
    if (distance(here, there) <= layer_tolerance * norm_of(here) + least_share * whole) continue;
    throw other_step(source, device, "gradient of " + layer.name + " (its norm)", norm_of(here), norm_of(there));
  }
}

}  // namespace hiple::engine
