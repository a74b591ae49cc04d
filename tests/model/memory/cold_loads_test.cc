// Loads that find L1 empty: which they are, and that they wait for L2.
#include "simulator/model/memory/cold_loads.h"

#include <gtest/gtest.h>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

constexpr double kSms = 132;
using Shares = std::vector<double>;

Segment store() {
  Segment out;
  out.classes = {{"global_store", 1}};
  out.accesses.push_back(
      {.access_class = "global_store", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  return out;
}

// Segment 0 loads a row, 1 gathers from 32 lines, 2 stores.
Launch launch_of(std::vector<ProgramItem> program, std::int64_t grid) {
  Launch launch = uneven_launch();
  launch.grid = grid;
  launch.resident_blocks = 16;
  launch.segments = {load_of_lines(1), load_of_lines(32), store()};
  launch.segments[0].accesses[0].sectors = 4;
  launch.warp_kinds = {{grid * 2, std::move(program)}};
  launch.block_kinds.clear();
  return launch;
}

// `hits` of the loads in L1, as the counters of the launch were dealt.
Shares not_in_l1(const Launch& launch, double hits = 0.9) {
  LoadRows loads;
  for (const Segment& segment : launch.segments)
    loads.emplace_back(segment.accesses.size(), LoadTraffic{.l1_hits = hits});
  return shares_not_in_l1(launch, access_patterns(launch), loads, kSms);
}

TEST(ColdLoads, RowsMissWhenALaunchBegins) {
  EXPECT_EQ(not_in_l1(launch_of({item(0), item(1)}, 528)), (Shares{1, 0, 0}))
      << "gathered words may be touched before";
}

TEST(ColdLoads, LaterIterationsHitWhatEarlierOnesLoaded) {
  EXPECT_EQ(not_in_l1(launch_of({loop(5, {item(0)})}, 528)), Shares(3, 0));
  EXPECT_EQ(not_in_l1(launch_of({item(0), loop(5, {item(0)})}, 528)), Shares(3, 0))
      << "the first iteration is a small part of its executions";
  ProgramItem again = item(0);
  again.repeat = 5;
  EXPECT_EQ(not_in_l1(launch_of({again}, 528)), Shares(3, 0));
}

TEST(ColdLoads, RowsThatWereRequestedBeforeAreNotNew) {
  Launch launch = launch_of({item(0)}, 528);
  launch.segments[0].accesses[0].new_sector_share = 0.2;
  EXPECT_EQ(not_in_l1(launch), Shares(3, 0));
}

TEST(ColdLoads, FewWarpsMayReadWhatTheyStored) {
  const std::vector<ProgramItem> program = {loop(5, {item(2)}), item(0)};
  EXPECT_EQ(not_in_l1(launch_of(program, 132)), Shares(3, 0)) << "two warps an SM";
  EXPECT_EQ(not_in_l1(launch_of(program, 264)), (Shares{1, 0, 0})) << "four";
}

// Eight warps an SM read rows that are the same in all blocks. Where one of them misses each row,
// the others wait with it. Where an SM misses a quarter of what a warp requests, the loads read one
// table.
TEST(ColdLoads, ATableThatSeveralLoadsReadIsMissedByOne) {
  Launch launch = launch_of({item(0)}, 528);
  launch.segments[0].accesses[0].addresses = Addresses::kCommon;
  EXPECT_NEAR(not_in_l1(launch, 1 - 1.0 / 8)[0], 1, 1e-9);
  EXPECT_NEAR(not_in_l1(launch, 1 - 0.25 / 8)[0], 0.25, 1e-9);
  EXPECT_EQ(not_in_l1(launch, 0)[0], 1);
}

// The counters only show that most sectors hit L1.
TEST(ColdLoads, WaitForL2WhateverTheCountersMeanOverTheLaunch) {
  const auto latency = [](std::vector<ProgramItem> program, std::int64_t grid) {
    Launch launch = launch_of(std::move(program), grid);
    const auto sectors = static_cast<double>(grid) * 2 * 4;
    launch.counters = {{"l1_load_sectors", sectors},
                       {"l1_load_hit_sectors", sectors * 15 / 16},
                       {"l2_read_sectors", sectors / 16}};
    return CostedLaunch(h200(), launch, kSms).cost(std::size_t{0}).latency;
  };
  const double l1 = h200().value("l1_latency_cycles"), l2 = h200().value("l2_latency_cycles");
  EXPECT_GT(latency({item(0)}, 528), 0.95 * l2);
  EXPECT_LT(latency({loop(5, {item(0)})}, 528), (l1 + l2) / 2);
  EXPECT_LT(latency({item(0)}, 132 * 16 + 1), (l1 + l2) / 2)
      << "a block of the second wave hits what the first wave loaded";
}

}  // namespace
}  // namespace pnsim
