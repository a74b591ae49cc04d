// Loads that are outstanding together: which segments wait for them, and how long.
#include "simulator/model/launch/outstanding_loads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

Segment waiting(LateResult result) {
  Segment segment = arithmetic(4, 4);
  segment.waits_for = {result};
  return segment;
}

// Segments 0 and 1 load, one line and eight; 2 computes; 3 waits for loads, 4 for a shuffle.
Launch launch_of(std::vector<ProgramItem> program) {
  Launch launch = uneven_launch();
  launch.grid = 528;
  launch.segments = {load_of_lines(1), load_of_lines(8), arithmetic(4, 4),
                     waiting(LateResult::kGlobal), waiting(LateResult::kShuffle)};
  launch.warp_kinds = {{1056, std::move(program)}};
  launch.block_kinds.clear();
  return launch;
}

using Segments = std::vector<std::size_t>;

// 40 loops around a load that outlives a wait: the walk does not double with each of them.
TEST(OutstandingLoads, DeepLoopsAreWalkedThroughOnce) {
  std::vector<ProgramItem> body{item(0), item(3)};
  for (int depth = 0; depth < 40; ++depth) body = {loop(2, std::move(body))};
  body.insert(body.begin(), {item(1), item(3)});
  Launch launch = launch_of(std::move(body));
  launch.segments[1].accesses[0].outlives_wait = true;
  const LoadsBefore before = loads_before(launch)[0];
  ASSERT_EQ(before.overtaken.size(), 1u);
  EXPECT_EQ(before.overtaken[0].segments, Segments{1});
  EXPECT_NEAR(before.overtaken[0].share, 1.0 / 256, 1e-12) << "of eight loops";
  EXPECT_EQ(loads_before(launch_of({}))[0], LoadsBefore{}) << "it is not executed";
}

// The load of segment 0 outlives the wait; the first segment with loads behind the wait has it.
TEST(OutstandingLoads, TheNextSegmentWithLoadsHasThoseThatOutliveAWait) {
  Launch launch = launch_of({item(0), item(1), item(3), item(2), item(1), item(3), item(0)});
  launch.segments[0].accesses[0].outlives_wait = true;
  const auto before = loads_before(launch);
  EXPECT_EQ(before[1].overtaken, (std::vector<OvertakenLoads>{{{0}, {0, 1}, 0.5}}))
      << "of two executions; the wait was for the other loads of both segments";
  EXPECT_EQ(before[2].overtaken, std::vector<OvertakenLoads>{}) << "it has no loads";
  EXPECT_EQ(before[0].overtaken, std::vector<OvertakenLoads>{}) << "the second wait takes them";
}

// Segment 0 stands behind each of twenty others: what is beyond sixteen cases is added to them.
TEST(OutstandingLoads, ManyCasesKeepTheirShares) {
  Launch launch = launch_of({});
  std::vector<ProgramItem> program;
  for (std::size_t other = 0; other < 20; ++other) {
    launch.segments.push_back(load_of_lines(1));
    launch.segments.back().accesses[0].outlives_wait = true;
    for (const std::size_t s : {5 + other, std::size_t{3}, std::size_t{0}, std::size_t{3}})
      program.push_back(item(s));
  }
  launch.warp_kinds = {{1056, std::move(program)}};
  const auto before = loads_before(launch);
  double shares = 0;
  for (const OvertakenLoads& one : before[0].overtaken) shares += one.share;
  EXPECT_EQ(before[0].overtaken.size(), 16u);
  EXPECT_NEAR(shares, 1, 1e-12);
  for (std::size_t other = 5; other < 25; ++other) EXPECT_FALSE(before[other].loses_loads);
}

// A segment stands behind a load that misses and, seven times, behind others that hit: one of its
// executions waits for the miss.
TEST(OutstandingLoads, OnlyTheExecutionBehindAMissWaitsForIt) {
  const auto l2_cycles = [](std::int64_t hits) {
    Launch launch = launch_of({item(0), item(3), loop(hits, {item(1), item(3)})});
    for (const std::size_t s : {0, 1}) {
      launch.segments[s] = load_of_lines(1);
      launch.segments[s].accesses[0].outlives_wait = true;
    }
    launch.segments[1].accesses[0].new_sector_share = 0;
    const std::int64_t loads = 1056 * 8;
    launch.counters = {{"l1_load_sectors", loads * (hits + 1)},
                       {"l1_load_hit_sectors", loads * hits},
                       {"l2_read_sectors", loads}};
    const CostedLaunch model(h200(), launch, 132);
    return model.cost(std::size_t{1}).l2_latency;
  };
  EXPECT_GT(l2_cycles(1), 100);
  EXPECT_NEAR(l2_cycles(8), l2_cycles(1) / 8, 1);
}

