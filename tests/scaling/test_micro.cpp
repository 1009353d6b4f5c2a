#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.hpp"
#include "scaling/micro/file_write.hpp"
#include "scaling/micro/memory.hpp"
#include "scaling/micro/multiply_add.hpp"
#include "scaling/micro/product.hpp"
#include "scaling/record/metadata.hpp"
#include "temporary_folder.hpp"

namespace hiple::scaling {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::SizeIs;

constexpr Effort quick{.repetitions = 5, .seconds = 1e-4};

TEST(Median, IsTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_THROW(median({}), Error);
}

TEST(TimeCalls, CallsAsOftenAsWasAgreed) {
  int calls = 0;
  const auto seconds = time_calls(
      quick, [&] { ++calls; }, [](std::int64_t) { return 3; });
  EXPECT_THAT(seconds, SizeIs(5));
  EXPECT_EQ(calls, 2 + 5 * 3) << "one that does not count, one to see how long it takes, and five times three";
}

TEST(SeriesJson, HoldsEveryRepetitionAndTheRateOfTheMedian) {
  const Series series{"copy", "words", "bytes", "byte/s", {{.size = 8, .work = 16, .seconds = {4, 1, 2}}}};
  const auto json = to_json(series);
  EXPECT_EQ(json["name"], "copy");
  EXPECT_EQ(json["points"][0]["size"], 8);
  EXPECT_EQ(json["points"][0]["seconds"], (std::vector<double>{4, 1, 2}));
  EXPECT_EQ(json["points"][0]["median_seconds"], 2);
  EXPECT_EQ(json["points"][0]["rate"], 8);
}

TEST(MemorySeries, CountsWhatTheLoopsName) {
  const auto series = memory_series({1000}, quick);
  ASSERT_THAT(series, SizeIs(3));
  EXPECT_EQ(series[0].points[0].work, 12'000);
  EXPECT_EQ(series[1].points[0].work, 28'000);
  EXPECT_EQ(series[2].points[0].work, 28'000);
  for (const Series& one : series) EXPECT_THAT(one.points[0].seconds, Each(Gt(0)));
}

TEST(ProductSeries, CountsAMultiplicationAndAnAddition) {
  const auto series = product_series({16, 32}, quick);
  ASSERT_THAT(series.points, SizeIs(2));
  EXPECT_EQ(series.points[1].work, 2.0 * 32 * 32 * 32);
}

// A loop that was not vectorised is slower by the width of a vector; half the rate leaves room for a machine that others load.
TEST(MultiplyAddSeries, IsOfTheOrderOfTheProductsItBounds) {
  const auto best = [](const Series& series) {
    double rate = 0;
    for (const Point& point : series.points)
      rate = std::max(rate, point.work / *std::min_element(point.seconds.begin(), point.seconds.end()));
    return rate;
  };
  const Series peak = multiply_add_series({.repetitions = 9, .seconds = 1e-3});
  EXPECT_GT(best(peak), best(product_series({64, 128}, {.repetitions = 9, .seconds = 1e-3})) / 2);
}

TEST(FileWriteSeries, LeavesNothingBehind) {
  const TemporaryFolder folder;
  const auto series = file_write_series(folder.path(), {4096}, quick);
  EXPECT_THAT(series.points[0].seconds, SizeIs(5));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FileWriteSeries, ReportsAFolderThatIsNotThere) { EXPECT_THROW(file_write_series("/nowhere/at/all", {4096}, quick), Error); }

TEST(Metadata, SaysWhereARecordCameFrom) {
  const auto record = metadata();
  for (const char* key :
       {"revision", "compiler", "flags", "host", "processor", "kernel", "mpi", "onednn", "instructions", "started"})
    EXPECT_FALSE(record.at(key).get<std::string>().empty()) << key;
}

}  // namespace
}  // namespace hiple::scaling
