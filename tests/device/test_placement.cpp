#include <gmock/gmock.h>

#include <map>

#include "base/error.hpp"
#include "device/placement.hpp"

namespace hiple {
namespace {

using testing::HasSubstr;

Placement place_with(int visible, const Seat& seat, const std::map<std::string, std::string>& variables = {}) {
  return place(visible, seat, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Placement, AProcessAloneTakesTheFirstDevice) {
  for (const int visible : {1, 8}) {
    const Placement placement = place_with(visible, {});
    EXPECT_EQ(placement.device, 0);
    EXPECT_EQ(placement.sharing, 1);
    EXPECT_EQ(placement.notice, "");
  }
}

TEST(Placement, EachOfEightRanksTakesItsOwnOfEightDevices) {
  for (int rank = 0; rank < 8; ++rank) {
    const Placement placement = place_with(8, {rank, 8});
    EXPECT_EQ(placement.device, rank);
    EXPECT_EQ(placement.sharing, 1);
    EXPECT_EQ(placement.notice, "");
  }
}

TEST(Placement, RanksOfOneDeviceShareItAndAreTold) {
  for (int rank = 0; rank < 8; ++rank) {
    const Placement placement = place_with(1, {rank, 8});
    EXPECT_EQ(placement.device, 0);
    EXPECT_EQ(placement.sharing, 8);
    EXPECT_EQ(placement.notice, "8 ranks of this host train on 1 device, up to 8 on one: they share its memory and its time");
  }
}

TEST(Placement, MoreRanksThanDevicesTakeThemInTurn) {
  std::map<int, int> ranks_of_device;
  for (int rank = 0; rank < 10; ++rank) {
    const Placement placement = place_with(4, {rank, 10});
    ++ranks_of_device[placement.device];
    EXPECT_EQ(placement.sharing, 3);
    EXPECT_THAT(placement.notice, HasSubstr("10 ranks of this host train on 4 devices, up to 3 on one"));
  }
  EXPECT_EQ(ranks_of_device, (std::map<int, int>{{0, 3}, {1, 3}, {2, 2}, {3, 2}}));
}

TEST(Placement, SlurmsOwnDeviceOfEachTaskIsNumberZeroForAll) {
  const std::vector<std::map<std::string, std::string>> given = {{{"SLURM_GPUS_PER_TASK", "1"}, {"CUDA_VISIBLE_DEVICES", "0"}},
                                                                 {{"SLURM_TRES_PER_TASK", "cpu=2,gres/gpu:1"}}};
  for (const auto& variables : given) {
    const Placement placement = place_with(1, {5, 8}, variables);
    EXPECT_EQ(placement.device, 0);
    EXPECT_EQ(placement.sharing, 1);
    EXPECT_EQ(placement.notice, "");
  }
  EXPECT_EQ(place_with(1, {5, 8}, {{"SLURM_TRES_PER_TASK", "cpu=2"}}).sharing, 8);
}

TEST(Placement, AnotherScriptsChoiceIsKnownByItsNumberOfDevices) {
  EXPECT_EQ(place_with(1, {3, 8}, {{"HIPLE_DEVICES_OF_HOST", "8"}}).sharing, 1);
  const Placement shared = place_with(1, {3, 8}, {{"HIPLE_DEVICES_OF_HOST", "4"}});
  EXPECT_EQ(shared.device, 0);
  EXPECT_EQ(shared.sharing, 2);
  EXPECT_THAT(shared.notice, HasSubstr("8 ranks of this host train on 4 devices, up to 2 on one"));
  for (const char* wrong : {"0", "-1", "many", ""})
    EXPECT_THROW(place_with(1, {3, 8}, {{"HIPLE_DEVICES_OF_HOST", wrong}}), InputError) << wrong;
}

TEST(Placement, WithoutADeviceTheProcessorTrainsAndTheReasonIsShown) {
  const Placement placement = place_with(0, {2, 4});
  EXPECT_EQ(placement.device, processor);
  EXPECT_EQ(placement.notice, "no CUDA device is visible: engines train on the processor");
  EXPECT_THAT(place_with(0, {}, {{"CUDA_VISIBLE_DEVICES", "-1"}}).notice, HasSubstr("(CUDA_VISIBLE_DEVICES=-1)"));
  EXPECT_THAT(place_with(0, {}, {{"CUDA_VISIBLE_DEVICES", ""}}).notice, HasSubstr("(CUDA_VISIBLE_DEVICES=)"));
}

}  // namespace
}  // namespace hiple
