#include "simulator/model/paper/waves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/base/error_of.h"

namespace pnsim {
namespace {

constexpr InstructionCounts kA{1, 0, 0}, kB{2, 0, 0}, kC{3, 0, 0};

WarpKind kind(std::int64_t warps, InstructionCounts counts) {
  return {warps, {ProgramItem{.repeat = 1, .counts = counts, .body = {}}}};
}

Launch launch(std::int64_t grid, std::int64_t block, std::int64_t resident,
              std::vector<WarpKind> kinds) {
  Launch out;
  out.kernel = "k";
  out.grid = grid;
  out.block = block;
  out.resident_blocks = resident;
  out.warp_kinds = std::move(kinds);
  return out;
}

TEST(Waves, ByHand) {
  // The busier of 2 SMs has 5 of 10 blocks, 2 at a time: two full waves and a tail of one block.
  const LaunchWaves waves = launch_waves(launch(10, 64, 2, {kind(4, kA), kind(16, kB)}), 2);
  EXPECT_EQ(waves.full_waves, 2);
  EXPECT_EQ(waves.full.blocks, 2);
  // Four warps stand for warps 2, 7, 12 and 17 of the twenty.
  EXPECT_EQ(waves.full.warps, (std::vector<InstructionCounts>{kA, kB, kB, kB}));
  ASSERT_TRUE(waves.tail.has_value());
  EXPECT_EQ(waves.tail->blocks, 1);
  EXPECT_EQ(waves.tail->warps, (std::vector<InstructionCounts>{kB, kB}));  // warps 5 and 15
}

TEST(Waves, ALaunchThatFitsAtOnceIsOneFullWave) {
  const LaunchWaves waves = launch_waves(launch(300, 32, 8, {kind(300, kA)}), 132);
  EXPECT_EQ(waves.full_waves, 1);
  EXPECT_EQ(waves.full.blocks, 3);  // ceil(300 / 132), fewer than could reside
  EXPECT_EQ(waves.full.warps.size(), 3u);
  EXPECT_FALSE(waves.tail.has_value());
}

TEST(Waves, BlocksThatFillTheirWavesHaveNoTail) {
  const LaunchWaves waves = launch_waves(launch(24, 32, 4, {kind(24, kA)}), 2);
  EXPECT_EQ(waves.full_waves, 3);
  EXPECT_FALSE(waves.tail.has_value());
}

TEST(Waves, ABlockThatIsNoMultipleOf32HasAPartialWarp) {
  const LaunchWaves waves = launch_waves(launch(1, 33, 1, {kind(2, kA)}), 1);
  EXPECT_EQ(waves.full.warps.size(), 2u);
}

TEST(Waves, AWaveOfTheWholeLaunchIsTheLaunchWarpByWarp) {
  const LaunchWaves waves =
      launch_waves(launch(3, 96, 3, {kind(2, kA), kind(6, kB), kind(1, kC)}), 1);
  EXPECT_EQ(waves.full.warps, (std::vector<InstructionCounts>{kA, kA, kB, kB, kB, kB, kB, kB, kC}));
}

TEST(Waves, EveryKindHasItsShareToWithinAWarp) {
  for (const std::int64_t a : {1, 7, 100, 1000, 1999}) {
    for (const std::int64_t resident : {1, 3, 16}) {
      const std::int64_t all = 2000;  // warps, one a block
      const Wave wave =
          launch_waves(launch(all, 32, resident, {kind(a, kA), kind(all - a, kB)}), 7).full;
      const auto of_a = std::count(wave.warps.begin(), wave.warps.end(), kA);
      const double share = static_cast<double>(a * resident) / all;
      EXPECT_LE(std::abs(static_cast<double>(of_a) - share), 1.0) << a << " " << resident;
    }
  }
}

TEST(Waves, SumOverLoopsIsWhatAWarpExecutes) {
  ProgramItem loop{.repeat = 5, .counts = {}, .body = {ProgramItem{1, {2, 1, 0}, {}}}};
  Launch l = launch(1, 32, 1, {{1, {ProgramItem{1, {1, 0, 3}, {}}, loop}}});
  EXPECT_EQ(launch_waves(l, 1).full.warps.at(0), (InstructionCounts{11, 5, 3}));
}

TEST(Waves, HugeGridsDoNotOverflow) {
  const std::int64_t grid = std::int64_t{1} << 40;
  const LaunchWaves waves =
      launch_waves(launch(grid, 1024, 2, {kind(32, kA), kind(grid * 32 - 32, kB)}), 132);
  EXPECT_EQ(waves.full_waves, ((grid + 131) / 132) / 2);
  EXPECT_EQ(waves.full.warps.back(), kB);
}

TEST(Waves, OverTheBoundOfWarpsAreRefused) {
  EXPECT_EQ(
      test::input_error_of([] { launch_waves(launch(4000, 1024, 4000, {kind(128'000, kA)}), 1); }),
      "kernel k: found 128000 warps on one SM, expected at most 65536");
}

}  // namespace
}  // namespace pnsim
