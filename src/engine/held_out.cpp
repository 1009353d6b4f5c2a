#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/judging.hpp"

namespace hiple::engine {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Test rows that are judged, with what is true of them.
struct Judged {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> truth;
};

double accuracy(const Judged& judged, const Judgments& judgments) {
  double right = 0;
  for (std::size_t i = 0; i < judged.rows.size(); ++i) right += judgments.label[judged.rows[i]] == judged.truth[i] ? 1 : 0;
  return right / static_cast<double>(judged.rows.size());
}

double balanced_accuracy(const Judged& judged, const Judgments& judgments) {
  std::vector<double> right(judgments.classes.size(), 0.0), all(judgments.classes.size(), 0.0);
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    ++all[judged.truth[i]];
    right[judged.truth[i]] += judgments.label[judged.rows[i]] == judged.truth[i] ? 1 : 0;
  }
  double sum = 0, occurring = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k] == 0) continue;
    sum += right[k] / all[k];
    ++occurring;
  }
  return sum / occurring;
}

double log_loss(const Judged& judged, const Judgments& judgments) {
  if (judgments.probability.empty()) return not_a_number;
  constexpr float least = std::numeric_limits<float>::epsilon();
  double sum = 0;
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    const float probability = judgments.probability[judged.rows[i] * judgments.classes.size() + judged.truth[i]];
    sum -= std::log(static_cast<double>(std::max(probability, least)));
  }
  return sum / static_cast<double>(judged.rows.size());
}

/// Guo et al. 2017, eq. 5, 15 bins of equal width.
double calibration_error(const Judged& judged, const Judgments& judgments) {
  constexpr std::size_t bins = 15;
  std::array<double, bins> gap{};
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    const double confidence = judgments.confidence[judged.rows[i]];
    const auto bin = std::min(bins - 1, static_cast<std::size_t>(confidence * bins));
    gap[bin] += (judgments.label[judged.rows[i]] == judged.truth[i] ? 1 : 0) - confidence;
  }
  double sum = 0;
  for (const double difference : gap) sum += std::abs(difference);
  return sum / static_cast<double>(judged.rows.size());
}

double root_mean_square_error(const Judged& judged, const std::vector<double>& numbers, const Judgments& judgments) {
  double sum = 0;
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    sum += std::pow(static_cast<double>(judgments.value[judged.rows[i]]) - numbers[i], 2);
  }
  return std::sqrt(sum / static_cast<double>(judged.rows.size()));
}

}  // namespace

HeldOut held_out_figures(const Target& target, const Table& table, std::span<const std::uint32_t> test,
                         const Judgments& judgments) {
  HeldOut figures{0, 0, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};
  Judged judged;
  for (const std::uint32_t row : rows_with_target(table, target.column, test)) {
    ++figures.rows;
    if (judgments.status[row] == JudgmentStatus::abstained) ++figures.abstained;
    if (judgments.status[row] == JudgmentStatus::judged) judged.rows.push_back(row);
  }
  if (judged.rows.empty()) return figures;
  if (target.is_regression()) {
    figures.rmse = root_mean_square_error(judged, target_numbers(table, target, judged.rows), judgments);
    return figures;
  }
  judged.truth = target_classes(table, target, judged.rows);
  figures.accuracy = accuracy(judged, judgments);
  figures.balanced_accuracy = balanced_accuracy(judged, judgments);
  figures.log_loss = log_loss(judged, judgments);
  figures.calibration_error = calibration_error(judged, judgments);
  return figures;
}

}  // namespace hiple::engine
