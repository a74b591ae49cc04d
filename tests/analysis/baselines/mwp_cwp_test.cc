// Tests MWP-CWP: the paper's example, each of its cases by hand, and the inputs of small launches.
#include "simulator/analysis/baselines/mwp_cwp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/base/error_of.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// The paper's worked example: 80 blocks of 128 threads on 16 SMs at 1 GHz with 80 GB/s, 5 resident
// blocks; 27 computation instructions, 6 uncoalesced accesses of 32 transactions, 6 barriers.
MwpCwpInputs example_of_the_paper() {
  MwpCwpInputs in;
  in.instructions = 27 + 6;
  in.uncoalesced = 6;
  in.uncoalesced_sectors = 32;
  in.barriers = 6;
  in.warps = 20;
  in.blocks = 5;
  in.rounds = 1;
  in.issue_cycles = 4;
  in.latency_cycles = 420;
  in.coalesced_delay_cycles = 4;
  in.uncoalesced_delay_cycles = 10;
  in.warps_per_cycle = 80.0 / (1 * 128 * 16);
  return in;
}

// The paper rounds MWP to 2.28 and gets 38450 and 12288 cycles, 50738 in total.
TEST(MwpCwp, IsThePapersExample) {
  const MwpCwp out = mwp_cwp(example_of_the_paper());
  EXPECT_DOUBLE_EQ(out.mwp, 730.0 / 320);
  EXPECT_EQ(out.cwp, 20);
  EXPECT_DOUBLE_EQ(out.barrier_cycles, 320 * (730.0 / 320 - 1) * 6 * 5);
  EXPECT_NEAR(out.barrier_cycles, 12288, 20);
  EXPECT_NEAR(out.cycles - out.barrier_cycles, 38450, 30);
}

// Per warp: 10 instructions of one cycle each and 2 coalesced accesses of 100 cycles each.
MwpCwpInputs small() {
  MwpCwpInputs in;
  in.instructions = 10;
  in.coalesced = 2;
  in.warps = 4;
  in.blocks = 2;
  in.rounds = 3;
  in.issue_cycles = 1;
  in.latency_cycles = 100;
  in.coalesced_delay_cycles = 10;
  in.uncoalesced_delay_cycles = 10;
  in.warps_per_cycle = kUnlimited;
  return in;
}

TEST(MwpCwp, TooFewWarpsToHideAnything) {
  const MwpCwp out = mwp_cwp(small());
  EXPECT_EQ(out.mwp, 4);
  EXPECT_EQ(out.cwp, 4);  // (200 + 10) / 10, limited by the 4 warps
  EXPECT_DOUBLE_EQ(out.cycles, (200 + 10 + 10 / 2 * 3) * 3);
}

TEST(MwpCwp, MemoryHidesComputation) {
  MwpCwpInputs in = small();
  in.warps = 16;  // only 10 of them fit between two departures
  const MwpCwp out = mwp_cwp(in);
  EXPECT_EQ(out.mwp, 10);
  EXPECT_EQ(out.cwp, 16);
  EXPECT_DOUBLE_EQ(out.cycles, (200 * 16.0 / 10 + 10 / 2 * 9) * 3);
}

TEST(MwpCwp, ComputationHidesMemory) {
  MwpCwpInputs in = small();
  in.warps = 8;
  in.issue_cycles = 10;  // 100 of 300 cycles compute: CWP is 3
  const MwpCwp out = mwp_cwp(in);
  EXPECT_EQ(out.mwp, 8);
  EXPECT_EQ(out.cwp, 3);
  EXPECT_DOUBLE_EQ(out.cycles, (100 + 100 * 8) * 3);
}

TEST(MwpCwp, BandwidthLimitsTheWarpsInMemory) {
  MwpCwpInputs in = small();
  in.warps_per_cycle = 0.02;  // 2 during one latency
  const MwpCwp out = mwp_cwp(in);
  EXPECT_EQ(out.mwp, 2);
  EXPECT_DOUBLE_EQ(out.cycles, (200 * 4.0 / 2 + 10 / 2 * 1) * 3);
}

TEST(MwpCwp, UncoalescedAccessesDepartOneByOne) {
  MwpCwpInputs in = small();
  in.coalesced = 1;
  in.uncoalesced = 1;
  in.uncoalesced_sectors = 5;  // 100 + 4 * 10 cycles; the mean departure is (50 + 10) / 2
  const MwpCwp out = mwp_cwp(in);
  EXPECT_EQ(out.mwp, 4);  // 120 / 30
  EXPECT_DOUBLE_EQ(out.cycles, (240 + 10 + 10 / 2 * 3) * 3);
}

TEST(MwpCwp, ABarrierSynchronisesTheWarpsOfABlock) {
  MwpCwpInputs in = small();  // 2 warps per block
  in.barriers = 7;
  EXPECT_DOUBLE_EQ(mwp_cwp(in).barrier_cycles, 10 * (2 - 1) * 7 * 2 * 3);
  in.warps_per_cycle = 0.005;  // half a warp: the cost of a barrier must not become negative
  EXPECT_EQ(mwp_cwp(in).barrier_cycles, 0);
}

TEST(MwpCwp, WithoutMemoryItIsComputation) {
  MwpCwpInputs in = small();
  in.coalesced = 0;
  EXPECT_DOUBLE_EQ(mwp_cwp(in).cycles, 10 * 4 * 3);
}

