// Waits for results of fixed latency: what the profiler counted, beyond the dependences in the
// code.
#include "simulator/model/cost/counted_waits.h"

#include <gtest/gtest.h>

#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/scaled_counters.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// 100 instructions, each tenth of which waits for the one before.
Launch chained() {
  Launch launch = uneven_launch();
  launch.block = 32;
  launch.segments = {arithmetic(100, 0)};
  launch.segments[0].distances = {10, 0, 0};
  launch.warp_kinds = {{264, {item(0)}}};
  launch.block_kinds = {{264, {{0, 1}}}};
  return launch;
}

Launch counted(double fixed_of_each, double branches_of_each) {
  Launch launch = chained();
  launch.counters = {{kIssuedInstructions, 26'400},
                     {kFixedWaits, static_cast<std::int64_t>(26'400 * fixed_of_each)},
                     {kBranchWaits, static_cast<std::int64_t>(26'400 * branches_of_each)}};
  return launch;
}

double work_of(const Launch& launch, const Heuristics& heuristics = unloaded()) {
  return CostedLaunch(h200(), launch, 132, heuristics).cost(std::size_t{0}).work;
}

TEST(CountedWaits, ThoseBeyondTheDependencesFoundAreSpreadOverTheInstructions) {
  const double found = work_of(chained()),
               stalls = stall_cycles(chained().segments[0], h200_facts());
  ASSERT_GT(stalls, 0);
  EXPECT_NEAR(work_of(counted(2, 0)), found - stalls + 200, 1e-6);
  EXPECT_NEAR(work_of(counted(2, 0.5)), found - stalls + 250, 1e-6);
  EXPECT_EQ(work_of(counted(2, 0), unloaded().without(Heuristic::kCountedWaits)), found);
}

TEST(CountedWaits, ConstantsAndInstructionsAreWaitedForAsWell) {
  const double without = work_of(counted(2, 0));
  for (const char* const waits : {kConstantOperandWaits, kInstructionWaits}) {
    Launch launch = counted(2, 0);
    launch.counters[waits] = 26'400;
    EXPECT_NEAR(work_of(launch), without + 100, 1e-6) << waits;
  }
}

// Half of the warps execute two fences each, so 264 fences have 264,000 cycles.
TEST(CountedWaits, FencesAreWaitedForWhereTheyAre) {
  Launch launch = counted(2, 0);
  launch.segments.push_back(launch.segments[0]);
  launch.segments[1].classes["fence"] = 2;
  launch.warp_kinds = {{132, {item(0)}}, {132, {item(1)}}};
  launch.block_kinds = {{132, {{0, 1}}}, {132, {{1, 1}}}};
  const auto work = [&](std::size_t segment, const Heuristics& heuristics = unloaded()) {
    return CostedLaunch(h200(), launch, 132, heuristics).cost(segment).work;
  };
  const double plain = work(0), fenced = work(1);
  launch.counters[kFenceWaits] = 264'000;
  EXPECT_EQ(work(0), plain);
  EXPECT_NEAR(work(1), fenced + 2000, 1e-6);
  EXPECT_LT(work(1, unloaded().without(Heuristic::kCountedWaits)), 1000);
}

// Where the instructions of the class wait little, or the programs have none, all instructions
// wait.
TEST(CountedWaits, ShortWaitsForFencesAreSpread) {
  Launch launch = counted(2, 0);
  launch.counters[kFenceWaits] = 26'400;
  EXPECT_NEAR(work_of(launch), work_of(counted(2, 0)) + 100, 1e-6);
  Launch with_fences = counted(2, 0);
  with_fences.segments[0].classes = {{"int", 99}, {"fence", 1}};
  const double without = work_of(with_fences);
  with_fences.counters[kFenceWaits] = 264 * 99;
  EXPECT_NEAR(work_of(with_fences), without + 99, 1e-6);
}

// A warp never works less than its issue slots need, however few waits were counted.
TEST(CountedWaits, FewerThanFoundShortenTheWork) {
  EXPECT_LT(work_of(counted(0.1, 0)), work_of(chained()));
  EXPECT_GE(work_of(counted(0, 0)), 100);
}

TEST(CountedWaits, WithoutTheCountersTheCodeDecides) {
  for (const char* const missing : {kIssuedInstructions, kFixedWaits}) {
    Launch launch = counted(2, 0);
    launch.counters.erase(missing);
    EXPECT_EQ(work_of(launch), work_of(chained())) << missing;
  }
  Launch launch = counted(2, 0);
  launch.counters.erase(kBranchWaits);
  EXPECT_EQ(work_of(launch), work_of(counted(2, 0)));
}

// A launch of another size waits as long at each instruction.
TEST(CountedWaits, ScaleWithTheInstructions) {
  Launch launch = counted(2, 0.5);
  const Executed before = executed_by(launch);
  Executed twice = before;
  twice.instructions *= 2;
  scale_counters(before, twice, 1, launch);
  EXPECT_EQ(launch.counters.at(kFixedWaits), 2 * 52'800);
  EXPECT_EQ(launch.counters.at(kBranchWaits), 2 * 13'200);
  EXPECT_EQ(launch.counters.at(kIssuedInstructions), 2 * 26'400);
  EXPECT_NEAR(work_of(launch), work_of(counted(2, 0.5)), 1e-6);
}

}  // namespace
}  // namespace pnsim
