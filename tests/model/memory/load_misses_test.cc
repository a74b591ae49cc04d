// How the misses of a launch are attributed to its loads.
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/traffic.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// A streaming load and a gather in one loop: misses of L1 go to the streaming load first.
Launch gathering(std::int64_t missed_of_40) {
  Launch launch = uneven_launch();
  Segment both;
  both.classes = {{"global_load", 2}};
  both.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 8, .sectors = 8, .tag_lookups = 2});
  both.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 32, .tag_lookups = 32});
  launch.segments[0] = both;
  launch.counters = {{"l1_load_sectors", 40'000},
                     {"l1_load_hit_sectors", 40'000 - 1000 * missed_of_40}};
  return launch;
}

// The misses add up to the counted ones for any new_sector_share.
TEST(LoadMisses, AllMissesAreDealt) {
  for (const double fresh : {0.0, 0.1, 1.0}) {
    for (const std::int64_t missed : {0, 1, 7, 8, 9, 30, 40}) {
      Launch launch = gathering(missed);
      launch.segments[0].accesses[0].new_sector_share = fresh;
      launch.segments[0].accesses[1].new_sector_share = 1 - fresh;
      const Traffic traffic = traffic_of(launch, h200());
      const double dealt =
          8 * (1 - traffic.loads[0][0].l1_hits) + 32 * (1 - traffic.loads[0][1].l1_hits);
      EXPECT_NEAR(dealt, static_cast<double>(missed), 1e-9) << fresh;
    }
  }
}

// Before a loop, all eight warps of a block load one sector. One of them misses, and the loop's
// loads have the other misses.
TEST(LoadMisses, SectorsThatEarlierLoadsRequestedMissAfterFreshOnesOfLoops) {
  Launch launch = uneven_launch();
  launch.segments = {load_of_lines(1), load_of_lines(4)};
  launch.segments[0].accesses[0].new_sector_share = 1.0 / 8;
  launch.warp_kinds = {{80, {item(0), {10, {}, {item(1)}, {}}}}};
  launch.block_kinds = {{10, {{0, 8}}}};
  launch.grid = 10;
  launch.block = 256;
  launch.counters = {{"l1_load_sectors", 80 * 41}, {"l1_load_hit_sectors", 70}};
  const Traffic traffic = traffic_of(launch, h200());
  EXPECT_NEAR(traffic.loads[0][0].l1_hits, 7.0 / 8, 1e-9);
  EXPECT_NEAR(traffic.loads[1][0].l1_hits, 0, 1e-9);
  const Traffic alike =
      traffic_of(launch, h200(), Heuristics{}.without(Heuristic::kFreshSectorsMissFirst));
  EXPECT_NEAR(alike.loads[0][0].l1_hits, 0, 1e-9);
}

TEST(LoadMisses, LoadsThatGatherMissAfterTheOthers) {
  const auto hits = [](std::int64_t missed) {
    const Traffic traffic = traffic_of(gathering(missed), h200());
    return std::pair{traffic.loads[0][0].l1_hits, traffic.loads[0][1].l1_hits};
  };
  EXPECT_NEAR(hits(4).first, 0.5, 1e-9);
  EXPECT_NEAR(hits(4).second, 1, 1e-9);
  EXPECT_NEAR(hits(24).first, 0, 1e-9);
  EXPECT_NEAR(hits(24).second, 0.5, 1e-9);
}

// Each lane walks through its own row, and looks up a table at what it loaded: the row misses
// first.
TEST(LoadMisses, RowsOfLanesMissBeforeTheTablesThatTheyIndex) {
  Launch launch = gathering(4);
  SegmentAccess& row = launch.segments[0].accesses[0];
  row = launch.segments[0].accesses[1];
  row.addresses = Addresses::kComputed;
  row.new_sector_share = 1.0 / 8;
  launch.segments[0].accesses[1].addresses = Addresses::kLoaded;
  launch.counters = {{"l1_load_sectors", 64'000}, {"l1_load_hit_sectors", 60'000}};
  const auto rows = [&] { return traffic_of(launch, h200()).loads[0]; };
  EXPECT_NEAR(rows()[0].l1_hits, 7.0 / 8, 1e-9);
  EXPECT_NEAR(rows()[1].l1_hits, 1, 1e-9);
  launch.counters["l1_load_hit_sectors"] = 44'000;
  EXPECT_NEAR(rows()[0].l1_hits, 7.0 / 8, 1e-9) << "the table is all fresh: it has the others";
  EXPECT_NEAR(rows()[1].l1_hits, 0.5, 1e-9);
}

// Misses of local loads are the reads at L2 beyond the misses of other loads, since the counters of
// loads do not include local memory.
TEST(LoadMisses, LocalMemoryMissesWhatElseL2Read) {
  Launch launch = uneven_launch();
  Segment both;
  both.classes = {{"global_load", 1}, {"local_load", 1}, {"local_store", 1}};
  both.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  both.accesses.push_back(
      {.access_class = "local_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  both.accesses.push_back(
      {.access_class = "local_store", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  launch.segments[0] = both;
  const double loads = 4 * executions_of(launch)[0];
  const auto rows = [&](double l2_reads) {
    launch.counters = {{"l1_load_sectors", std::llround(loads)},
                       {"l1_load_hit_sectors", std::llround(loads / 2)},
                       {"l2_read_sectors", std::llround(l2_reads)}};
    return traffic_of(launch, h200()).loads[0];
  };
  EXPECT_NEAR(rows(loads / 2)[0].l1_hits, 0.5, 1e-9);
  EXPECT_NEAR(rows(loads / 2)[1].l1_hits, 1, 1e-9);
  EXPECT_NEAR(rows(loads * 3 / 4)[1].l1_hits, 0.75, 1e-9);
  EXPECT_NEAR(rows(loads * 9)[1].l1_hits, 0, 1e-9);
  // Requests of other accesses do not change the counted misses of these loads.
  rows(loads * 3 / 4);
  launch.segments[0].accesses[0].sectors = 1;
  EXPECT_NEAR(traffic_of(launch, h200()).loads[0][1].l1_hits, 0.75, 1e-9);
  // L1 keeps or merges half of the stored sectors, local and global ones alike.
  launch.segments[1].classes["global_store"] = 1;
  launch.segments[1].accesses.push_back(
      {.access_class = "global_store", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  const double stores = 4 * executions_of(launch)[1];
  launch.counters = {{"l1_store_sectors", std::llround(stores)},
                     {"l2_write_sectors", std::llround((stores + loads) / 2)}};
  EXPECT_NEAR(traffic_of(launch, h200()).l2.stores_reaching, 0.5, 1e-9);
  launch.counters["l1_store_sectors"] = 0;
  launch.counters["l2_write_sectors"] = std::llround(loads / 4);
  EXPECT_NEAR(traffic_of(launch, h200()).l2.stores_reaching, 0.25, 1e-9);
}

// The outer loop begins first but loads after the inner loop, so it hits the inner loop's data.
TEST(LoadMisses, GoToTheLoopThatLoadsFirst) {
  Launch launch = uneven_launch();
  launch.segments = {arithmetic(1, 0), load_of_lines(8), load_of_lines(8)};
  const auto item = [](std::size_t segment) {
    ProgramItem out;
    out.segment = segment;
    return out;
  };
  ProgramItem inner, outer;
  inner.repeat = 2;
  inner.body = {item(1)};
  outer.repeat = 7;
  outer.body = {item(0), inner, item(2)};
  launch.warp_kinds = {{528, {outer}}};
  launch.counters = {{"l1_load_sectors", 3000}, {"l1_load_hit_sectors", 2000}};
  const LoadRows rows = traffic_of(launch, h200()).loads;
  EXPECT_NEAR(rows[1][0].l1_hits, 0.5, 1e-9);
  EXPECT_NEAR(rows[2][0].l1_hits, 1, 1e-9);
}

// Eight blocks load a line each time, two blocks four lines. The launch misses L1 with 80 % of the
// sectors and DRAM serves 50 % of these.
Launch on_two_paths() {
  Launch launch = uneven_launch();
  launch.segments = {load_of_lines(1), load_of_lines(4), load_of_lines(2)};
  launch.warp_kinds = {{64, {{10, {}, {item(0)}, {}}}}, {16, {{10, {}, {item(1)}, {}}}}};
  launch.block_kinds = {{8, {{0, 8}}}, {2, {{1, 8}}}};
  launch.grid = 10;
  launch.block = 256;
  return launch;
}

LoadRows misses_of(Launch launch, const Heuristics& heuristics = {}) {
  double sectors = 0;
  const std::vector<double> executions = executions_of(launch);
  for (std::size_t s = 0; s < executions.size(); ++s)
    sectors += executions[s] * launch.segments[s].accesses[0].sectors;
  launch.counters = {{"l1_load_sectors", std::llround(sectors)},
                     {"l1_load_hit_sectors", std::llround(sectors / 5)},
                     {"l2_read_sectors", std::llround(sectors * 4 / 5)},
                     {"dram_read_bytes", std::llround(sectors * 2 / 5 * 32)}};
  return traffic_of(launch, h200(), heuristics).loads;
}

TEST(LoadMisses, AreAlikeForBlocksThatExecuteOtherLoads) {
  const LoadRows rows = misses_of(on_two_paths());
  for (const std::size_t path : {0u, 1u}) {
    EXPECT_NEAR(rows[path][0].l1_hits, 0.2, 1e-6);
    EXPECT_NEAR(rows[path][0].l2_misses, 0.5, 1e-6);
  }
  const LoadRows in_order =
      misses_of(on_two_paths(), Heuristics{}.without(Heuristic::kPathsMissApart));
  EXPECT_NEAR(in_order[0][0].l1_hits, 0, 1e-6);
  EXPECT_GT(in_order[1][0].l1_hits, 0.3);
}

// The blocks have a load in common, or a block has warps of both kinds: one path, in order.
TEST(LoadMisses, ComeInOrderForBlocksWithACommonLoad) {
  Launch common = on_two_paths();
  for (WarpKind& kind : common.warp_kinds) kind.program.push_back(item(2));
  EXPECT_NEAR(misses_of(common)[0][0].l1_hits, 0, 1e-6);
  Launch both = on_two_paths();
  both.block_kinds = {{8, {{0, 7}, {1, 1}}}, {2, {{0, 4}, {1, 4}}}};
  EXPECT_NEAR(misses_of(both)[0][0].l1_hits, 0, 1e-6);
}

// Straight code, as of an unrolled loop: streaming loads miss first, even after the gathers.
TEST(LoadMisses, StreamsOfStraightCodeMissBeforeWhatItGathers) {
  Launch launch = uneven_launch();
  Segment stream;
  stream.classes = {{"global_load", 1}};
  stream.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  launch.segments = {stream, load_of_lines(32), stream};
  launch.warp_kinds = {{528, {item(0), item(1), item(2)}}};
  const auto rows = [&](std::int64_t missed_of_40) {
    launch.counters = {{"l1_load_sectors", 40'000},
                       {"l1_load_hit_sectors", 1000 * (40 - missed_of_40)}};
    return traffic_of(launch, h200()).loads;
  };
  EXPECT_NEAR(rows(8)[2][0].l1_hits, 0, 1e-9);
  EXPECT_NEAR(rows(8)[1][0].l1_hits, 1, 1e-9);
  EXPECT_NEAR(rows(24)[1][0].l1_hits, 0.5, 1e-9);
  // Code after a loop is a separate body: it may hit the data that the loop loaded.
  launch.warp_kinds = {{528, {item(0), loop(2, {item(1)}), item(2)}}};
  launch.counters = {{"l1_load_sectors", 72'000}, {"l1_load_hit_sectors", 64'000}};
  EXPECT_NEAR(traffic_of(launch, h200()).loads[0][0].l1_hits, 0, 1e-9);
  EXPECT_NEAR(traffic_of(launch, h200()).loads[2][0].l1_hits, 1, 1e-9);
}

// Two streams in straight code: half of the sectors that they request are read from DRAM.
TEST(LoadMisses, WhatOtherKernelsDroveOutIsMissedByAllStreamsAlike) {
  Launch launch = uneven_launch();
  Segment stream;
  stream.classes = {{"global_load", 1}};
  stream.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  launch.segments = {stream, stream};
  launch.warp_kinds = {{528, {item(0), item(1)}}};
  launch.start = CacheStart::kInPlace;
  launch.counters = {{"l1_load_sectors", 528 * 8},
                     {"l1_load_hit_sectors", 0},
                     {"l2_read_sectors", 528 * 8},
                     {"dram_read_bytes", 528 * 4 * 32}};
  const auto misses = [&](double repeated) {
    launch.counters[kRepeatedReadBytes] = std::llround(repeated * 528 * 4 * 32);
    const LoadRows rows = traffic_of(launch, h200()).loads;
    return std::pair{rows[0][0].l2_misses, rows[1][0].l2_misses};
  };
  EXPECT_NEAR(misses(1).first, 1, 1e-9) << "a repeated launch misses as much: in order";
  EXPECT_NEAR(misses(1).second, 0, 1e-9);
  EXPECT_NEAR(misses(0).first, 0.5, 1e-9);
  EXPECT_NEAR(misses(0).second, 0.5, 1e-9);
  EXPECT_NEAR(misses(0.5).first, 0.75, 1e-9);
  EXPECT_NEAR(misses(0.5).second, 0.25, 1e-9);
  EXPECT_NEAR(misses(2).first, 1, 1e-9) << "more when repeated: nothing was driven out";
  launch.warp_kinds = {{528, {loop(2, {item(0), item(1)})}}};
  for (const char* sectors : {"l1_load_sectors", "l2_read_sectors", "dram_read_bytes"})
    launch.counters[sectors] *= 2;
  EXPECT_NEAR(misses(0).first, 1, 1e-9) << "in a loop: in order";
}

// From the second block on, loads hit a table that all blocks read first.
TEST(LoadMisses, WhatAllBlocksReadMissesAfterTheirOwn) {
  Launch launch = uneven_launch();
  launch.segments = {load_of_lines(8), load_of_lines(8)};
  launch.warp_kinds = {{528, {loop(3, {item(0)}), item(1)}}};
  launch.counters = {{"l1_load_sectors", 32'000}, {"l1_load_hit_sectors", 24'000}};
  const auto hits = [&] {
    const LoadRows rows = traffic_of(launch, h200()).loads;
    return std::pair{rows[0][0].l1_hits, rows[1][0].l1_hits};
  };
  EXPECT_NEAR(hits().second, 1, 1e-9);
  launch.segments[0].accesses[0].addresses = Addresses::kCommon;
  EXPECT_NEAR(hits().first, 1, 1e-9);
  EXPECT_NEAR(hits().second, 0, 1e-9);
  launch.counters["l1_load_hit_sectors"] = 16'000;
  EXPECT_NEAR(hits().first, 2.0 / 3, 1e-9) << "the remaining misses";
  launch.grid = 132;  // one block on each SM: none has loaded the table before
  launch.warp_kinds[0].warps = launch.block_kinds[0].blocks = 132;
  launch.counters = {{"l1_load_sectors", 8'000}, {"l1_load_hit_sectors", 6'000}};
  EXPECT_NEAR(hits().second, 1, 1e-9);
}

// The few lanes that still probe a table are a gather, too. DRAM misses go to the streaming loads
// first.
TEST(LoadMisses, FewLanesThatLookWordsUpGather) {
  Launch launch = gathering(40);
  launch.counters["l2_read_sectors"] = 40'000'000;
  launch.counters["dram_read_bytes"] = 32LL * 32'000'000;  // four of five
  SegmentAccess& gather = launch.segments[0].accesses[1];
  gather.sectors = gather.tag_lookups = gather.lanes = 4;
  const auto of_dram = [&] {
    const auto row = traffic_of(launch, h200()).loads[0];
    return std::pair{row[0].l2_misses, row[1].l2_misses};
  };
  gather.addresses = Addresses::kLoaded;
  const auto looked_up = of_dram();
  gather.addresses = Addresses::kComputed;
  const auto rows_of_a_tile = of_dram();
  EXPECT_NEAR(looked_up.first, 1, 1e-9);
  EXPECT_NEAR(rows_of_a_tile.first, 1, 1e-9);
  EXPECT_NEAR(looked_up.second, rows_of_a_tile.second / 2, 1e-9) << "each miss fetches a pair";
}

}  // namespace
}  // namespace pnsim
