#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "h5/h5.hpp"
#include "judgment/add_judgments.hpp"
#include "judgment/judgment.hpp"
#include "judgment/judgment_stream.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Judgments three_cases() {
  Judgments judgments;
  judgments.engine = "hypo";
  judgments.domain = "hypothyroid";
  judgments.classes = {"none", "F"};
  judgments.case_id = {3, 5, 99};
  judgments.label = {1, no_label, no_label};
  judgments.confidence = {0.75F, 0.5F, nan};
  judgments.probability = {0.25F, 0.75F, 0.5F, 0.5F, nan, nan};
  judgments.typicality = {1, 0, nan};
  judgments.status = {JudgmentStatus::judged, JudgmentStatus::abstained, JudgmentStatus::invalid};
  judgments.checkpoint_sha256 = "aa";
  judgments.training_seconds = 1.5;
  judgments.steps = 7;
  judgments.samples = 70;
  return judgments;
}

class JudgmentTest : public testing::Test {
 protected:
  std::string write_refusal(const std::function<void(Judgments&)>& spoil) {
    Judgments judgments = three_cases();
    spoil(judgments);
    try {
      write_judgments(path_, judgments);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string read_refusal() {
    try {
      read_judgments(path_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "hypo.h5";
};

TEST_F(JudgmentTest, RoundTrip) {
  const Judgments written = three_cases();
  write_judgments(path_, written);
  const Judgments read = read_judgments(path_);
  EXPECT_EQ(read.engine, "hypo");
  EXPECT_EQ(read.domain, "hypothyroid");
  EXPECT_EQ(read.classes, written.classes);
  EXPECT_EQ(read.case_id, written.case_id);
  EXPECT_EQ(read.label, written.label);
  EXPECT_EQ(read.status, written.status);
  EXPECT_EQ(read.confidence[0], 0.75F);
  EXPECT_TRUE(std::isnan(read.confidence[2]));
  EXPECT_EQ(read.probability[1], 0.75F);
  EXPECT_TRUE(read.value.empty());
  EXPECT_EQ(read.checkpoint_sha256, "aa");
  EXPECT_EQ(read.training_seconds, 1.5);
  EXPECT_EQ(read.steps, 7U);
  EXPECT_EQ(read.samples, 70U);
}

TEST_F(JudgmentTest, SaysWhichContentItIsFrom) {
  write_judgments(path_, three_cases());
  const std::string first_line = read_file(path_).substr(0, 512);
  EXPECT_THAT(first_line, HasSubstr(" " + read_judgments(path_).sha256 + "\n"));
  EXPECT_EQ(read_judgments(path_).sha256, sha256(read_file(path_).substr(512)));
}

TEST_F(JudgmentTest, InPortions) {
  write_judgments(path_, three_cases());
  JudgmentStream stream(path_);
  EXPECT_EQ(stream.rows(), 3U);
  EXPECT_THAT(stream.head().classes, ElementsAre("none", "F"));
  EXPECT_EQ(stream.head().size(), 0U);
  EXPECT_EQ(stream.up_to(2, 10).size(), 0U);
  const Judgments two = stream.up_to(98, 1);
  EXPECT_THAT(two.case_id, ElementsAre(3U, 5U));
  EXPECT_THAT(two.label, ElementsAre(1, no_label));
  EXPECT_THAT(two.probability, ElementsAre(0.25F, 0.75F, 0.5F, 0.5F));
  EXPECT_EQ(two.engine, "hypo");
  const Judgments last = stream.up_to(99, 1);
  EXPECT_THAT(last.case_id, ElementsAre(99U));
  EXPECT_THAT(last.status, ElementsAre(JudgmentStatus::invalid));
  EXPECT_EQ(stream.up_to(1000, 5).size(), 0U);
}

TEST_F(JudgmentTest, RowsOutOfOrderAreFoundInPortionsToo) {
  h5::Writer file(path_, "hiple judgments", 2);
  for (const char* name : {"engine", "domain", "checkpoint_sha256", "data_sha256", "config_sha256"})
    file.attribute("/", name, "");
  file.attribute("/", "level", std::int32_t{0});
  file.attribute("/", "training_seconds", 0.0);
  file.attribute("/", "steps", std::uint64_t{0});
  file.attribute("/", "samples", std::uint64_t{0});
  file.write("classes", std::vector<std::string>{"a"});
  file.write("case_id", std::vector<std::uint64_t>{5, 9, 7});
  file.write("label", std::vector<std::uint16_t>(3, 0));
  file.write("confidence", std::vector<float>(3, 1));
  file.write("typicality", std::vector<float>(3, 1));
  file.write("status", std::vector<std::uint8_t>(3, 0));
  file.finish();
  EXPECT_THAT(read_refusal(), HasSubstr("case 7: the ids are not ascending"));
  JudgmentStream stream(path_);
  EXPECT_EQ(stream.up_to(5, 1).size(), 1U);
  EXPECT_EQ(stream.up_to(8, 1).size(), 0U);
  EXPECT_THROW(stream.up_to(9, 1), InputError);
}

TEST_F(JudgmentTest, NoCasesNoProbabilities) {
  Judgments none;
  none.engine = "e";
  none.classes = {"a", "b"};
  write_judgments(path_, none);
  EXPECT_EQ(read_judgments(path_).size(), 0U);
  EXPECT_THAT(read_judgments(path_).classes, ElementsAre("a", "b"));
  Judgments some = three_cases();
  some.probability.clear();
  write_judgments(path_, some);
  EXPECT_TRUE(read_judgments(path_).probability.empty());
}

TEST_F(JudgmentTest, Regression) {
  Judgments judgments = three_cases();
  judgments.classes.clear();
  judgments.probability.clear();
  judgments.label = {no_label, no_label, no_label};
  judgments.confidence = {nan, nan, nan};
  judgments.value = {-2.5F, nan, nan};
  write_judgments(path_, judgments);
  EXPECT_EQ(read_judgments(path_).value[0], -2.5F);
  judgments.value[0] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(write_judgments(path_, judgments), Error);
}

TEST_F(JudgmentTest, UnsoundJudgmentsAreNotWritten) {
  EXPECT_THAT(write_refusal([](auto& j) { j.label[0] = 2; }), HasSubstr("case 3: label 2 is no class"));
  EXPECT_THAT(write_refusal([](auto& j) { j.label[1] = 0; }), HasSubstr("case 5: a label although there is none"));
  EXPECT_THAT(write_refusal([](auto& j) { j.confidence[0] = nan; }), HasSubstr("a confidence outside 0 to 1"));
  EXPECT_THAT(write_refusal([](auto& j) { j.confidence[0] = 1.01F; }), HasSubstr("a confidence outside 0 to 1"));
  EXPECT_THAT(write_refusal([](auto& j) { j.probability[0] = -0.1F; }), HasSubstr("a probability outside 0 to 1"));
  EXPECT_THAT(write_refusal([](auto& j) { j.typicality[1] = nan; }), HasSubstr("case 5: a typicality outside 0 to 1"));
  EXPECT_THAT(write_refusal([](auto& j) { j.case_id[2] = 5; }), HasSubstr("case 5: the ids are not ascending"));
  EXPECT_THAT(write_refusal([](auto& j) { j.status[2] = static_cast<JudgmentStatus>(4); }), HasSubstr("status 4 is none"));
  EXPECT_THAT(write_refusal([](auto& j) { j.label.pop_back(); }), HasSubstr("label has 2 values, but 3 are needed"));
  EXPECT_THAT(write_refusal([](auto& j) { j.probability.pop_back(); }), HasSubstr("probability has 5 values, but 6 are needed"));
  EXPECT_THAT(write_refusal([](auto& j) { j.classes[1] = "none"; }), HasSubstr("a class stands twice"));
  EXPECT_THAT(write_refusal([](auto& j) { j.value = {1, 2, 3}; }), HasSubstr("value has 3 values, but 0 are needed"));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(JudgmentTest, UnsoundFilesAreRefused) {
  EXPECT_THAT(read_refusal(), HasSubstr("no such file"));
  write_judgments(path_, three_cases());
  const std::string whole = read_file(path_);
  write_file(path_, whole.substr(0, whole.size() - 100));
  EXPECT_THAT(read_refusal(), HasSubstr("hypo.h5"));
  h5::Writer(path_, "hiple judgments", 2).finish();
  EXPECT_THAT(read_refusal(), HasSubstr("/@engine: is missing"));
}

TEST_F(JudgmentTest, IndexRoundTrip) {
  fs::create_directory(folder_.path() / "judgments");
  write_judgments(folder_.path() / "judgments" / "hypo.h5", three_cases());
  const fs::path index = folder_.path() / "judgments.h5";
  write_judgment_index(index, {{"hypo", "judgments/hypo.h5", "ab", {"none", "F"}, "complete"}, {"bad", "", "", {}, "failed"}});
  const auto entries = read_judgment_index(index);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].engine, "bad");
  EXPECT_EQ(entries[0].status, "failed");
  EXPECT_EQ(entries[0].file, "");
  EXPECT_EQ(entries[1].engine, "hypo");
  EXPECT_EQ(entries[1].file, "judgments/hypo.h5");
  EXPECT_EQ(entries[1].sha256, "ab");
  EXPECT_THAT(entries[1].classes, ElementsAre("none", "F"));
  write_judgment_index(index, {});
  EXPECT_TRUE(read_judgment_index(index).empty());
}

TEST_F(JudgmentTest, IndexPointsBelowItselfOnly) {
  const fs::path index = folder_.path() / "judgments.h5";
  EXPECT_THROW(write_judgment_index(index, {{"e", "../x.h5", "", {}, "complete"}}), Error);
  EXPECT_THROW(write_judgment_index(index, {{"e", "/etc/x.h5", "", {}, "complete"}}), Error);
  EXPECT_THROW(write_judgment_index(index, {{"e", "x.h5", "", {}, "failed"}}), Error);
  EXPECT_THROW(write_judgment_index(index, {{"e", "x.h5", "", {}, "done"}}), Error);
}

TEST(AddJudgments, FillsOnlyWhatWasNotAsked) {
  Judgments held = three_cases();
  held.status[1] = JudgmentStatus::not_asked;
  Judgments more = three_cases();
  more.status = {JudgmentStatus::not_asked, JudgmentStatus::judged, JudgmentStatus::judged};
  more.label = {no_label, 1, 1};
  more.confidence = {nan, 0.625F, 0.5F};
  more.probability = {nan, nan, 0.375F, 0.625F, 0.5F, 0.5F};
  more.typicality = {nan, 0.25F, 1};
  add_judgments(held, more);
  EXPECT_THAT(held.status, ElementsAre(JudgmentStatus::judged, JudgmentStatus::judged, JudgmentStatus::invalid));
  EXPECT_THAT(held.label, ElementsAre(1, 1, no_label));
  EXPECT_EQ(held.confidence[0], 0.75F);
  EXPECT_EQ(held.confidence[1], 0.625F);
  EXPECT_EQ(held.probability[3], 0.625F);
  EXPECT_EQ(held.typicality[1], 0.25F);
  EXPECT_TRUE(std::isnan(held.confidence[2]));
}

TEST(AddJudgments, OfOtherCasesAreRefused) {
  Judgments held = three_cases(), more = three_cases();
  more.case_id[2] = 100;
  EXPECT_THROW(add_judgments(held, more), Error);
  more = three_cases();
  more.classes = {"none", "G"};
  EXPECT_THROW(add_judgments(held, more), Error);
}

}  // namespace
}  // namespace hiple
