#include <gmock/gmock.h>

#include <fstream>

#include "scaling/plan/study.hpp"
#include "temporary_folder.hpp"

namespace hiple::scaling {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const std::string head = "study: 1\nname: try\nseed: 7\ntime_limit: 1min\nlaunch_limit: 10s\nblocks:\n";

class StudyFile : public testing::Test {
 protected:
  Study load(const std::string& text) {
    std::ofstream(folder_.path() / "study.yaml") << text;
    return load_study(folder_.path() / "study.yaml");
  }
  Study load_blocks(const std::string& blocks) { return load(head + blocks); }

  /// The message for what is wrong, with the folder taken out.
  std::string refusal(const std::string& text) {
    try {
      load(text);
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string prefix = folder_.path().string() + "/";
      for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) message.erase(at, prefix.size());
      return message;
    }
    return "accepted";
  }
  std::string refusal_of_blocks(const std::string& blocks) { return refusal(head + blocks); }

 private:
  TemporaryFolder folder_;
};

TEST_F(StudyFile, CombinesEveryList) {
  const Study study = load_blocks(
      "- {name: a, strategies: [ddp/overlap, ddp/naive, hiple], networks: [4-8-3, 4-16-3], ranks: [2, 4], links: [none, 1gbit],\n"
      "   batch: 8}\n");
  EXPECT_THAT(study.configurations, SizeIs(3 * 2 * 2 * 2));
  EXPECT_EQ(study.configurations.front().id, "ddp_overlap_4-8-3_b8_s50+5_r2");
  EXPECT_EQ(study.configurations.back().id, "hiple_4-16-3_b8_s50+5_r4_1gbit");
  EXPECT_EQ(study.time_limit, 60);
  EXPECT_EQ(study.launch_limit, 10);
}

TEST_F(StudyFile, WeakScalingFixesTheRowsOfARank) {
  const Study study = load_blocks("- {name: a, strategies: ddp, networks: 4-8-3, ranks: [1, 4], scaling: weak, batch: 10}\n");
  EXPECT_EQ(study.configurations[0].options.batch, 10U);
  EXPECT_EQ(study.configurations[1].options.batch, 40U);
}

TEST_F(StudyFile, OneLaunchIsAPointOfBothCurves) {
  const Study study = load_blocks(
      "- {name: a, strategies: single, networks: 4-8-3, ranks: 1, scaling: [weak, strong], batch: 8}\n"
      "- {name: b, strategies: single, networks: 4-8-3, ranks: 1, batch: 8}\n");
  ASSERT_THAT(study.configurations, SizeIs(1));
  EXPECT_THAT(study.configurations[0].scaling, ElementsAre("weak", "strong"));
}

TEST_F(StudyFile, AStrategyWithoutItsVariantIsItsFirstOne) {
  const Study study = load_blocks(
      "- {name: a, strategies: [ddp, ddp/overlap], networks: 4-8-3, ranks: 2, batch: 8}\n"
      "- {name: b, strategies: localsgd, networks: 4-8-3, ranks: 2, batch: 8}\n");
  ASSERT_THAT(study.configurations, SizeIs(2));
  EXPECT_EQ(study.configurations[0].options.variant, "overlap");
  EXPECT_EQ(study.configurations[1].options.variant, "average");
}

TEST_F(StudyFile, ArgumentsAreThoseOfMeasure) {
  const Study study = load_blocks(
      "- {name: a, strategies: ddp/naive, networks: 4-8-3, ranks: 2, batch: 8, steps: 3, warmup: 1, stragglers: ['1:2'],\n"
      "   jitter: 0.05, bucket: 4096}\n");
  EXPECT_THAT(study.configurations[0].arguments(),
              ElementsAre("--strategy", "ddp", "--variant", "naive", "--network", "4-8-3", "--batch", "8", "--steps", "3",
                          "--warmup", "1", "--seed", "7", "--straggler", "1:2", "--jitter", "0.05", "--bucket", "4096"));
  EXPECT_EQ(study.configurations[0].id, "ddp_naive_4-8-3_b8_s3+1_r2_straggler1x2_jitter0.05_bucket4096");
}

TEST_F(StudyFile, OptionsOfOneStrategyAreArgumentsWhereTheyAreNotTheDefaults) {
  const Study study = load_blocks(
      "- {name: a, strategies: moe, networks: 4-8-8-3, ranks: 2, batch: 8, steps: 3, warmup: 1, experts: 4, chosen: 1, capacity: "
      "'2'}\n"
      "- {name: b, strategies: pp, networks: 4-8-3, ranks: 2, batch: 8, steps: 3, warmup: 1, micro_batches: 4}\n"
      "- {name: c, strategies: localsgd/diloco, networks: 4-8-3, ranks: 2, batch: 8, steps: 3, warmup: 1, period: 2}\n"
      "- {name: d, strategies: moe, networks: 4-8-8-3, ranks: 2, batch: 8, steps: 3, warmup: 1}\n");
  ASSERT_THAT(study.configurations, SizeIs(4));
  const auto ends_with = [&](std::size_t index, const std::vector<std::string>& words) {
    const std::vector<std::string> all = study.configurations[index].arguments();
    return std::equal(words.rbegin(), words.rend(), all.rbegin());
  };
  EXPECT_TRUE(ends_with(0, {"--experts", "4", "--chosen", "1", "--capacity", "2"}));
  EXPECT_EQ(study.configurations[0].id, "moe_4-8-8-3_b8_s3+1_r2_experts4_chosen1_capacity2");
  EXPECT_TRUE(ends_with(1, {"--micro-batches", "4"}));
  EXPECT_TRUE(ends_with(2, {"--period", "2"}));
  EXPECT_EQ(study.configurations[2].id, "localsgd_diloco_4-8-3_b8_s3+1_r2_period2");
  EXPECT_TRUE(ends_with(3, {"--seed", "7"}));
}