// 20 blocks on 10 SMs: 2 resident blocks per SM. Reads miss L1 and hit L2.
TEST(MwpCwpInputs, ASmallLaunchHasTheExpectedOnes) {
  const MwpCwpInputs in = mwp_cwp_inputs(toy_launch(), toy_device());
  EXPECT_EQ(in.instructions, 4);
  EXPECT_EQ(in.coalesced, 2);
  EXPECT_EQ(in.uncoalesced, 0);
  EXPECT_EQ(in.barriers, 0);
  EXPECT_EQ(in.blocks, 2);
  EXPECT_EQ(in.warps, 4);
  EXPECT_EQ(in.rounds, 1);
  EXPECT_EQ(in.issue_cycles, 0.25);
  EXPECT_EQ(in.latency_cycles, 300);
  EXPECT_EQ(in.coalesced_delay_cycles, 1);
  EXPECT_EQ(in.uncoalesced_delay_cycles, 2);
  // 128 bytes per access at 2000 bytes per cycle, shared by 10 SMs.
  EXPECT_DOUBLE_EQ(in.warps_per_cycle, 2000.0 / (128 * 10));
  // MWP = CWP = N: 600 memory cycles, 1 of computation, and 1/2 for each of the 3 other warps.
  EXPECT_DOUBLE_EQ(mwp_cwp_us(toy_launch(), toy_device()), 0.5 + (600 + 1 + 0.5 * 3) / 1000);
}

TEST(MwpCwpInputs, LoopsAndKindsOfWarpsAddUpToTheMeanWarp) {
  Launch launch = toy_launch();
  ProgramItem loop;
  loop.repeat = 5;
  loop.body = {launch.warp_kinds[0].program[0]};
  launch.segments[1].end = SegmentEnd::kBarrier;
  launch.warp_kinds = {{10, {loop, launch.warp_kinds[0].program[1]}},
                       {30, {launch.warp_kinds[0].program[0]}}};
  const MwpCwpInputs in = mwp_cwp_inputs(launch, toy_device());
  EXPECT_DOUBLE_EQ(in.instructions, (10 * (5 * 2 + 2) + 30 * 2) / 40.0);
  EXPECT_DOUBLE_EQ(in.coalesced, (10 * (5 + 1) + 30) / 40.0);
  EXPECT_DOUBLE_EQ(in.barriers, 10 / 40.0);
}

TEST(MwpCwpInputs, AnAccessIsCoalescedWhenItFillsItsSectors) {
  Launch launch = toy_launch();
  launch.segments[0].accesses[0].sectors = 5;  // 4 sectors would hold the 32 words
  const MwpCwpInputs in = mwp_cwp_inputs(launch, toy_device());
  EXPECT_EQ(in.coalesced, 1);
  EXPECT_EQ(in.uncoalesced, 1);
  EXPECT_EQ(in.uncoalesced_sectors, 5);
  launch.segments[0].accesses[0].lanes = 7;  // 28 bytes: one sector
  launch.segments[0].accesses[0].sectors = 1;
  EXPECT_EQ(mwp_cwp_inputs(launch, toy_device()).uncoalesced, 0);
}

TEST(MwpCwpInputs, TexturesHaveTheMeanOfTheCounters) {
  Launch launch = toy_launch();
  launch.segments[0].accesses[0] = {"texture", 1, 4, 0, 0, 0, 32};
  launch.counters["tex_instructions"] = 40;
  launch.counters["texture_sectors"] = 320;
  const MwpCwpInputs in = mwp_cwp_inputs(launch, toy_device());
  EXPECT_EQ(in.uncoalesced, 1);
  EXPECT_EQ(in.uncoalesced_sectors, 8);
}

TEST(MwpCwpInputs, LatencyIsThatOfWhereReadsAreServed) {
  Launch launch = toy_launch();
  launch.counters = {{"l1_load_sectors", 100}, {"l2_read_sectors", 50}, {"dram_read_bytes", 320}};
  // Half of the reads hit L1; a fifth of the others go to DRAM.
  EXPECT_DOUBLE_EQ(mwp_cwp_inputs(launch, toy_device()).latency_cycles,
                   0.5 * 30 + 0.5 * (0.8 * 300 + 0.2 * 700));  // 205
  launch.counters["l1_store_sectors"] = 1000;                  // warps do not wait for stores
  EXPECT_DOUBLE_EQ(mwp_cwp_inputs(launch, toy_device()).latency_cycles, 205);
  launch.counters = {{"l1_store_sectors", 100}};  // all stores go to L2
  EXPECT_EQ(mwp_cwp_inputs(launch, toy_device()).latency_cycles, 300);
}

TEST(MwpCwpInputs, TheBusiestSmCountsItsRounds) {
  Launch launch = toy_launch();
  launch.grid = 91;  // 10 blocks on the busiest of 10 SMs, 4 of them resident
  launch.warp_kinds[0].warps = 182;
  const MwpCwpInputs in = mwp_cwp_inputs(launch, toy_device());
  EXPECT_EQ(in.blocks, 4);
  EXPECT_EQ(in.rounds, 2.5);
}

TEST(MwpCwpInputs, RefusesALaunchWithoutCounters) {
  Launch launch = toy_launch();
  launch.counters.clear();
  EXPECT_THAT(test::input_error_of([&] { mwp_cwp_us(launch, toy_device()); }),
              testing::HasSubstr("found no counters"));
}

}  // namespace
}  // namespace pnsim
