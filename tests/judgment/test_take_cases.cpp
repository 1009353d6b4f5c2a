#include <gtest/gtest.h>

#include "judgment/take_cases.hpp"

namespace hiple {
namespace {

Judgments sample() {
  Judgments judgments;
  judgments.engine = "e";
  judgments.classes = {"none", "p"};
  for (std::uint64_t id = 10; id <= 50; id += 10) {
    judgments.case_id.push_back(id);
    judgments.status.push_back(JudgmentStatus::judged);
    judgments.label.push_back(static_cast<std::uint16_t>(id / 10 % 2));
    judgments.confidence.push_back(static_cast<float>(id) / 100);
    judgments.typicality.push_back(0.5F);
    judgments.probability.insert(judgments.probability.end(), {static_cast<float>(id), static_cast<float>(id + 1)});
  }
  return judgments;
}

TEST(TakeCases, GivesTheJudgmentsOfTheseCases) {
  const std::vector<std::uint64_t> wanted = {5, 20, 30, 45, 50, 60};
  const std::vector<std::vector<std::uint32_t>> guesses = {{}, {0, 1, 2, 3, 4, 5}, {9, 9, 9, 9, 9, 9}, {0, 4, 0, 0, 4, 0}};
  for (const auto& guess : guesses) {
    const Judgments taken = take_cases(sample(), wanted, guess);
    EXPECT_EQ(taken.case_id, (std::vector<std::uint64_t>{20, 30, 50}));
    EXPECT_EQ(taken.label, (std::vector<std::uint16_t>{0, 1, 1}));
    EXPECT_EQ(taken.probability, (std::vector<float>{20, 21, 30, 31, 50, 51}));
    EXPECT_EQ(taken.engine, "e");
    EXPECT_TRUE(taken.value.empty());
  }
}

TEST(TakeCases, OfNoneIsEmpty) { EXPECT_EQ(take_cases(sample(), {}).size(), 0U); }

}  // namespace
}  // namespace hiple
