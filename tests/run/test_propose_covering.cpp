#include <gmock/gmock.h>

#include <random>

#include "run/propose_covering.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Ten literals drawn at random over 600 cases.
std::vector<Literal> random_literals(std::mt19937& random, std::size_t cases, std::size_t count = 10) {
  std::vector<Literal> literals;
  for (std::size_t i = 0; i < count; ++i) {
    Literal literal{"l" + std::to_string(i), "a" + std::to_string(i), std::vector<std::uint64_t>((cases + 63) / 64)};
    for (std::size_t c = 0; c < cases; ++c)
      if (random() % 2 == 0) literal.set(c);
    literals.push_back(literal);
  }
  return literals;
}

TEST(Covering, FindsTheConjunctionThatWasPlantedAndCountsIt) {
  std::mt19937 random(1);
  const auto literals = random_literals(random, 600);
  std::vector<Target> targets(600, Target::wrong);
  std::uint64_t cases = 0, missed = 0, right = 0;
  for (std::size_t c = 0; c < 600; ++c) {
    if (!literals[2].at(c) || !literals[7].at(c)) continue;
    const bool wrong = random() % 40 == 0;
    targets[c] = wrong ? Target::wrong : random() % 3 == 0 ? Target::held : Target::missed;
    ++cases;
    right += wrong ? 0U : 1U;
    missed += targets[c] == Target::missed ? 1U : 0U;
  }
  const auto found = cover(literals, targets, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].literals, ElementsAre(2, 7));
  EXPECT_EQ(found[0].cases, cases);
  EXPECT_EQ(found[0].right, right);
  EXPECT_EQ(found[0].missed, missed);
}

TEST(Covering, GoesOnWithWhatIsLeft) {
  std::mt19937 random(2);
  const auto literals = random_literals(random, 600);
  std::vector<Target> targets(600, Target::wrong);
  for (std::size_t c = 0; c < 600; ++c)
    if ((literals[0].at(c) && literals[1].at(c)) || (literals[5].at(c) && literals[6].at(c))) targets[c] = Target::missed;
  const auto found = cover(literals, targets, {});
  ASSERT_EQ(found.size(), 2U);
  std::vector<std::vector<std::size_t>> both = {found[0].literals, found[1].literals};
  std::sort(both.begin(), both.end());
  EXPECT_THAT(both, ElementsAre(ElementsAre(0, 1), ElementsAre(5, 6)));
  EXPECT_LT(found[1].missed, found[1].right) << "those that the first one covers are not missed any more";
}

TEST(Covering, ProposesNothingWhereNothingIsPreciseEnough) {
  std::mt19937 random(3);
  const auto literals = random_literals(random, 600);
  std::vector<Target> targets(600);
  for (Target& target : targets) target = random() % 2 == 0 ? Target::missed : Target::wrong;
  EXPECT_THAT(cover(literals, targets, {}), IsEmpty());
  EXPECT_THAT(cover({}, targets, {}), IsEmpty());
  EXPECT_THAT(cover({}, {}, {}), IsEmpty());
}

TEST(Covering, FewCasesProveNothing) {
  std::mt19937 random(4);
  const auto literals = random_literals(random, 64);
  std::vector<Target> targets(64, Target::wrong);
  std::size_t left = 20;  // of 20 of 20 the lower bound is 0.86
  for (std::size_t c = 0; c < 64 && left > 0; ++c)
    if (literals[3].at(c)) {
      targets[c] = Target::missed;
      --left;
    }
  for (const Covering& covering : cover(literals, targets, {})) EXPECT_GE(covering.cases, 29U);
}

TEST(Covering, SaysOneThingOfEach) {
  std::mt19937 random(5);
  auto literals = random_literals(random, 600);
  literals[7].about = literals[2].about;
  std::vector<Target> targets(600, Target::wrong);
  for (std::size_t c = 0; c < 600; ++c)
    if (literals[2].at(c) && literals[7].at(c)) targets[c] = Target::missed;
  EXPECT_THAT(cover(literals, targets, {}), IsEmpty());
}

}  // namespace
}  // namespace hiple
