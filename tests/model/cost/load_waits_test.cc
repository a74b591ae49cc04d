// How often the loads of a segment wait for a miss.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// If one line in 32 misses, 4.06 of 32 loads of 32 lines each wait for a miss. If one line in 8
// misses, the loads of all 8 warps of a block, one line each, wait for it.
TEST(LoadWaits, AMissWaitsAndSoDoesARequestForTheSameLine) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 256;
  launch.warp_kinds = {{1056, launch.warp_kinds[0].program}};
  launch.block_kinds = {{132, {{0, 8}}}};
  const auto share_of_l2 = [&](double lines, double missed) {
    launch.segments[0] = load_of_lines(lines);
    launch.counters = {{"l1_load_sectors", 1'000'000},
                       {"l1_load_hit_sectors", std::llround(1'000'000 * (1 - missed))}};
    return CostedLaunch(h200(), launch, 132).waits(0).l2;
  };
  EXPECT_NEAR(share_of_l2(32, 1.0 / 32), 4.0585 / 32, 1e-3);
  EXPECT_NEAR(share_of_l2(1, 1.0 / 8), 1, 1e-9);
  EXPECT_NEAR(share_of_l2(1, 1.0 / 16), 0.5, 1e-9);
  EXPECT_EQ(share_of_l2(0x1p50, 0.5), share_of_l2(32, 0.5)) << "a warp has 32 lanes";
}

// Each load of a warp misses with a probability of a quarter. The slowest of eight warps waits more
// often than the mean, the less so the more loads it has.
TEST(LoadWaits, TheSlowestWarpWaitsMoreOften) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 256;
  launch.segments[0] = load_of_lines(1);
  launch.counters = {{"l1_load_sectors", 1'000'000},
                     {"l1_load_hit_sectors", 0},
                     {"l2_read_sectors", 1'000'000},
                     {"l2_miss_sectors", 250'000},
                     {"dram_read_bytes", 8'000'000}};
  launch.start = CacheStart::kInPlace;
  const auto share = [&](std::int64_t loads, const Heuristics& heuristics) {
    launch.warp_kinds = {{1056, {{loads, {}, {item(0)}, {}}}}};
    launch.block_kinds = {{132, {{0, 8}}}};
    return CostedLaunch(h200(), launch, 132, heuristics).waits(0).dram;
  };
  EXPECT_NEAR(share(100, unloaded().without(Heuristic::kSlowestWarp)), 0.25, 1e-9);
  // The largest of eight normal numbers: 1.43 expected, 1.24 by the asymptotic formula.
  EXPECT_NEAR(share(100, unloaded()), 0.25 + 1.24 * std::sqrt(0.25 * 0.75 / 100), 2e-3);
  EXPECT_NEAR(share(1, unloaded()), 0.25 + 1.24 * std::sqrt(0.25 * 0.75), 5e-3);
}

// In a loop whose rows begin within a sector, 5 sectors of 4, 95 % hit L1: earlier iterations
// brought them. The warp and its neighbour wait for a miss; with a barrier in each iteration all
// warps do.
TEST(LoadWaits, RowsOfAWarpsOwnWordsAreNotWaitedForByOthers) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 256;
  launch.segments = {load_of_lines(1), load_of_lines(1)};
  launch.segments[0].accesses[0].sectors = 5;
  launch.segments[1] = {};
  launch.segments[1].classes = {{"barrier", 1}};
  launch.segments[1].end = SegmentEnd::kBarrier;
  launch.counters = {{"l1_load_sectors", 1'000'000}, {"l1_load_hit_sectors", 950'000}};
  const auto share = [&](const std::vector<ProgramItem>& iteration, const Heuristics& heuristics) {
    launch.warp_kinds = {{1056, {{1000, {}, iteration, {}}}}};
    launch.block_kinds = {{132, {{0, 8}}}};
    return CostedLaunch(h200(), launch, 132, heuristics.without(Heuristic::kSlowestWarp))
        .waits(0)
        .l2;
  };
  const Heuristics together = unloaded().without(Heuristic::kOwnRowsWaitAlone);
  EXPECT_NEAR(share({item(0)}, together), 8 * 0.05, 1e-9);
  EXPECT_NEAR(share({item(0)}, unloaded()), 1.25 * 0.05, 1e-9);
  EXPECT_EQ(share({item(0), item(1)}, unloaded()), share({item(0), item(1)}, together));
  // All eight warps load one row: one of them misses, the others wait for it.
  launch.segments[0].accesses[0].sectors = 4;
  launch.counters["l1_load_hit_sectors"] = 875'000;
  EXPECT_NEAR(share({item(0)}, unloaded()), 1, 1e-9);
  launch.counters["l1_load_hit_sectors"] = 950'000;
  launch.segments[0].accesses[0].sectors = 1;  // all lanes, and all warps, load one word
  EXPECT_EQ(share({item(0)}, unloaded()), share({item(0)}, together));
  // Warps walk through a tree: each at its own node.
  launch.segments[0].accesses[0].addresses = Addresses::kLoaded;
  EXPECT_NEAR(share({item(0)}, unloaded()), 0.05, 1e-9);
  EXPECT_EQ(share({item(0), item(1)}, unloaded()), share({item(0), item(1)}, together));
}

// One warp of each block loops, the others wait for it at a barrier: nobody else asks for its
// lines.
TEST(LoadWaits, AWarpThatLoadsAloneWaitsForItsOwnMisses) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 256;
  launch.segments = {load_of_lines(1), {}};
  launch.segments[1].classes = {{"barrier", 1}};
  launch.segments[1].end = SegmentEnd::kBarrier;
  launch.counters = {{"l1_load_sectors", 1'000'000}, {"l1_load_hit_sectors", 500'000}};
  launch.warp_kinds = {{132, {{1000, {}, {item(0)}, {}}, item(1)}}, {924, {item(1)}}};
  launch.block_kinds = {{132, {{0, 1}, {1, 7}}}};
  EXPECT_NEAR(CostedLaunch(h200(), launch, 132).waits(0).l2, 0.5, 1e-9);
  launch.warp_kinds[1].program = launch.warp_kinds[0].program;
  EXPECT_NEAR(CostedLaunch(h200(), launch, 132).waits(0).l2, 1, 1e-9) << "all warps loop";
}

// Lanes eight words apart: in a loop the warp's own next iterations use the rest of its lines.
TEST(LoadWaits, StridedRowsOfALoopWaitForTheirOwnMisses) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 256;
  launch.warp_kinds = {{1056, launch.warp_kinds[0].program}};
  launch.block_kinds = {{132, {{0, 8}}}};
  launch.segments[0] = load_of_lines(8);
  launch.segments[0].accesses[0].sectors = 32;
  launch.counters = {{"l1_load_sectors", 1'000'000}, {"l1_load_hit_sectors", 950'000}};
  const auto share = [&](const Heuristics& heuristics) {
    return CostedLaunch(h200(), launch, 132, heuristics).waits(0).l2;
  };
  EXPECT_NEAR(share(unloaded()), 0.05, 1e-9);
  EXPECT_GT(share(unloaded().without(Heuristic::kStridedRows)), 0.25);
  launch.warp_kinds = {{1056, {item(0)}}};
  launch.block_kinds = {{132, {{0, 8}}}};
  EXPECT_EQ(share(unloaded()), share(unloaded().without(Heuristic::kStridedRows)))
      << "straight code has no next iteration";
}

}  // namespace
}  // namespace pnsim
