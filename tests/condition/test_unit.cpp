#include <gtest/gtest.h>

#include "condition/unit.hpp"
#include "condition/unit_remedy.hpp"

namespace hiple::condition {
namespace {

double convert(double value, const char* from, const char* to) {
  const auto a = parse_unit(from), b = parse_unit(to);
  EXPECT_TRUE(a && b) << from << " " << to;
  EXPECT_TRUE(a->same_dimension(*b)) << from << " " << to;
  const Conversion how = conversion(*a, *b);
  return value * how.scale + how.offset;
}

TEST(Unit, Conversions) {
  EXPECT_DOUBLE_EQ(convert(6, "mU/L", "U/L"), 0.006);
  EXPECT_DOUBLE_EQ(convert(1, "uU/mL", "mU/L"), 1);
  EXPECT_DOUBLE_EQ(convert(65, "mg/dL", "g/L"), 0.65);
  EXPECT_DOUBLE_EQ(convert(1, "nmol/L", "pmol/mL"), 1);
  EXPECT_DOUBLE_EQ(convert(1.5, "h", "min"), 90);
  EXPECT_DOUBLE_EQ(convert(1, "d", "s"), 86400);
  EXPECT_DOUBLE_EQ(convert(37, "degC", "K"), 310.15);
  EXPECT_DOUBLE_EQ(convert(310.15, "K", "Cel"), 37);
  EXPECT_NEAR(convert(98.6, "degF", "degC"), 37, 1e-9);
  EXPECT_DOUBLE_EQ(convert(2, "bar", "kPa"), 200);
  EXPECT_DOUBLE_EQ(convert(3, "L/min", "m3/h"), 0.18);
  EXPECT_DOUBLE_EQ(convert(1, "N.m", "J"), 1);
  EXPECT_DOUBLE_EQ(convert(1, "kW.h", "MJ"), 3.6);
  EXPECT_DOUBLE_EQ(convert(5, "%", "1"), 0.05);
  EXPECT_DOUBLE_EQ(convert(9, "m/s2", "km/s2"), 0.009);
  EXPECT_DOUBLE_EQ(convert(120, "/min", "s-1"), 2);
  EXPECT_DOUBLE_EQ(convert(1, "\u00b5g", "ng"), 1000);
}

TEST(Unit, DimensionsThatDiffer) {
  for (const auto& [a, b] : {std::pair{"mol/L", "g/L"}, std::pair{"U", "IU"}, std::pair{"U", "mol"}, std::pair{"rpm", "Hz"},
                             std::pair{"K", "min"}, std::pair{"N.m", "N/m"}})
    EXPECT_FALSE(parse_unit(a)->same_dimension(*parse_unit(b))) << a << " " << b;
}

TEST(Unit, TorqueTimesSpeedIsAPower) {
  const auto power = product(*parse_unit("N.m"), *parse_unit("rpm"));
  ASSERT_TRUE(power);
  EXPECT_TRUE(power->same_dimension(*parse_unit("W")));
  EXPECT_NEAR(conversion(*power, *parse_unit("W")).scale, 0.10471975511965977, 1e-15);
}

TEST(Unit, WhatIsNone) {
  for (const char* text :
       {"", "furlong", "mU//L", "m U", "kmin", "m0", "m99", "L/", ".m", "degC/min", "K.degC", "degC2", "mdegC", "[K]"})
    EXPECT_FALSE(parse_unit(text)) << text;
}

TEST(Unit, TheNearestOneIsTold) {
  EXPECT_EQ(unit_remedy("mu/L"), "did you mean \"mU/L\"?");
  EXPECT_EQ(unit_remedy("kpa"), "did you mean \"kPa\"?");
  EXPECT_EQ(unit_remedy("nmoll/L"), "did you mean \"nmol/L\"?");
  EXPECT_EQ(unit_remedy("M.s-2/minn"), "did you mean \"m.s-2/min\"?");
  for (const char* text : {"furlong", "", "x", "m//s", "m0"}) EXPECT_EQ(unit_remedy(text).find("UCUM units such as"), 0U) << text;
}

TEST(Unit, TemperaturesWithAnArbitraryZeroHaveNoProduct) {
  EXPECT_FALSE(product(*parse_unit("degC"), *parse_unit("m")));
  EXPECT_FALSE(quotient(*parse_unit("s"), *parse_unit("degF")));
}

TEST(Unit, ExponentsStayInTheirRange) {
  auto unit = *parse_unit("m9");
  for (int i = 0; i < 10; ++i) unit = product(unit, *parse_unit("m9")).value_or(unit);
  EXPECT_FALSE(product(unit, *parse_unit("m9")));
}

}  // namespace
}  // namespace hiple::condition
