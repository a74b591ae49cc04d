// Warps that differ by their data: the busiest scheduler's loops go on longer.
#include "simulator/model/imbalance.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

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

// 40 blocks of 4 warps on 10 SMs: 2 instructions, and a loop of 10 instructions, whose turns are 7
// for the first half of the warps and `others` for the others.
Launch looping(std::int64_t others) {
  Launch launch;
  launch.grid = 40;
  launch.block = 128;
  launch.segments.resize(2);
  launch.segments[0].classes = {{"int", 2}};
  launch.segments[1].classes = {{"int", 10}};
  launch.warp_kinds = {{80, {item(0, 2), loop(7, item(1, 10))}},
                       {80, {item(0, 2), loop(others, item(1, 10))}}};
  launch.block_kinds = {{20, {{0, 4}}}, {20, {{1, 4}}}};
  return launch;
}

void count(Launch& launch, double imbalance) {
  launch.counters = {{kAllSchedulers, 1'000'000},
                     {kBusiestScheduler, static_cast<std::int64_t>(imbalance * 1'000'000 / 40)}};
}

TEST(Imbalance, ProgramsDealtEvenlyHaveNone) {
  EXPECT_NEAR(programs_imbalance(looping(7), 10, 4), 1, 1e-9);
  EXPECT_NEAR(programs_imbalance(looping(6), 10, 4), 1, 1e-9)
      << "two blocks of each kind on each SM";
  EXPECT_EQ(counted_imbalance(looping(7), 10, 4), 0) << "nobody counted";
}

TEST(Imbalance, TooFewBlocksAndTooFewWarpsHaveSome) {
  Launch launch = looping(7);
  launch.grid = 5;
  launch.warp_kinds.pop_back();
  launch.warp_kinds[0].warps = 20;
  launch.block_kinds = {{5, {{0, 4}}}};
  EXPECT_NEAR(programs_imbalance(launch, 10, 4), 2, 1e-9) << "half of the SMs have nothing";
  EXPECT_NEAR(mean_busy_sms(launch, 10), 5, 1e-9);
}

TEST(Imbalance, LoopsThatDoNotComeOutEvenGoOnLonger) {
  Launch launch = looping(6);
  count(launch, 1.5);
  const Stretch stretch = stretch_of(launch, 10, 4);
  EXPECT_FALSE(stretch.segments.at(0)) << "all do that once";
  EXPECT_TRUE(stretch.segments.at(1));
  // 67 instructions in the mean, 65 of them in the loop: to make half as many more, it has to do
  // them all.
  EXPECT_NEAR(stretch.factor, 1 + 0.5 * 67 / 65, 1e-9);
  const auto longer = stretched(launch.warp_kinds[0].program, stretch);
  EXPECT_EQ(longer[0].repeat, 1);
  EXPECT_EQ(longer[1].repeat, 11) << "7 times 1.515";
}

TEST(Imbalance, LoopsOfEqualTurnsAndThoseOfEvenLaunchesStay) {
  Launch alike = looping(7);
  count(alike, 1.5);
  EXPECT_EQ(stretch_of(alike, 10, 4).factor, 1) << "blocks were placed unevenly: no data's doing";
  Launch even = looping(6);
  count(even, 1.0);
  EXPECT_EQ(stretch_of(even, 10, 4).factor, 1);
  EXPECT_EQ(stretched(even.warp_kinds[0].program, {})[1].repeat, 7);
}

TEST(Imbalance, ASmallLoopDoesNotExplainMuch) {
  Launch launch = looping(6);
  launch.segments[0].classes = {{"int", 500}};
  for (WarpKind& kind : launch.warp_kinds) kind.program[0].counts = {500, 0, 0};
  count(launch, 1.5);
  EXPECT_EQ(stretch_of(launch, 10, 4).factor, 1);
}

}  // namespace
}  // namespace pnsim