// An index that hits L1 and a word that misses L2 are loaded, then a word by the index: the warp
// waits for the longer of the last two, not for their sum.
TEST(OutstandingLoads, AWaitForAHitLeavesAMissInFlight) {
  constexpr std::int64_t kWarps = 2'000'000;
  const auto cycles = [](bool outlives) {
    Launch launch = launch_of({item(0), item(3), item(1), item(3)});
    launch.grid = kWarps / 2;
    launch.warp_kinds[0].warps = kWarps;
    launch.segments[0].accesses.push_back(launch.segments[0].accesses[0]);
    launch.segments[0].classes["global_load"] = 2;
    SegmentAccess& word = launch.segments[0].accesses[0];
    word.sectors = 4;
    word.outlives_wait = outlives;
    launch.counters = {{"l1_load_sectors", kWarps * 13},
                       {"l2_read_sectors", kWarps * 13},
                       {"dram_read_bytes", kWarps * 4 * 32}};
    const CostedLaunch model(h200(), launch, 132);
    return std::pair{model.cost(std::size_t{0}).latency, model.cost(std::size_t{1}).latency};
  };
  const auto [both, gather] = cycles(false);
  const auto [index, longer] = cycles(true);
  EXPECT_GT(both, index + 100) << "of DRAM";
  EXPECT_GE(longer, gather);
  EXPECT_LT(index + longer, both + gather - 100);
  EXPECT_GE(index + longer, both) << "the miss is waited for";
}

// All loads of segment 1 outlive a wait themselves; those of segment 0 are waited for all the same.
TEST(OutstandingLoads, LoadsThatOutliveAWaitAreWaitedForBehindOthersThatDo) {
  const auto latency = [](bool first, bool second) {
    Launch launch = launch_of({item(0), item(3), item(1), item(3), item(5), item(3)});
    launch.segments.push_back(load_of_lines(1));
    launch.segments[0].accesses[0].outlives_wait = first;
    launch.segments[1].accesses[0].outlives_wait = second;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{1}).latency;
  };
  EXPECT_EQ(latency(false, true), 0) << "its own loads are waited for later";
  EXPECT_GT(latency(true, true), 0);
}

// Two waits without loads between, or the end of the program: no segment could have the loads.
TEST(OutstandingLoads, LoadsThatNoSegmentCanHaveAreWaitedForAtOnce) {
  const auto cost = [](std::vector<ProgramItem> program, bool outlives) {
    Launch launch = launch_of(std::move(program));
    launch.segments[0].accesses[0].outlives_wait = outlives;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).latency;
  };
  const std::vector<ProgramItem> handed_on{item(0), item(3), item(1), item(3)},
      waited_twice{item(0), item(3), item(3), item(1)}, ended{item(0), item(3)};
  EXPECT_EQ(cost(handed_on, true), 0);
  EXPECT_GT(cost(handed_on, false), 0);
  EXPECT_EQ(cost(waited_twice, true), cost(waited_twice, false));
  EXPECT_EQ(cost(ended, true), cost(ended, false));
  Launch on_one_path = launch_of(handed_on);
  on_one_path.warp_kinds.push_back({1056, ended});
  on_one_path.segments[0].accesses[0].outlives_wait = true;
  EXPECT_TRUE(loads_before(on_one_path)[0].loses_loads) << "of some warps";
}

// What the first wait takes is not waited for again: here half of the misses of L1.
TEST(OutstandingLoads, WaitsForLoadsThatOutliveAWaitAreCountedOnce) {
  const auto waits = [](bool both_miss) {
    Launch launch = launch_of({item(0), item(3), item(1), item(3)});
    launch.segments[0].accesses.push_back(launch.segments[0].accesses[0]);
    launch.segments[0].classes["global_load"] = 2;
    launch.segments[0].accesses[0].outlives_wait = true;
    const std::int64_t sectors = 1056 * 10;
    launch.counters = {{"l1_load_sectors", sectors},
                       {"l1_load_hit_sectors", both_miss ? 0 : sectors},
                       {"l2_read_sectors", both_miss ? sectors : 0}};
    const CostedLaunch model(h200(), launch, 132);
    return model.stages().waits;
  };
  EXPECT_EQ(waits(true)[0].l2, 1) << "for the load that is awaited";
  EXPECT_EQ(waits(true)[1].l2, 1) << "for its own loads";
  EXPECT_EQ(waits(false)[1].l2, 0);
}

TEST(OutstandingLoads, LoadsThatAreWaitedForTogetherCostOneWait) {
  const auto cycles = [](std::vector<ProgramItem> program) {
    Launch launch = launch_of(std::move(program));
    launch.segments[1] = launch.segments[0];
    const CostedLaunch model(h200(), launch, 132);
    return model.stages().load.cycles;
  };
  const double one = cycles({item(0), item(3)}), two = cycles({item(0), item(1), item(3)}),
               apart = cycles({item(0), item(3), item(1), item(3)});
  const Launch launch = launch_of({item(0), item(3)});
  const SegmentCost load = CostedLaunch(h200(), launch, 132).cost(std::size_t{0});
  EXPECT_LT(two - one, load.latency / 4) << "it starts a little later and has two lines";
  EXPECT_GT(apart - one, load.latency);
}

TEST(OutstandingLoads, IterationsOfALoopWaitOneByOne) {
  const auto cycles = [](std::int64_t turns) {
    const Launch launch = launch_of({loop(turns, {item(0)}), item(3)});
    return CostedLaunch(h200(), launch, 132).stages().load.cycles;
  };
  EXPECT_NEAR(cycles(9) - cycles(2), 7 * (cycles(3) - cycles(2)), 0.01 * cycles(9));
  const Launch launch = launch_of({item(0)});
  EXPECT_GT(cycles(2) - cycles(1), CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).latency);
}

}  // namespace
}  // namespace pnsim
