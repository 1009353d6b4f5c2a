#include <gmock/gmock.h>

#include "scaling/measure/setup.hpp"

namespace hiple::scaling {
namespace {

using testing::AllOf;
using testing::HasSubstr;

MeasureOptions options(const std::string& strategy) {
  MeasureOptions result;
  result.strategy = strategy;
  return result;
}

std::string refusal(const MeasureOptions& asked, int ranks) {
  try {
    make_setup(asked, ranks);
  } catch (const InputError& error) {
    EXPECT_EQ(error.status(), ExitStatus::bad_input);
    return error.what();
  }
  return "accepted";
}

TEST(Setup, TheDefaultsAreAccepted) {
  const auto setup = make_setup(options("ddp"), 4);
  EXPECT_EQ(setup.settings.variant, "overlap");
  EXPECT_EQ(setup.settings.bucket_bytes, 26214400U);
  EXPECT_EQ(setup.kind->rows(setup.settings, 4), 64U);
  EXPECT_EQ(refusal(options("single"), 1), "accepted");
  EXPECT_EQ(refusal(options("hiple"), 4), "accepted");
}

TEST(Setup, ANetworkIsReadWithItsPlaces) {
  const engine::NetworkShape shape = parse_network("64-512-256-16");
  EXPECT_EQ(shape.inputs, 64);
  EXPECT_EQ(shape.hidden, (std::vector<std::int64_t>{512, 256}));
  EXPECT_EQ(shape.outputs, 16);
  EXPECT_TRUE(parse_network("4-2").hidden.empty());
  MeasureOptions asked = options("single");
  const std::vector<std::pair<std::string, std::string>> wrong = {{"", "--network:1:1: \"\" is no width"},
                                                                  {"64", "\"64\" is no network"},
                                                                  {"64-x-3", "--network:1:4: \"x\" is no width"},
                                                                  {"64--3", "--network:1:4: \"\" is no width"},
                                                                  {"0-3", "--network:1:1: \"0\" is no width"},
                                                                  {"64-010-3", "--network:1:4: \"010\" is no width"},
                                                                  {"4-1", "one class"},
                                                                  {"64-9999999-3", "--network:1:4: \"9999999\""},
                                                                  {"1048576-4096-3", "more than 2147483647"}};
  for (const auto& [text, message] : wrong) {
    asked.network = text;
    EXPECT_THAT(refusal(asked, 1), HasSubstr(message)) << text;
  }
}

TEST(Setup, WhatAStrategyCannotDoIsSaid) {
  EXPECT_THAT(refusal(options("single"), 2), AllOf(HasSubstr("single on 2 ranks"), HasSubstr("--strategy ddp")));
  EXPECT_THAT(refusal(options("ddp"), 3), HasSubstr("256 rows do not divide among 3 ranks"));
  for (const char* stage : {"zero1", "zero2", "zero3"})
    EXPECT_THAT(refusal(options(stage), 3), HasSubstr("256 rows do not divide among 3 ranks"));
  EXPECT_THAT(refusal(options("hiple"), 3), HasSubstr("256 rows do not divide among 3 engines"));
  EXPECT_THAT(refusal(options("dpd"), 1), HasSubstr("did you mean \"ddp\"?"));
  MeasureOptions asked = options("ddp");
  asked.variant = "nave";
  EXPECT_THAT(refusal(asked, 1), HasSubstr("did you mean \"naive\"?"));
  asked = options("single");
  asked.variant = "naive";
  EXPECT_THAT(refusal(asked, 1), HasSubstr("single has no variant"));
  asked = options("ddp");
  asked.bucket = 1023;
  EXPECT_THAT(refusal(asked, 1), HasSubstr("--bucket"));
  EXPECT_THAT(refusal(options("tp"), 3), AllOf(HasSubstr("width 512"), HasSubstr("width 16")));
  EXPECT_THAT(refusal(options("pp"), 4), HasSubstr("3 layers are no pipeline of 4 ranks"));
  EXPECT_THAT(refusal(options("moe"), 3), HasSubstr("8 experts do not divide among 3 ranks"));
  EXPECT_THAT(refusal(options("localsgd"), 3), HasSubstr("256 rows do not divide among 3 ranks"));
  asked = options("moe");
  asked.capacity = "much";
  EXPECT_THAT(refusal(asked, 1), HasSubstr("--capacity"));
  asked = options("hiple");
  asked.spread = "2";
  EXPECT_THAT(refusal(asked, 1), HasSubstr("one engine has no spread"));
}

TEST(Setup, EveryProblemIsSaidAtOnce) {
  MeasureOptions asked = options("nothing");
  asked.steps = 0;
  asked.batch = 0;
  asked.straggler = "4:2";
  asked.jitter = "-1";
  asked.spread = "0.5";
  asked.network = "a";
  EXPECT_THAT(refusal(asked, 4),
              AllOf(HasSubstr("--steps: 0"), HasSubstr("--batch: 0"), HasSubstr("there is no rank 4"), HasSubstr("--jitter"),
                    HasSubstr("--spread"), HasSubstr("--network"), HasSubstr("nothing")));
}

TEST(Setup, AStragglerIsARankAndAFactor) {
  MeasureOptions asked = options("hiple");
  asked.straggler = "3:2.5";
  const auto setup = make_setup(asked, 4);
  EXPECT_EQ(setup.factor(3), 2.5);
  EXPECT_EQ(setup.factor(0), 1.0);
  for (const char* wrong : {"3", "3:", ":2", "3:0.5", "-1:2", "3:2:1", "3:nan", "x:2"}) {
    asked.straggler = wrong;
    EXPECT_THAT(refusal(asked, 4), HasSubstr("is not RANK:FACTOR")) << wrong;
  }
}

}  // namespace
}  // namespace hiple::scaling
