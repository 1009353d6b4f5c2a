#include <gtest/gtest.h>

#include <cmath>

#include "engine/judging.hpp"
#include "synthetic.hpp"

namespace hiple::engine {
namespace {

/// Truth a, a, b, b, unknown; said a, b, b, nothing (abstained), a.
struct Case {
  Table table = empty_table(5);
  Judgments judgments;
  Target target{"t", {"a", "b", "c"}, 0, 1};

  Case() {
    add_column(table, column("t", ColumnType::category, ColumnRole::label, {"a", "b", "c"}),
               std::vector<std::int32_t>{0, 0, 1, 1, 0}, {Cell::known, Cell::known, Cell::known, Cell::known, Cell::missing});
    const float nan = std::nanf("");
    judgments.classes = target.classes;
    judgments.case_id = table.case_id;
    judgments.label = {0, 1, 1, no_label, 0};
    judgments.confidence = {0.5F, 0.75F, 1.0F, nan, 0.9F};
    judgments.probability = {0.5F, 0.25F, 0.25F, 0.25F, 0.75F, 0, 0, 1, 0, nan, nan, nan, 0.9F, 0.1F, 0};
    judgments.status = {JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::abstained,
                        JudgmentStatus::judged};
  }
  [[nodiscard]] HeldOut figures(const std::vector<std::uint32_t>& test) const {
    return held_out_figures(target, table, test, judgments);
  }
};

TEST(HeldOut, FiguresByHand) {
  const HeldOut figures = Case().figures({0, 1, 2, 3, 4});
  EXPECT_EQ(figures.rows, 4U);
  EXPECT_EQ(figures.abstained, 1U);
  EXPECT_DOUBLE_EQ(figures.accuracy, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(figures.balanced_accuracy, 0.75);
  EXPECT_NEAR(figures.log_loss, (std::log(2.0) + std::log(4.0)) / 3, 1e-7);
  EXPECT_NEAR(figures.calibration_error, (0.5 + 0.75 + 0.0) / 3, 1e-7);
  EXPECT_TRUE(std::isnan(figures.rmse));
}

TEST(HeldOut, WithoutAJudgedRowThereAreNoFigures) {
  const HeldOut figures = Case().figures({3});
  EXPECT_EQ(figures.rows, 1U);
  EXPECT_TRUE(std::isnan(figures.accuracy));
  EXPECT_TRUE(std::isnan(Case().figures({}).accuracy));
}

TEST(HeldOut, ARegressionHasARootMeanSquareError) {
  Table table = empty_table(2);
  add_column(table, column("t", ColumnType::real, ColumnRole::label), std::vector<double>{1, 2});
  Judgments judgments;
  judgments.case_id = table.case_id;
  judgments.value = {4, 6};
  judgments.status = {JudgmentStatus::judged, JudgmentStatus::judged};
  const HeldOut figures = held_out_figures({"t", {}, 0, 1}, table, std::vector<std::uint32_t>{0, 1}, judgments);
  EXPECT_NEAR(figures.rmse, std::sqrt(12.5), 1e-12);
  EXPECT_TRUE(std::isnan(figures.accuracy));
}

}  // namespace
}  // namespace hiple::engine
