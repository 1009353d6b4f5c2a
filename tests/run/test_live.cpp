#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "base/file.hpp"
#include "run/live.hpp"
#include "run/lock.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct LiveTest : testing::Test {
  LiveTest() {
    for (const char* name : {"alpha", "beta", "gamma", "delta"}) config.engines.emplace_back().name = name;
  }
  void write(const std::filesystem::path& path, const std::string& content) {
    make_folder(path.parent_path());
    write_file(path, content);
  }
  TemporaryFolder folder;
  RunDirectory directory{folder.path()};
  RunConfig config;
};

TEST_F(LiveTest, WhatTheFilesSay) {
  write(directory.engine_lock("alpha"), lock_record());
  write(directory.attempts("alpha"), R"({"attempt":1,"begun":"t","host":"h","process":1,"rank":3})");
  write(directory.progress("alpha"),
        R"({"epoch":2,"epochs":10,"samples":200,"seconds":1,"training_loss":0.5,"early_stop_loss":0.4,"device":"cpu"})"
        "\n"
        R"({"epoch":4,"epochs":10,"samples":400,"seconds":1.5,"training_loss":0.3,"early_stop_loss":0.25,"device":"cpu"})"
        "\n"
        R"({"epoch":6,"epo)");
  write(directory.judgments("beta"), "");
  write(directory.engine_lock("delta"), lock_record());  // whose turn has not come
  write(directory.failure("gamma"), R"({"reason":"its loss is not finite"})");

  const auto states = read_engine_states(directory, config);
  ASSERT_EQ(states.size(), 4U);
  const EngineState& alpha = states[0];
  EXPECT_EQ(alpha.state, "training");
  EXPECT_EQ(alpha.rank, 3);
  EXPECT_EQ(alpha.device, "cpu");
  EXPECT_EQ(alpha.epoch, 4);
  EXPECT_EQ(alpha.epochs, 10);
  EXPECT_EQ(alpha.loss, 0.25);
  EXPECT_EQ(alpha.rate, 400);       // 200 samples in half a second
  EXPECT_EQ(alpha.most_left, 1.5);  // six epochs of a quarter of a second
  EXPECT_GE(alpha.silence, 0);
  EXPECT_EQ(live_line(alpha), "alpha: training, epoch 4 of 10, loss 0.25, 400 samples/s, at most 2 s left");
  EXPECT_EQ(states[1].state, "done");
  EXPECT_EQ(live_line(states[2]), "gamma: FAILED: its loss is not finite");
  EXPECT_EQ(live_line(states[3]), "delta: waiting");
  EXPECT_EQ(states[3].rank, -1);
  EXPECT_TRUE(std::isnan(states[3].rate));
}

TEST_F(LiveTest, OneWhoseProcessIsGoneWasInterrupted) {
  std::string gone = lock_record();
  const auto at = gone.find("\"start\":");
  gone.insert(at + 8, "9");  // another process than this one, under the same number
  write(directory.engine_lock("alpha"), gone);
  write(directory.attempts("alpha"), R"({"attempt":1,"begun":"t","host":"h","process":1,"rank":0})");
  EXPECT_EQ(read_engine_states(directory, config)[0].state, "interrupted");
}

std::vector<EngineState> many(std::size_t count) {
  std::vector<EngineState> states(count);
  for (std::size_t i = 0; i < count; ++i) {
    states[i].name = "engine_with_a_long_name_" + std::to_string(i);
    states[i].state = i % 3 == 0 ? "done" : "training";
    states[i].rank = static_cast<int>(i);
    states[i].device = "cpu";
    states[i].epoch = 12;
    states[i].epochs = 100;
    states[i].loss = 0.123456;
    states[i].rate = 123456;
    states[i].most_left = 7200;
    states[i].silence = 3;
  }
  return states;
}

TEST(LiveTable, ItFitsTheTerminal) {
  const auto states = many(1000);
  for (const std::size_t columns : {20UL, 40UL, 60UL, 80UL, 200UL})
    for (const std::size_t lines : {3UL, 24UL, 2000UL}) {
      std::istringstream table(live_table(states, columns, lines));
      std::size_t count = 0;
      for (std::string line; std::getline(table, line); ++count) EXPECT_LE(line.size(), columns) << line;
      EXPECT_EQ(count, std::min<std::size_t>(lines, 1001));
    }
}

TEST(LiveTable, ThoseAtWorkStandFirstAndTheRestIsCounted) {
  const std::string table = live_table(many(12), 200, 7);
  EXPECT_THAT(table, HasSubstr("engine_with_a_long_name_1 "));
  EXPECT_THAT(table, Not(HasSubstr("engine_with_a_long_name_0 ")));
  EXPECT_THAT(table, HasSubstr("and 4 done, 3 training\n"));
  EXPECT_THAT(table, HasSubstr("123 k"));
  EXPECT_THAT(table, HasSubstr("2.0 h"));
  EXPECT_THAT(table, HasSubstr("0.1235"));
}

TEST(LiveTable, WhatIsNotKnownIsEmpty) {
  EngineState state;
  state.name = "a";
  state.state = "waiting";
  EXPECT_EQ(live_table({state}, 80, 24), "engine  state\na       waiting\n");
}

}  // namespace
}  // namespace hiple
