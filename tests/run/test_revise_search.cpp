#include <gtest/gtest.h>

#include <cmath>

#include "condition/condition.hpp"
#include "run/revise_search.hpp"

namespace hiple {
namespace {

TEST(Roundest, HasTheFewestDigitsBetweenTwoNumbers) {
  EXPECT_EQ(roundest(12480, 12533), 12500);
  EXPECT_EQ(roundest(0.2999, 0.3001), 0.3);
  EXPECT_EQ(roundest(-7.4, -6.1), -7);
  EXPECT_EQ(roundest(-1, 2), 0);
  EXPECT_EQ(roundest(0, 5), 0);
  EXPECT_EQ(roundest(13, 14), 13);
  EXPECT_EQ(roundest(9.99, 1000), 100);
  EXPECT_EQ(roundest(-3, 0), -3);
  const double next = std::nextafter(1.1, 2.0);
  EXPECT_EQ(roundest(1.1, next), 1.1);
  for (const auto& [low, high] :
       {std::pair(0.123456, 0.1235), std::pair(-0.5, -0.499), std::pair(1e-7, 2e-7), std::pair(1e9, 1e9 + 1)}) {
    EXPECT_GE(roundest(low, high), low);
    EXPECT_LT(roundest(low, high), high);
  }
}

/// Conditions over a torque in N.m and a wear in min.
class Limits : public ::testing::Test {
 protected:
  Limits() {
    scope_.vocabulary = &vocabulary_;
    scope_.columns["torque"] = {.index = 0, .kind = condition::Kind::real, .unit = "N.m", .values = {}};
    scope_.columns["wear"] = {.index = 1, .kind = condition::Kind::real, .unit = "min", .values = {}};
  }
  condition::Condition read(const std::string& text) { return {text, scope_, Place{"law.yaml", 1, 1}}; }
  std::string moved(const std::string& text, std::size_t which, double to) {
    const condition::Condition condition = read(text);
    const std::string changed = with_limit(condition.root(), limits_of(condition.root()).at(which), to);
    return read(changed).canonical();  // it must be a condition again
  }
  condition::Vocabulary vocabulary_;
  condition::Scope scope_;
};

TEST_F(Limits, AreFoundInComparisonsAndIntervals) {
  const condition::Condition condition =
      read("torque > 5 [N.m] and (wear in [1 [h], 90 [min]) or torque * wear <= 13000 [min.N.m])");
  const auto limits = limits_of(condition.root());
  ASSERT_EQ(limits.size(), 4U);
  EXPECT_EQ(limits[0].left, "torque");
  EXPECT_EQ(limits[0].value, 5);
  EXPECT_FALSE(limits[0].is_upper);
  EXPECT_FALSE(limits[0].is_closed);
  EXPECT_EQ(limits[1].left, "wear");
  EXPECT_EQ(limits[1].value, 60);
  EXPECT_TRUE(limits[1].is_closed);
  EXPECT_EQ(limits[2].value, 90);
  EXPECT_TRUE(limits[2].is_upper);
  EXPECT_FALSE(limits[2].is_closed);
  EXPECT_EQ(limits[3].left, "torque * wear");
  EXPECT_EQ(limits[3].value, 13000);
  EXPECT_TRUE(limits[3].is_upper);
}

TEST_F(Limits, MoveInTheUnitOfWhatIsCompared) {
  EXPECT_EQ(moved("torque > 5 [N.m]", 0, -2.5), read("torque > -2.5 [N.m]").canonical());
  EXPECT_EQ(moved("wear in [1 [h], 90 [min])", 0, 45), read("wear in [45 [min], 90 [min])").canonical());
  const condition::Condition condition = read("torque * wear <= 13000 [min.N.m]");
  const std::string changed = moved("torque * wear <= 13000 [min.N.m]", 0, 12500);
  const auto limits = limits_of(read(changed).root());
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits[0].value, 12500);
}

TEST_F(Limits, AnIntervalKeepsItsEndsInOrder) {
  const condition::Condition condition = read("torque > 5 [N.m] and wear in [1 [h], 90 [min])");
  const auto limits = limits_of(condition.root());
  ASSERT_EQ(limits.size(), 3U);
  EXPECT_TRUE(leaves_room(condition.root(), limits[0], 1e6));
  EXPECT_TRUE(leaves_room(condition.root(), limits[1], 89));
  EXPECT_FALSE(leaves_room(condition.root(), limits[1], 90));
  EXPECT_FALSE(leaves_room(condition.root(), limits[1], 120));
  EXPECT_TRUE(leaves_room(condition.root(), limits[2], 61));
  EXPECT_FALSE(leaves_room(condition.root(), limits[2], 60));
  EXPECT_ANY_THROW(moved("torque > 5 [N.m] and wear in [1 [h], 90 [min])", 1, 120));  // what it is asked for
}

Feature number(const std::string& text, std::vector<std::optional<double>> values) {
  Feature feature;
  feature.text = text;
  feature.values = std::move(values);
  return feature;
}

TEST(Region, SeparatesWhatIsWrongFromWhatIsRight) {
  std::vector<std::optional<double>> load, noise;
  std::vector<bool> wrong;
  for (int i = 0; i < 100; ++i) {
    load.emplace_back(11000 + 20 * i);
    noise.emplace_back(i * 37 % 100);
    wrong.push_back(11000 + 20 * i > 12500);
  }
  load[3] = std::nullopt;
  const auto region = find_region({number("noise", noise), number("load", load)}, wrong);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->condition, "load > 12500");
  EXPECT_EQ(region->outside, 0U);
  EXPECT_EQ(region->inside, 24U);
  EXPECT_FALSE(region->holds[3]);
}

TEST(Region, JoinsAtomsUntilNoRightCaseIsInside) {
  std::vector<std::optional<double>> a, b;
  std::vector<bool> wrong;
  for (int i = 0; i < 20; ++i)
    for (int k = 0; k < 20; ++k) {
      a.emplace_back(i);
      b.emplace_back(k);
      wrong.push_back(i > 9 && k > 14);
    }
  const auto region = find_region({number("a", a), number("b", b)}, wrong);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->atoms, 2U);
  EXPECT_EQ(region->outside, 0U);
  EXPECT_EQ(region->inside, 50U);
}

TEST(Region, IsNotFoundWhereNothingTellsAnything) {
  const std::vector<bool> wrong = {true, false, true, false};
  EXPECT_FALSE(find_region({number("a", {1, 1, 1, 1})}, wrong));
  EXPECT_FALSE(find_region({}, wrong));
}

}  // namespace
}  // namespace hiple
