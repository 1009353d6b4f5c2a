#include <gmock/gmock.h>

#include "base/error.hpp"
#include "run/wall_limit.hpp"

namespace hiple {
namespace {

Environment slurm(const std::string& end) {
  return [end](const std::string& name) -> std::optional<std::string> {
    return !end.empty() && name == "SLURM_JOB_END_TIME" ? std::optional(end) : std::nullopt;
  };
}

RunConfig limited(double seconds) {
  RunConfig config;
  config.time_limit = seconds;
  return config;
}

TEST(WallLimit, NoneWithoutOne) {
  const WallLimit limit(limited(0), slurm(""), 1000);
  EXPECT_FALSE(limit.stop());
  EXPECT_FALSE(limit.near(1e12));
}

TEST(WallLimit, ATenthIsKeptBackButNotOverAMinute) {
  EXPECT_EQ(WallLimit(limited(100), slurm(""), 1000).stop(), 1090);
  EXPECT_EQ(WallLimit(limited(86400), slurm(""), 1000).stop(), 1000 + 86400 - 60);
  EXPECT_FALSE(WallLimit(limited(100), slurm(""), 1000).near(1089));
  EXPECT_TRUE(WallLimit(limited(100), slurm(""), 1000).near(1090));
}

TEST(WallLimit, TheEarlierOneOfBoth) {
  EXPECT_EQ(WallLimit(limited(100), slurm("1050"), 1000).stop(), 1045);
  EXPECT_EQ(WallLimit(limited(100), slurm("5000"), 1000).stop(), 1090);
  EXPECT_EQ(WallLimit(limited(0), slurm("5000"), 1000).stop(), 4940);
  EXPECT_TRUE(WallLimit(limited(0), slurm("900"), 1000).near(1000));
}

TEST(WallLimit, NoTimeIsRefused) { EXPECT_THROW(WallLimit(limited(0), slurm("soon"), 1000), InputError); }

}  // namespace
}  // namespace hiple
