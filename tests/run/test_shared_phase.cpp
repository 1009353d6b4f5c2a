#include <gtest/gtest.h>

#include "run/shared_phase.hpp"

namespace hiple {
namespace {

struct SharedPhaseTest : testing::Test {
  std::vector<std::pair<Phase, std::string>> told;
  SharedPhase phase{[this](Phase now, const std::string& engine) { told.emplace_back(now, engine); }, 2};
  PhaseObserver first = phase.of_place(0), second = phase.of_place(1);
};

using Told = std::vector<std::pair<Phase, std::string>>;

TEST_F(SharedPhaseTest, OnePlaceAlonePassesEverythingOn) {
  first(Phase::train, "a");
  first(Phase::judge, "a");
  first(Phase::write, "a");
  first(Phase::train, "b");
  EXPECT_EQ(told, (Told{{Phase::train, "a"}, {Phase::judge, "a"}, {Phase::write, "a"}, {Phase::train, "b"}}));
}

TEST_F(SharedPhaseTest, ItTrainsAsLongAsOneTrains) {
  second(Phase::train, "b");
  first(Phase::train, "a");
  second(Phase::judge, "b");
  second(Phase::write, "b");
  first(Phase::judge, "a");
  EXPECT_EQ(told, (Told{{Phase::train, "b"}, {Phase::train, "a, b"}, {Phase::train, "a"}, {Phase::judge, "a"}}));
}

TEST_F(SharedPhaseTest, WhoHasLeftIsInNoPhase) {
  first(Phase::train, "a");
  second(Phase::judge, "b");
  phase.leave(0);
  phase.leave(1);
  EXPECT_EQ(told, (Told{{Phase::train, "a"}, {Phase::judge, "b"}}));
}

TEST(SharedPhase, NobodyNeedsToListen) {
  SharedPhase phase({}, 1);
  EXPECT_FALSE(phase.of_place(0));
  phase.leave(0);
}

}  // namespace
}  // namespace hiple
