#include "engine/judging.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/calibration.hpp"

namespace hiple::engine {

namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

Judgments empty_judgments(const Model& model, const Table& table, std::span<const std::uint32_t> wanted) {
  Judgments judgments;
  const std::size_t rows = table.rows();
  judgments.engine = model.config.name;
  judgments.domain = model.config.domain;
  judgments.classes = model.target.classes;
  judgments.case_id = table.case_id;
  judgments.label.assign(rows, no_label);
  judgments.confidence.assign(rows, unknown);
  judgments.typicality.assign(rows, unknown);
  judgments.status.assign(rows, JudgmentStatus::not_asked);
  for (const std::uint32_t row : wanted) judgments.status[row] = JudgmentStatus::invalid;  // until it is found to be valid
  if (model.target.is_regression()) judgments.value.assign(rows, unknown);
  if (!model.target.is_regression() && model.config.probabilities == "all") {
    judgments.probability.assign(rows * model.target.classes.size(), unknown);
  }
  return judgments;
}

/// Writes label, confidence and probabilities, or the value, of a row that is judged.
void say(const Model& model, std::span<const float> outputs, std::size_t row, std::span<double> scratch, Judgments& judgments) {
  if (model.target.is_regression()) {
    judgments.value[row] = static_cast<float>(outputs.front() * model.target.scale + model.target.mean);
    return;
  }
  calibrated_probabilities(outputs, model.temperature, scratch);
  const auto best = static_cast<std::size_t>(std::ranges::max_element(scratch) - scratch.begin());
  judgments.label[row] = static_cast<std::uint16_t>(best);
  judgments.confidence[row] = static_cast<float>(scratch[best]);
  for (std::size_t k = 0; k < scratch.size() && !judgments.probability.empty(); ++k) {
    judgments.probability[row * scratch.size() + k] = static_cast<float>(scratch[k]);
  }
}

}  // namespace

Judgments judge(const Model& model, const Table& table, std::span<const std::uint32_t> wanted, int threads,
                const std::function<void()>& beat) {
  const FeatureReader reader(model.features, table);
  Judgments judgments = empty_judgments(model, table, wanted);
  JudgingPass pass(model.network, judging_batch, threads);
  Inputs inputs;
  const std::size_t width = model.target.outputs();
  std::vector<std::uint32_t> rows, places(static_cast<std::size_t>(judging_batch));
  std::vector<float> typicality(static_cast<std::size_t>(judging_batch));
  std::vector<double> scratch(width);
  std::iota(places.begin(), places.end(), 0U);
  for (std::size_t next = 0; next < wanted.size();) {
    rows.clear();
    for (; next < wanted.size() && rows.size() < places.size(); ++next) {
      if (reader.valid(wanted[next])) rows.push_back(wanted[next]);
    }
    if (rows.empty()) break;
    if (beat) beat();
    reader.read(rows, inputs);
    const std::span<const float> outputs =
        pass.forward({inputs.dense, inputs.codes}, std::span<const std::uint32_t>(places).first(rows.size()));
    model.typicality.p_values(pass.penultimate(), std::span(typicality).first(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool strange = !(typicality[i] >= model.config.abstain_below);
      judgments.typicality[rows[i]] = typicality[i];
      judgments.status[rows[i]] = strange ? JudgmentStatus::abstained : JudgmentStatus::judged;
      if (!strange) say(model, outputs.subspan(i * width, width), rows[i], scratch, judgments);
    }
  }
  return judgments;
}

}  // namespace hiple::engine
