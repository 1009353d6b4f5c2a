#include <gmock/gmock.h>

#include <cmath>

#include "base/error.hpp"
#include "base/file.hpp"
#include "run/engine_record.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

struct EngineRecordTest : testing::Test {
  std::filesystem::path file(const std::string& content) {
    const auto path = folder.path() / "record";
    write_file(path, content);
    return path;
  }
  TemporaryFolder folder;
};

TEST_F(EngineRecordTest, AFailureSaysItsReason) {
  EXPECT_FALSE(read_failure(folder.path() / "FAILED"));
  write_failure(folder.path() / "e" / "FAILED", "a byte \xff that is no UTF-8");
  EXPECT_THAT(*read_failure(folder.path() / "e" / "FAILED"), testing::StartsWith("a byte "));
}

TEST_F(EngineRecordTest, AFailureThatCannotBeUnderstoodIsOne) {
  for (const char* text : {"", "garbage", "7", "{}", R"({"reason": 7})"})
    EXPECT_THAT(*read_failure(file(text)), testing::HasSubstr("a record that cannot be read")) << text;
}

TEST_F(EngineRecordTest, AFailureSaysWhatWasSaidLast) {
  write_failure(folder.path() / "FAILED", "killed", {"epoch 3", "a byte \xff"});
  const auto lines = read_last_lines(folder.path() / "FAILED");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "epoch 3");
  EXPECT_THAT(read_last_lines(folder.path() / "absent"), testing::IsEmpty());
  EXPECT_THAT(read_last_lines(file("garbage")), testing::IsEmpty());
}

TEST_F(EngineRecordTest, ACurveHoldsWhatWasDoneAgainOnce) {
  const auto line = [](int epoch, const char* loss) {
    return R"({"epoch": )" + std::to_string(epoch) + R"(, "training_loss": )" + loss + R"(, "early_stop_loss": null})" + "\n";
  };
  // Epoch 5 was lost with its process, which went on from a checkpoint of epoch 3.
  const auto curve = read_progress(
      file(line(1, "0.9") + line(3, "0.5") + line(5, "0.4") + line(4, "0.45") + line(6, "null") + R"({"epoch": 7)"));
  ASSERT_EQ(curve.size(), 4U);
  EXPECT_EQ(curve[1].epoch, 3);
  EXPECT_EQ(curve[2].epoch, 4);
  EXPECT_EQ(curve[2].training_loss, 0.45);
  EXPECT_EQ(curve[3].epoch, 6);
  EXPECT_TRUE(std::isnan(curve[3].training_loss));
  EXPECT_TRUE(std::isnan(curve[0].early_stop_loss));
  EXPECT_THAT(read_progress(folder.path() / "absent"), testing::IsEmpty());
}

TEST_F(EngineRecordTest, ProgressIsTheLastLineThatIsWhole) {
  const std::string first = R"({"epoch": 1, "epochs": 9, "seconds": 0.2})",
                    second = R"({"epoch": 2, "epochs": 9, "seconds": 31})";
  EXPECT_EQ(last_progress(folder.path() / "absent"), "begun");
  EXPECT_EQ(last_progress(file(first + "\n" + second + "\n")), "epoch 2 of 9, 31 s");
  EXPECT_EQ(last_progress(file(first + "\n" + second.substr(0, 12))), "epoch 1 of 9, 0 s");
  EXPECT_EQ(last_progress(file(first + "\n" + R"({"epoch": "two", "epochs": 9, "seconds": 31})")), "epoch 1 of 9, 0 s");
}

TEST_F(EngineRecordTest, AResultIsReadBack) {
  const EngineResult result =
      read_result(file(R"({"parameters": 42, "training": {"epochs": 3, "steps": 60, "seconds": 1.5}, "held_out":
      {"rows": 10, "abstained": 2, "accuracy": 0.75, "balanced_accuracy": 0.5, "calibration_error": 0.25, "rmse": null}, "isolation":
      {"kind": "process", "attempt": 2, "mapped": ["libmpi.so"], "internet": "opened"}})"));
  EXPECT_EQ(result.parameters, 42U);
  EXPECT_EQ(result.test_rows, 10U);
  EXPECT_EQ(result.abstained, 2U);
  EXPECT_EQ(result.accuracy, 0.75);
  EXPECT_EQ(result.balanced_accuracy, 0.5);
  EXPECT_EQ(result.calibration_error, 0.25);
  EXPECT_TRUE(std::isnan(result.rmse));
  EXPECT_EQ(result.epochs, 3);
  EXPECT_EQ(result.seconds, 1.5);
  EXPECT_EQ(result.steps, 60U);
  EXPECT_EQ(result.isolation.kind, "process");
  EXPECT_EQ(result.isolation.attempt, 2U);
  EXPECT_EQ(result.isolation.mapped, std::vector<std::string>{"libmpi.so"});
  EXPECT_EQ(result.isolation.internet, "opened");
}

TEST_F(EngineRecordTest, AResultThatLacksAFigureIsRefused) {
  for (const char* text :
       {"", "garbage", "{}", R"({"parameters": 42, "training": {"epochs": 3, "seconds": 1}, "held_out": {"rows": "ten"}})"})
    EXPECT_THROW(read_result(file(text)), InputError) << text;
}

}  // namespace
}  // namespace hiple
