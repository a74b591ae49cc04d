// Data-dependent trip counts: the loops of the busiest scheduler are longer.
#include "simulator/model/launch/imbalance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/launch/sm_phases.h"

namespace pnsim {
namespace {

constexpr std::int64_t kSms = 10;  // of the profiled device and of the predicted one

ProgramItem item(std::size_t segment, std::int64_t instructions) {
  ProgramItem out;
  out.segment = segment;
  out.counts = {instructions, 0, 0};
  return out;
}

ProgramItem loop(std::int64_t repeat, ProgramItem body) {
  ProgramItem out;
  out.repeat = repeat;
  out.body = {std::move(body)};
  return out;
}

// 40 blocks of 4 warps on 10 SMs, all at once: 2 instructions, and a loop of 10 instructions. Its
// trip count is 7 in the first half of the warps and `others` in the other half.
Launch looping(std::int64_t others) {
  Launch launch;
  launch.grid = 40;
  launch.block = 128;
  launch.resident_blocks = 4;
  launch.segments.resize(2);
  launch.segments[0].classes = {{"int", 2}};
  launch.segments[1].classes = {{"int", 10}};
  launch.warp_kinds = {{80, {item(0, 2), loop(7, item(1, 10))}},
                       {80, {item(0, 2), loop(others, item(1, 10))}}};
  launch.block_kinds = {{20, {{0, 4}}}, {20, {{1, 4}}}};
  return launch;
}

// Counters as a profiler of 10 SMs would have them.
void count(Launch& launch, double imbalance) {
  launch.counters = {{kAllSchedulers, 1'000'000},
                     {kBusiestScheduler, static_cast<std::int64_t>(imbalance * 1'000'000 / 40)},
                     {kProfiledSms, kSms}};
}

double instructions_of(const std::vector<ProgramItem>& program) {
  return static_cast<double>(total_counts(program, "test").arithmetic);
}

TEST(Imbalance, EquallyDealtProgramsHaveNone) {
  EXPECT_NEAR(programs_imbalance(looping(7), 10, busiest_blocks(looping(7), 10)), 1, 1e-9);
  EXPECT_NEAR(programs_imbalance(looping(6), 10, busiest_blocks(looping(6), 10)), 1, 1e-9)
      << "two blocks of each kind on each SM";
  EXPECT_EQ(counted_imbalance(looping(7), 10), 0) << "not counted";
}

TEST(Imbalance, WarpsOfOddBlocksGoToTheSchedulersRoundRobin) {
  Launch launch = looping(7);
  launch.block = 96;
  launch.grid = 20;  // two blocks of 3 warps: 2, 2, 1, 1 of 6
  launch.warp_kinds.pop_back();
  launch.warp_kinds[0].warps = 60;
  launch.block_kinds = {{20, {{0, 3}}}};
  EXPECT_NEAR(programs_imbalance(launch, 10, busiest_blocks(launch, 10)), 2 / 1.5, 1e-9);
}

// Blocks of as many warps as schedulers begin at one scheduler after the other, so a warp that does
// all the work of its block is on each of them. With 5 warps a block they do so by themselves.
TEST(Imbalance, BlocksOfWholeRowsOfWarpsBeginAtTheNextScheduler) {
  for (const std::int64_t width : {4, 5, 8}) {
    Launch launch = looping(7);
    launch.block = 32 * width;
    launch.warp_kinds = {{40, {item(0, 2), loop(7, item(1, 10))}}, {40 * (width - 1), {}}};
    launch.block_kinds = {{40, {{0, 1}, {1, width - 1}}}};
    EXPECT_NEAR(programs_imbalance(launch, 10, busiest_blocks(launch, 10)), 1, 1e-9) << width;
  }
}

// Only the first warp of a block works. Five blocks begin at schedulers 0, 1, 2, 3 and 0, the three
// blocks of the other kind at 1, 2 and 3: each scheduler has two such warps, 0 the longer ones.
TEST(Imbalance, OtherKindsOfBlocksContinueTheTurn) {
  Launch launch = looping(7);
  launch.grid = 8;
  launch.resident_blocks = 8;
  launch.warp_kinds = {{5, {loop(10, item(1, 10))}}, {24, {}}, {3, {loop(9, item(1, 10))}}};
  launch.block_kinds = {{5, {{0, 1}, {1, 3}}}, {3, {{2, 1}, {1, 3}}}};
  const double mean = (5 * 100 + 3 * 90) / 4.0;
  EXPECT_NEAR(programs_imbalance(launch, 1, 8), 200 / mean, 1e-9);
}

TEST(Imbalance, TooFewBlocksHaveSome) {
  Launch launch = looping(7);
  launch.grid = 5;
  launch.warp_kinds.pop_back();
  launch.warp_kinds[0].warps = 20;
  launch.block_kinds = {{5, {{0, 4}}}};
  EXPECT_NEAR(programs_imbalance(launch, 10, busiest_blocks(launch, 10)), 2, 1e-9)
      << "half of the SMs have nothing";
  EXPECT_NEAR(mean_busy_sms(launch, 10, busiest_blocks(launch, 10)), 5, 1e-9);
  launch.warp_kinds[0].program.clear();
  EXPECT_EQ(programs_imbalance(launch, 10, busiest_blocks(launch, 10)), 1) << "nothing is executed";
  EXPECT_EQ(mean_busy_sms(launch, 10, busiest_blocks(launch, 10)), 1);
}

TEST(Imbalance, LoopsOfUnequalTripCountsGetLongerWithoutMoreTraffic) {
  Launch launch = looping(5);
  count(launch, 1.5);
  EXPECT_NEAR(data_imbalance(launch), 1.5, 1e-9);
  const BusiestSmPrograms busiest = busiest_sm_programs(launch, kSms);
  // The mean is 62 instructions, 60 of them in the loop. The loop has to add half of all 62.
  const double factor = 1 + 0.5 * 62 / 60;
  EXPECT_EQ(busiest.programs[0][0].repeat, 1) << "outside the loop";
  EXPECT_EQ(busiest.programs[0][1].repeat, std::llround(7 * factor));
  EXPECT_EQ(busiest.programs[1][1].repeat, std::llround(5 * factor));
  const double now =
      80.0 * static_cast<double>(busiest.programs[0][1].repeat + busiest.programs[1][1].repeat);
  EXPECT_NEAR(busiest.shared_unit_scale.at(1) * now, 80 * (7 + 5), 1e-9)
      << "the accesses of all warps stay";
  EXPECT_EQ(busiest.shared_unit_scale[0], 1);
}

TEST(Imbalance, MoreImbalanceMakesNoProgramShorter) {
  double last = 0;
  for (const double imbalance : {0.5, 1.0, 1.03, 1.1, 1.19, 1.25, 1.4, 2.0, 30.0}) {
    Launch launch = looping(5);
    count(launch, imbalance);
    const double now = instructions_of(busiest_sm_programs(launch, kSms).programs[0]);
    EXPECT_GE(now, last) << imbalance;
    last = now;
  }
  EXPECT_GT(last, 1000);
}

// Faster SMs get more of the blocks that end soon.
TEST(Imbalance, LoopsOfShortWarpsInSeveralWavesStay) {
  Launch launch = looping(5);
  launch.resident_blocks = 2;
  count(launch, 1.5);
  EXPECT_FALSE(busiest_sm_programs(launch, kSms).is_longer);
  for (WarpKind& kind : launch.warp_kinds) kind.program[1].repeat *= 10;
  EXPECT_TRUE(busiest_sm_programs(launch, kSms).is_longer) << "over 500 instructions";
}

// Blocks that end at once are no waves of blocks: 40 of 400 work.
TEST(Imbalance, LoopsOfShortWarpsBesideIdleBlocksGetLonger) {
  Launch launch = looping(5);
  launch.grid = 400;
  launch.warp_kinds = {{160, {item(0, 2), loop(40, item(1, 10))}}, {1440, {item(0, 2)}}};
  launch.block_kinds = {{40, {{0, 4}}}, {360, {{1, 4}}}};
  ASSERT_EQ(working_blocks(launch, 10), 40);
  count(launch, 1.5);
  EXPECT_TRUE(busiest_sm_programs(launch, kSms).is_longer);
}

TEST(Imbalance, LoopsOfEqualTripCountsAndOfEvenLaunchesStay) {
  Launch alike = looping(7);
  count(alike, 1.1);
  EXPECT_EQ(busiest_sm_programs(alike, kSms).programs[0][1].repeat, 7)
      << "the placement of blocks may cause it";
  count(alike, 1.5);
  EXPECT_EQ(busiest_sm_programs(alike, kSms).programs[0][1].repeat, 11)
      << "the placement of blocks cannot cause it: trip counts differ";
  Launch even = looping(5);
  count(even, 1.0);
  EXPECT_EQ(busiest_sm_programs(even, kSms).programs[0][1].repeat, 7);
}

// Loops unrolled by four have remainders of up to three iterations, whatever the data.
TEST(Imbalance, RemaindersOfUnrolledLoopsStay) {
  Launch launch = looping(5);
  launch.segments.resize(3);
  launch.segments[2].classes = {{"int", 4}};
  launch.warp_kinds[0].program.push_back(loop(3, item(2, 4)));
  launch.warp_kinds[1].program.push_back(loop(2, item(2, 4)));
  count(launch, 1.5);
  const BusiestSmPrograms busiest = busiest_sm_programs(launch, kSms);
  EXPECT_EQ(busiest.programs[0][2].repeat, 3);
  EXPECT_GT(busiest.programs[0][1].repeat, 10);
  launch.warp_kinds[1].program[2].repeat = 4;
  EXPECT_GT(busiest_sm_programs(launch, kSms).programs[0][2].repeat, 3)
      << "other warps have more iterations: not a remainder";
  launch.warp_kinds[1].program[2].repeat = 2;
  launch.segments[2].classes = {{"int", 6}};
  for (WarpKind& kind : launch.warp_kinds) kind.program[2].body[0].counts = {6, 0, 0};
  EXPECT_GT(busiest_sm_programs(launch, kSms).programs[0][2].repeat, 3)
      << "too long for a remainder loop";
}

TEST(Imbalance, TheLastLaneIteratesAlone) {
  Launch launch = looping(5);
  launch.segments[1].lanes = 10;
  launch.segments[1].accesses.push_back({.access_class = "global_load",
                                         .count = 1,
                                         .bytes = 4,
                                         .sectors = 10,
                                         .tag_lookups = 10,
                                         .lanes = 10});
  count(launch, 1.5);
  const BusiestSmPrograms busiest = busiest_sm_programs(launch, kSms);
  const auto& program = busiest.programs[0];
  ASSERT_EQ(program.size(), 3u);
  EXPECT_EQ(program[1].repeat, 7) << "as counted";
  EXPECT_EQ(program[2].body[0].segment, 1u + launch.segments.size());
  EXPECT_EQ(program[2].repeat, std::llround(7 * (1 + 0.5 * 62 / 60)) - 7);
  const auto iterations = static_cast<double>(80 * (7 + 5));
  const auto added = static_cast<double>(80 * (program[2].repeat + busiest.programs[1][2].repeat));
  EXPECT_NEAR(busiest.shared_unit_scale[1] * (iterations + added / 10), iterations, 1e-9)
      << "each with a tenth of the lanes";
  launch.segments[1].lanes = 30;
  launch.segments[1].accesses[0].lanes = 1;
  EXPECT_EQ(busiest_sm_programs(launch, kSms).programs[0].size(), 2u)
      << "the lanes stay together, and one of them stores";
}

// All lanes of the warp test for the end of the loop, few of them execute most of its body.
TEST(Imbalance, LanesThatTestTogetherStayTogether) {
  Launch launch = looping(5);
  launch.segments.resize(3);
  launch.segments[1].lanes = 3;
  launch.segments[2].classes = {{"int", 1}};
  for (WarpKind& kind : launch.warp_kinds) kind.program[1].body.push_back(item(2, 1));
  count(launch, 1.5);
  const BusiestSmPrograms busiest = busiest_sm_programs(launch, kSms);
  EXPECT_TRUE(busiest.is_longer);
  EXPECT_EQ(busiest.programs[0].size(), 2u);
  launch.segments[2].lanes = 20;
  EXPECT_EQ(busiest_sm_programs(launch, kSms).programs[0].size(), 3u)
      << "the last lane iterates alone";
}

TEST(Imbalance, ASmallLoopDoesNotExplainMuch) {
  Launch launch = looping(5);
  launch.segments[0].classes = {{"int", 500}};
  for (WarpKind& kind : launch.warp_kinds) kind.program[0].counts = {500, 0, 0};
  count(launch, 1.5);
  EXPECT_EQ(busiest_sm_programs(launch, kSms).programs[0][1].repeat, 7);
}

TEST(Imbalance, CountsThatCannotBeAreNone) {
  Launch launch = looping(5);
  for (const std::int64_t sms : {std::int64_t{0}, std::int64_t{1} << 40}) {
    count(launch, 2);
    launch.counters[kProfiledSms] = sms;
    EXPECT_EQ(data_imbalance(launch), 1) << sms;
  }
  count(launch, 2);
  launch.counters[kBusiestScheduler] = 2'000'000;
  EXPECT_EQ(data_imbalance(launch), 1) << "one scheduler executed more than all";
  launch.counters = {{kAllSchedulers, std::int64_t{1} << 62},
                     {kBusiestScheduler, std::int64_t{1} << 62},
                     {kProfiledSms, 10}};
  const BusiestSmPrograms busiest = busiest_sm_programs(launch, kSms);
  EXPECT_LE(busiest.programs[0][1].repeat, kMaxRepeat);
  EXPECT_GT(busiest.programs[0][1].repeat, 7 * 30) << "one scheduler executed everything";
}

// 25 blocks on 10 SMs with two resident blocks each: by its share the busiest SM has three blocks,
// by the counters four. The four run as two waves of two.
TEST(Imbalance, WholeBlocksMoreAreNotDataDependent) {
  Launch launch = looping(7);
  launch.grid = 25;
  launch.resident_blocks = 2;
  launch.warp_kinds = {{100, {item(0, 2), loop(200, item(1, 10))}}};
  launch.block_kinds.clear();
  count(launch, 4 / 2.5);
  EXPECT_EQ(busiest_blocks(launch, 10), 4);
  EXPECT_NEAR(data_imbalance(launch), 1, 0.01);
  const Heuristics without = Heuristics{}.without(Heuristic::kBusiestBlocks);
  EXPECT_EQ(busiest_blocks(launch, 10, without), 3);
  EXPECT_NEAR(data_imbalance(launch, without), 4. / 3, 0.01) << "of three blocks, as of the mean";
  EXPECT_NEAR(mean_busy_sms(launch, 10, 3), 25. / 3, 1e-9);
  count(launch, 3.5 / 2.5);
  EXPECT_EQ(busiest_blocks(launch, 10), 3) << "the data cause half a block";
  EXPECT_GT(data_imbalance(launch), 1.1);
  count(launch, 5 / 2.5);
  EXPECT_EQ(busiest_blocks(launch, 10), 3) << "a third round";
  count(launch, 4 / 2.5);
  EXPECT_EQ(busiest_blocks(launch, 12), 3) << "on SMs that were not profiled";
  launch.block = 96;  // three warps a block: one scheduler has more of them than the next
  launch.warp_kinds[0].warps = 75;
  EXPECT_EQ(busiest_blocks(launch, 10), 3);
  launch.block = 128;
  launch.warp_kinds[0].warps = 100;
  EXPECT_EQ(busiest_blocks(launch, 10), 4);
  launch.warp_kinds[0].program[1].repeat = 20;
  EXPECT_EQ(busiest_blocks(launch, 10), 3) << "short blocks go to the faster SMs";
}

// The first 20 of 1000 blocks work, the others end at once: an SM may get three of them, although
// all could run at a time on two an SM.
TEST(Imbalance, BlocksThatWorkBesideIdleOnesAreCounted) {
  Launch launch = looping(7);
  launch.grid = 1000;
  launch.resident_blocks = 8;
  launch.warp_kinds = {{80, {item(0, 2), loop(1000, item(1, 10))}}, {3920, {item(0, 2)}}};
  launch.block_kinds = {{20, {{0, 4}}}, {980, {{1, 4}}}};
  const double of_idle = 3920 * 2 / 40.0, of_block = 10'002;
  const auto blocks = [&](double busiest) {
    launch.counters = {{kAllSchedulers, 80 * 10'002 + 3920 * 2},
                       {kBusiestScheduler, std::llround(of_idle + busiest * of_block)},
                       {kProfiledSms, 10}};
    return busiest_blocks(launch, 10);
  };
  EXPECT_EQ(blocks(2), 2);
  EXPECT_EQ(blocks(3), 3);
  EXPECT_EQ(blocks(5), 5);
  EXPECT_EQ(blocks(3.5), 2) << "the data cause half a block";
  EXPECT_EQ(blocks(9), 2) << "more than are resident";
  EXPECT_NEAR(data_imbalance(launch), 4.5, 0.1);
}

// One of 20 blocks computes long after all have stored: L2 is shared by all SMs, not by the two
// that the instructions would tell.
TEST(Imbalance, SmsAreAsBusyAsTheyRequestSectors) {
  Launch launch = looping(7);
  launch.grid = 20;
  launch.segments[0].accesses = {{.access_class = "global_store", .count = 1, .sectors = 4}};
  launch.warp_kinds = {{4, {item(0, 2), loop(700, item(1, 10))}}, {76, {item(0, 2)}}};
  launch.block_kinds = {{1, {{0, 4}}}, {19, {{1, 4}}}};
  EXPECT_NEAR(mean_busy_sms(launch, 10, 2), 10, 1e-9);
  launch.segments[1].accesses = {{.access_class = "global_load", .count = 1, .sectors = 4}};
  launch.counters = {{"l1_load_sectors", 11'200}, {"l1_load_hit_sectors", 11'200}};
  EXPECT_NEAR(mean_busy_sms(launch, 10, 2), 10, 1e-9) << "L1 has what the block loads";
  launch.counters["l1_load_hit_sectors"] = 0;
  EXPECT_LT(mean_busy_sms(launch, 10, 2), 1.1);
  launch.segments[1].accesses.clear();
  launch.segments[0].accesses.clear();
  EXPECT_LT(mean_busy_sms(launch, 10, 2), 1.1);
  launch.segments[1].accesses = {{.access_class = "global_store", .count = 1, .sectors = 4}};
  launch.block_kinds = {{19, {{1, 4}}}, {1, {{0, 4}}}};
  EXPECT_GE(mean_busy_sms(launch, 10, 2), 1);
}

// 15 blocks on 10 SMs, one at a time: 9 work, and 6 end at once, so no SM executes two that work.
TEST(Imbalance, BlocksThatEndAtOnceDoNotFillAWave) {
  Launch launch = looping(7);
  launch.grid = 15;
  launch.resident_blocks = 1;
  launch.warp_kinds = {{36, {item(0, 2), loop(200, item(1, 10))}}, {24, {item(0, 2)}}};
  launch.block_kinds = {{9, {{0, 4}}}, {6, {{1, 4}}}};
  EXPECT_EQ(working_blocks(launch, 10), 9);
  EXPECT_EQ(busiest_blocks(launch, 10), 1);
  const std::vector<Phase> phases = phases_of_sm(launch, 10, 1);
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_EQ(phases[0].blocks, 1);
  EXPECT_EQ(phases[0].kinds, (std::vector<std::size_t>{0, 0, 0, 0}));
  EXPECT_NEAR(mean_busy_sms(launch, 10, 1), 9, 0.1);
  const Heuristics without = Heuristics{}.without(Heuristic::kIdleBlocks);
  EXPECT_EQ(busiest_blocks(launch, 10, without), 2);
  EXPECT_EQ(phases_of_sm(launch, 10, 2, without)[0].blocks, 2);
  launch.resident_blocks = 2;
  EXPECT_EQ(working_blocks(launch, 10), 15) << "all begin together, so none takes another's place";
  EXPECT_EQ(busiest_blocks(launch, 10), 2);
  // The counters say that an SM got two of the blocks that work, beside some that do not.
  launch.grid = 36;
  launch.warp_kinds[0].warps = 4 * 22;
  launch.warp_kinds[1].warps = 4 * 14;
  launch.block_kinds = {{22, {{0, 4}}}, {14, {{1, 4}}}};
  EXPECT_EQ(busiest_blocks(launch, 10), 3);
  count(launch, 4.03 / 2.2);
  EXPECT_EQ(busiest_blocks(launch, 10), 4);
  EXPECT_EQ(phases_of_sm(launch, 10, 2).back().blocks, 1) << "14 others on 10 SMs";
  EXPECT_EQ(phases_of_sm(launch, 10, 22).back().blocks, 1);
  launch.warp_kinds[1].program = {item(0, 2), loop(9, item(1, 10))};
  EXPECT_EQ(working_blocks(launch, 10), 22) << "4 % of the longest";
  launch.grid = 22 + 300;
  launch.warp_kinds[1].warps = 4 * 300;
  launch.block_kinds[1].blocks = 300;
  EXPECT_EQ(working_blocks(launch, 10), 322) << "together they do work";
}

TEST(Imbalance, IsKeptForOtherBlocks) {
  Launch launch = looping(5);
  count(launch, 1.5);
  Launch other = launch;
  other.block = 64;
  other.grid = 80;
  other.block_kinds = {{40, {{0, 2}}}, {40, {{1, 2}}}};
  set_data_imbalance(data_imbalance(launch), other);
  EXPECT_NEAR(data_imbalance(other), 1.5, 1e-3);
}

}  // namespace
}  // namespace pnsim
