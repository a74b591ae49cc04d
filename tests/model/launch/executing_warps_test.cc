// The warps of a block that execute a segment.
#include <gtest/gtest.h>

#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

ProgramItem segment(std::size_t s) {
  ProgramItem item;
  item.segment = s;
  return item;
}

// Three blocks of four warps. Kind 0 executes segment 0, kind 1 both.
Launch three_blocks() {
  Launch launch;
  launch.grid = 3;
  launch.block = 128;
  launch.segments.resize(3);
  launch.warp_kinds = {{9, {segment(0)}}, {3, {segment(0), segment(1)}}};
  return launch;
}

TEST(ExecutingWarps, AreThoseOfTheBlocksInWhichSomeWarpExecutesIt) {
  Launch launch = three_blocks();
  launch.block_kinds = {{1, {{0, 4}}}, {1, {{1, 2}, {0, 2}}}, {1, {{0, 3}, {1, 1}}}};
  EXPECT_EQ(executing_warps(launch), (std::vector<double>{4, 1.5, 1}));
}

// The last block has one warp of kind 0 and three of kind 1.
TEST(ExecutingWarps, WithoutKindsOfBlocksWarpsAreInOrder) {
  EXPECT_EQ(executing_warps(three_blocks()), (std::vector<double>{4, 3, 1}));
  Launch launch = three_blocks();
  launch.warp_kinds = {{2, {segment(1)}}, {1, {segment(0), segment(1)}}, {9, {segment(0)}}};
  EXPECT_EQ(executing_warps(launch), (std::vector<double>{10.0 / 3, 3, 1}));
}

}  // namespace
}  // namespace pnsim
