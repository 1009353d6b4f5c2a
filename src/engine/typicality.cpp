#include "engine/typicality.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/covariance.hpp"

namespace hiple::engine {

namespace {

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

double p_value(double score, const std::vector<double>& scores) {
  const auto at_least = static_cast<double>(scores.end() - std::ranges::lower_bound(scores, score));
  return (1 + at_least) / (1 + static_cast<double>(scores.size()));
}

bool fits(const Typicality::Parameters& p) {
  const std::size_t classes = p.present.size();
  return p.factor.size() == p.width * p.width && p.means.size() == classes * p.width && p.scores.size() == classes;
}

}  // namespace

Typicality::Typicality(Parameters parameters) : parameters_(std::move(parameters)) {
  if (!fits(parameters_)) throw Error("typicality: sizes that do not fit together");
  for (const auto& scores : parameters_.scores) all_scores_.insert(all_scores_.end(), scores.begin(), scores.end());
  std::ranges::sort(all_scores_);
}

Typicality Typicality::fit(std::size_t width, std::size_t classes, const Activations& training, const Activations& calibration) {
  const ClassMeans means = class_means(width, classes, training);
  Parameters parameters{width, covariance_factor(width, means, training), means.means, means.present, {}};
  whiten(width, parameters.factor, parameters.means);
  parameters.scores.resize(classes);
  std::vector<double> rows(calibration.values.begin(), calibration.values.end());
  whiten(width, parameters.factor, rows);
  for (std::size_t row = 0; row < calibration.classes.size(); ++row) {
    const auto own = static_cast<std::size_t>(calibration.classes[row]);
    if (means.present[own] == 0) continue;
    parameters.scores[own].push_back(
        squared_distance(std::span(rows).subspan(row * width, width), std::span(parameters.means).subspan(own * width, width)));
  }
  for (auto& scores : parameters.scores) std::ranges::sort(scores);
  return Typicality(std::move(parameters));
}

const std::vector<double>& Typicality::compared_with(std::size_t class_index) const {
  const std::vector<double>& own = parameters_.scores[class_index];
  return own.size() < few_rows ? all_scores_ : own;
}

void Typicality::p_values(std::span<const float> values, std::span<float> result) const {
  const std::size_t width = parameters_.width;
  std::vector<double> rows(values.begin(), values.end());
  whiten(width, parameters_.factor, rows);
  for (std::size_t row = 0; row < result.size(); ++row) {
    double best = 0;
    for (std::size_t k = 0; k < parameters_.present.size(); ++k) {
      if (parameters_.present[k] == 0) continue;
      const double score =
          squared_distance(std::span(rows).subspan(row * width, width), std::span(parameters_.means).subspan(k * width, width));
      best = std::max(best, p_value(score, compared_with(k)));
    }
    result[row] = static_cast<float>(best);
  }
}

double Typicality::resolution() const {
  double least = 0;
  for (std::size_t k = 0; k < parameters_.present.size(); ++k) {
    if (parameters_.present[k] != 0) least = std::max(least, 1 / (1 + static_cast<double>(compared_with(k).size())));
  }
  return least;
}

}  // namespace hiple::engine
