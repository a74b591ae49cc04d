// Work that depends on the block or the grid, recognised by its sums over the launch.
#include "simulator/model/launch/block_work.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {
namespace {

Segment loading(std::int64_t loads) {
  Segment segment;
  segment.classes = {{"global_load", loads}};
  SegmentAccess access;
  access.access_class = "global_load";
  access.count = loads;
  access.sectors = 4 * static_cast<double>(loads);
  access.addresses = Addresses::kComputed;
  segment.accesses = {access};
  return segment;
}

ProgramItem straight(std::size_t segment) { return {1, {}, {}, segment}; }
ProgramItem loop(std::int64_t repeat, std::size_t segment) {
  return {repeat, {}, {straight(segment)}, std::nullopt};
}

// Segment 0, then a loop of segment 1 with `loads` loads an iteration, then segment 2.
Launch looped(std::int64_t grid, std::int64_t block, std::int64_t loads) {
  Launch launch;
  launch.kernel = "looped";
  launch.grid = grid;
  launch.block = block;
  launch.segments = {Segment{}, loading(loads), Segment{}};
  launch.counters = {{"l1_load_sectors", 1000}, {"l1_load_hit_sectors", 900}};
  return launch;
}

std::vector<ProgramItem> with_loop(std::int64_t repeat) {
  return {straight(0), loop(repeat, 1), straight(2)};
}

// Warps of a block of 128 threads: 8, 16, 24 and 32 iterations of 4 loads, 20 in the mean.
TEST(BlockWork, ALoopUpToTheThreadGrowsWithTheBlock) {
  Launch launch = looped(10, 128, 4);
  launch.warp_kinds = {{40, with_loop(20)}};
  EXPECT_TRUE(scale_block_work(5, 256, launch).by_thread);
  EXPECT_EQ(launch.warp_kinds[0].program[1].repeat, 36) << "(8 + 16 + ... + 64) / 8";
  EXPECT_EQ(launch.counters["l1_load_sectors"], 1800);
  EXPECT_EQ(launch.counters["l1_load_hit_sectors"], 1700) << "the same data miss";
}

// Blocks B = 0 ... 19 execute floor(B / 4) iterations: 40 of each warp of a block, in 16 blocks.
TEST(BlockWork, ALoopUpToTheBlockGrowsWithTheGrid) {
  Launch launch = looped(20, 64, 4);
  launch.warp_kinds = {{16, with_loop(3)}, {16, with_loop(2)}, {8, {straight(0), straight(2)}}};
  EXPECT_TRUE(scale_block_work(40, 32, launch).by_block);
  double iterations = executions_of(launch)[1] / 40;
  EXPECT_NEAR(iterations, 4.5, 0.2) << "the mean of floor(B / 4) over 40 blocks";
  EXPECT_NEAR(static_cast<double>(launch.counters["l1_load_hit_sectors"]) /
                  static_cast<double>(launch.counters["l1_load_sectors"]),
              0.9, 0.001)
      << "the same share hits";
}

// Two blocks of ten execute a single iteration, which is straight code of two of the kinds.
TEST(BlockWork, ASingleIterationIsALoopToo) {
  Launch launch = looped(10, 32, 8);
  launch.warp_kinds = {{2, {straight(0), straight(1), straight(2)}},
                       {8, {straight(0), straight(2)}}};
  EXPECT_TRUE(scale_block_work(80, 32, launch).by_block);
  EXPECT_NEAR(executions_of(launch)[1] / 10, 4.5, 0.5) << "warps of a kind have whole iterations";
}

TEST(BlockWork, OtherLoopsStay) {
  Launch launch = looped(10, 128, 4);
  launch.warp_kinds = {{40, with_loop(21)}};
  const BlockWork work = scale_block_work(5, 256, launch);
  EXPECT_FALSE(work.by_thread || work.by_block);
  EXPECT_EQ(launch.warp_kinds[0].program[1].repeat, 21);
  EXPECT_EQ(launch.counters["l1_load_sectors"], 1000);
}

// One block of 64 threads loads a word for each of 512 blocks: 8 iterations of two warps.
TEST(BlockWork, AFinalLaunchFollowsTheGrid) {
  Launch launch = looped(1, 64, 1);
  launch.warp_kinds = {{2, with_loop(8)}};
  Launch more = launch, fewer = launch, other = launch;
  EXPECT_TRUE(follow_grid(512, 1024, more));
  EXPECT_EQ(more.warp_kinds[0].program[1].repeat, 16);
  EXPECT_TRUE(follow_grid(512, 128, fewer));
  EXPECT_EQ(fewer.warp_kinds[0].program[1].repeat, 2);
  EXPECT_FALSE(follow_grid(500, 1024, other));
  EXPECT_EQ(other.warp_kinds[0].program[1].repeat, 8);
  other.grid = 2;
  EXPECT_FALSE(follow_grid(512, 1024, other));
}

// The same loads in straight code, as an unrolled loop leaves them.
TEST(BlockWork, StraightLoadsOfTheBlocksAreRepeatedOrShortened) {
  Launch launch = looped(1, 64, 8);
  launch.warp_kinds = {{2, {straight(0), straight(1), straight(2)}}};
  Launch more = launch, fewer = launch;
  EXPECT_TRUE(follow_grid(512, 1024, more));
  EXPECT_EQ(more.warp_kinds[0].program[1].repeat, 2);
  EXPECT_TRUE(follow_grid(512, 128, fewer));
  EXPECT_EQ(fewer.segments[1].accesses[0].count, 2);
  EXPECT_EQ(fewer.segments[1].accesses[0].sectors, 8);
  EXPECT_EQ(fewer.warp_kinds[0].program[1].counts.global, 2);
}

// No other shipped program has a loop whose sum is one of these by chance. Attention with a mask
// has: a block goes over the keys before its own queries.
TEST(BlockWork, OnlyTheReportsSortsAndMaskedAttentionHaveSuchLoops) {
  for (const std::string& name : shipped_names("models")) {
    const KernelModel model = load_kernel_model(find_data_file(name, {"models"}));
    for (const RecordedPoint& point : model.points) {
      for (Launch launch : point.launches) {
        if (launch.segments.empty()) continue;
        const BlockWork work = scale_block_work(launch.grid, launch.block, launch);
        if (!work.by_block && !work.by_thread) continue;
        EXPECT_TRUE(name.starts_with("radix_report") || name == "attention")
            << name << " " << problem_text(point.problem);
      }
    }
  }
}

}  // namespace
}  // namespace pnsim