TEST_F(StudyFile, BlocksTakeTheStudysRepetitionsUnlessTheySayOtherwise) {
  const Study study = load(
      "study: 1\nname: try\ntime_limit: 1min\nlaunch_limit: 10s\nrepetitions: {least: 3, most: 5, width: 0.1}\nblocks:\n"
      "- {name: a, strategies: single, networks: 4-8-3, ranks: 1}\n"
      "- {name: b, strategies: single, networks: 4-9-3, ranks: 1, repetitions: {least: 1, most: 1}}\n");
  EXPECT_EQ(study.configurations[0].repetitions.least, 3);
  EXPECT_EQ(study.configurations[0].repetitions.most, 5);
  EXPECT_EQ(study.configurations[1].repetitions.most, 1);
  EXPECT_EQ(study.configurations[1].repetitions.width, 0.1);
}

TEST_F(StudyFile, ParametersOfOpenMpiStayTexts) {
  const Study study = load(
      "study: 1\nname: try\ntime_limit: 1min\nlaunch_limit: 10s\nopen_mpi: {btl_tcp_links: 1}\nblocks:\n"
      "- {name: a, strategies: single, networks: 4-8-3, ranks: 1}\n");
  EXPECT_EQ(study.open_mpi.at("btl_tcp_links"), "1");
}

/// What a strategy cannot do is said at the place in the study file, before anything starts.
struct Refused {
  const char* block;
  const char* place;
  const char* words;
};

std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.words; }

class Refusal : public StudyFile, public testing::WithParamInterface<Refused> {};

TEST_P(Refusal, NamesThePlace) {
  EXPECT_THAT(refusal_of_blocks(GetParam().block), AllOf(HasSubstr(GetParam().place), HasSubstr(GetParam().words)));
}

INSTANTIATE_TEST_SUITE_P(
    Blocks, Refusal,
    testing::Values(
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: [2, 3], batch: 8}\n", "study.yaml:7:69",
                "do not divide among 3 ranks (ddp on 3 ranks)"},
        Refused{"- {name: a, strategies: single, networks: 4-8-3, ranks: 2, batch: 8}\n",
                "study.yaml:7:", ": single on 2 ranks: it is the monolith"},
        Refused{"- {name: a, strategies: dpp, networks: 4-8-3, ranks: 2, batch: 8}\n", "study.yaml:7:25",
                "did you mean \"ddp\"?"},
        Refused{"- {name: a, strategies: ddp/fast, networks: 4-8-3, ranks: 2, batch: 8}\n", "study.yaml:7:25", "fast"},
        Refused{"- {name: a, strategies: ddp, networks: [4-8-3, 4-x-3], ranks: 2, batch: 8}\n", "study.yaml:7:48",
                "\"x\" is no width"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 2, batch: 8, stragglers: ['2:2']}\n", "study.yaml:7:80",
                "there is no rank 2"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 2, batch: 8, jitter: -1}\n", "study.yaml:7:75",
                "out of range"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 0, batch: 8}\n", "study.yaml:7:54", "no number of ranks"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 2, links: fast, batch: 8}\n", "study.yaml:7:64", "no link"},
        Refused{"- {name: a, strategies: hiple, networks: 4-8-3, ranks: 500, links: 1gbit, batch: 500}\n", "study.yaml:7:56",
                "250 at most"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 2, scaling: wek, batch: 8}\n", "study.yaml:7:66",
                "did you mean \"weak\"?"},
        Refused{"- {name: a, strategies: [ddp, ddp], networks: 4-8-3, ranks: 2, batch: 8}\n", "study.yaml:7:31", "stands twice"},
        Refused{"- {name: a, strategies: [], networks: 4-8-3, ranks: 2, batch: 8}\n", "study.yaml:7:25", "is empty"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, batch: 8}\n", "study.yaml:7:3", "lacks the key \"ranks\""},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 2, batches: 8}\n", "study.yaml:7:57",
                "did you mean \"batch\"?"},
        Refused{"- {name: a, strategies: ddp, networks: 4-8-3, ranks: 2, batch: 8, repetitions: {least: 5, most: 3}}\n",
                "study.yaml:7:", "at most 3 repetitions, and at least 5"}));

TEST_F(StudyFile, SaysEverythingThatIsWrongAtOnce) {
  const std::string message = refusal("study: 1\nname: 'a b'\nlaunch_limit: 10\nblocks: []\nblock: 1\n");
  for (const char* words : {"study.yaml:2:7", "names a folder", "launch_limit", "lacks the key \"time_limit\"",
                            "sequence of blocks", "unknown key \"block\""})
    EXPECT_THAT(message, HasSubstr(words));
}

TEST_F(StudyFile, RefusesMoreThanAnybodyCanMeasure) {
  std::string ranks = "[1";
  for (int i = 2; i <= 400; ++i) ranks += ", " + std::to_string(i);
  std::string networks = "[4-1-3";
  for (int i = 2; i <= 400; ++i) networks += ", 4-" + std::to_string(i) + "-3";
  EXPECT_THAT(refusal_of_blocks("- {name: a, strategies: ddp, networks: " + networks + "], ranks: " + ranks + "]}\n"),
              HasSubstr("160000 configurations"));
}

}  // namespace
}  // namespace hiple::scaling
