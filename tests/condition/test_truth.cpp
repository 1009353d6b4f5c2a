#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "condition/truth.hpp"

namespace hiple::condition {
namespace {

using testing::ElementsAre;

TEST(CauseSet, HoldsAnyNumber) {
  CauseSet set;
  EXPECT_TRUE(set.empty());
  for (const std::uint32_t cause : {700U, 0U, 255U, 256U, 63U}) set.add(cause);
  EXPECT_THAT(set.list(), ElementsAre(0, 63, 255, 256, 700));
  EXPECT_TRUE(set.contains(700));
  EXPECT_FALSE(set.contains(701));
  EXPECT_FALSE(set.contains(100'000));
  set.clear();
  EXPECT_TRUE(set.empty());
  EXPECT_THAT(set.list(), ElementsAre());
}

TEST(CauseSet, UnionAndEqualityDoNotDependOnTheOrder) {
  CauseSet a, b, c;
  a.add(3);
  b.add(900);
  c.add(900);
  c.add(3);
  a.add(b);
  EXPECT_EQ(a, c);
  b.add(3);
  EXPECT_EQ(b, c);
  EXPECT_THAT(b.list(), ElementsAre(3, 900));
}

TEST(CauseTable, NumbersAreInBlocksAndTextsAreSorted) {
  CauseTable table;
  const std::uint32_t tsh = table.column("TSH"), hypo = table.engine("hypo"), rule = table.rule("F-1"),
                      finding = table.finding("p.q");
  EXPECT_EQ(table.column("TSH"), tsh);
  EXPECT_NE(table.engine("TSH"), tsh);
  CauseSet set;
  for (const std::uint32_t cause : {tsh + 1, tsh, hypo, hypo + 1, hypo + 2, hypo + 4, rule, finding, finding + 1,
                                    CauseTable::division, CauseTable::one_group})
    set.add(cause);
  EXPECT_THAT(table.texts(set),
              ElementsAre("abstained:hypo", "disagree:hypo", "division", "inactive:hypo", "invalid:TSH", "missing:TSH",
                          "not_firm:p.q", "one_group", "suspended:F-1", "unavailable:hypo", "undecided:p.q"));
}

}  // namespace
}  // namespace hiple::condition
