#include <gtest/gtest.h>

#include "mpi/ledger/timeline.hpp"

namespace hiple::mpi {
namespace {

Event call(double start, double end, std::uint32_t name, std::uint64_t bytes = 0) {
  return {start, end, EventKind::call, name, 0, bytes, 1};
}

TEST(EventBuffer, CountsWhatDidNotFit) {
  EventBuffer buffer(2);
  const auto room = buffer.events().capacity();
  for (int i = 0; i < 5; ++i) buffer.add(call(i, i + 0.5, 1));
  EXPECT_EQ(buffer.events().size(), 2U);
  EXPECT_EQ(buffer.events()[1].start, 1.0);
  EXPECT_EQ(buffer.dropped(), 3U);
  EXPECT_EQ(buffer.events().capacity(), room);
}

TEST(EventBuffer, WithoutRoomKeepsNothing) {
  EventBuffer buffer(0);
  buffer.add_or_extend(call(0, 1, 1));
  EXPECT_TRUE(buffer.events().empty());
  EXPECT_EQ(buffer.dropped(), 1U);
}

TEST(EventBuffer, PollsInARowAreOne) {
  EventBuffer buffer(10);
  buffer.add(call(0, 1, 7));
  for (int i = 1; i <= 3; ++i) buffer.add_or_extend(call(i, i + 0.25, 8, 4));
  ASSERT_EQ(buffer.events().size(), 2U);
  EXPECT_EQ(buffer.events()[1], (Event{1, 3.25, EventKind::call, 8, 0, 12, 3}));
  buffer.add_or_extend(call(5, 6, 9));
  buffer.add_or_extend(call(7, 8, 8));
  EXPECT_EQ(buffer.events().size(), 4U);
}

TEST(EventBuffer, APollIsNotDrawnAcrossWhatWasDropped) {
  EventBuffer buffer(1);
  buffer.add_or_extend(call(0, 1, 8));
  buffer.add(call(1, 2, 7));
  buffer.add_or_extend(call(2, 3, 8));
  EXPECT_EQ(buffer.events()[0].end, 1.0);
  EXPECT_EQ(buffer.dropped(), 2U);
}

TEST(NameTable, HoldsEachNameOnce) {
  NameTable table;
  EXPECT_EQ(table.index_of("a"), 0U);
  EXPECT_EQ(table.index_of("b"), 1U);
  EXPECT_EQ(table.index_of("a"), 0U);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace hiple::mpi
