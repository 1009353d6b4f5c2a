#include "gate/engine_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace hiple::gate {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double squared_distance(const Judgments& judgments, std::size_t at, std::uint16_t target) {
  const std::size_t classes = judgments.classes.size();
  double sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double distance = static_cast<double>(judgments.probability[at * classes + c]) - (c == target ? 1 : 0);
    sum += distance * distance;
  }
  return sum;
}

}  // namespace

EngineFigures measure_engine(const Judgments& judgments, std::span<const std::uint64_t> case_id,
                             std::span<const std::uint16_t> target) {
  const std::size_t classes = judgments.classes.size();
  if (classes == 0) throw Error("engine " + judgments.engine + " predicts a number");
  if (case_id.size() != target.size()) throw Error("engine " + judgments.engine + ": as many targets as rows are needed");
  EngineFigures figures;
  figures.engine = judgments.engine;
  figures.domain = judgments.domain;
  figures.classes = judgments.classes;
  figures.confusion.assign(classes * (classes + 1), 0);
  double brier = 0;
  std::size_t at = 0;
  for (std::size_t row = 0; row < case_id.size(); ++row) {
    if (target[row] == no_label) {
      ++figures.unknown;
      continue;
    }
    ++figures.rows;
    while (at < judgments.size() && judgments.case_id[at] < case_id[row]) ++at;
    const bool said =
        at < judgments.size() && judgments.case_id[at] == case_id[row] && judgments.status[at] == JudgmentStatus::judged;
    const std::size_t label = said ? judgments.label[at] : classes;
    ++figures.confusion.at(target[row] * (classes + 1) + label);
    if (!said) continue;
    ++figures.judged;
    const bool right = label == target[row];
    if (right) ++figures.right;
    const auto confidence = static_cast<double>(judgments.confidence[at]);
    auto& bin = figures.bins[std::min(EngineFigures::bin_count - 1,
                                      static_cast<std::size_t>(confidence * static_cast<double>(EngineFigures::bin_count)))];
    ++bin.count;
    bin.confidence += confidence;
    if (right) ++bin.right;
    brier += judgments.probability.empty() ? nan : squared_distance(judgments, at, target[row]);
  }
  const auto judged = static_cast<double>(figures.judged);
  figures.brier = figures.judged == 0 ? nan : brier / judged;
  figures.ece = figures.judged == 0 ? nan : 0;
  for (const EngineFigures::Bin& bin : figures.bins)
    if (bin.count > 0) figures.ece += std::abs(bin.confidence - static_cast<double>(bin.right)) / judged;
  return figures;
}

}  // namespace hiple::gate
