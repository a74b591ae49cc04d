// Tests which of the swept block sizes is reported as the best.
#include "simulator/analysis/sweep/best_blocks.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

using Lines = std::vector<std::string>;

TEST(BestBlocks, TheFewestStepsWinAndThoseNearlyAsFewAreNamed) {
  BestBlocks blocks;
  blocks.add({"n=1", 64, 102, 1.02});
  blocks.add({"n=1", 128, 100, 1, true});
  blocks.add({"n=1", 256, 200, 2});
  EXPECT_EQ(
      blocks.lines(),
      Lines{
          "n=1: block=128 (what-if) takes the fewest steps of 3 sizes; nearly as good: 64 (+2.0 % "
          "steps); "
          "us: 1.020 at 64, 1.000 at 128, 2.000 at 256"});
  EXPECT_TRUE(blocks.has_what_if());
}

TEST(BestBlocks, ATieGoesToTheSmallestSizeAndTheLineSaysSo) {
  EXPECT_EQ(first_of_the_least(std::vector<double>{1006, 1004, 1000, 1000}), 1u);
  EXPECT_EQ(first_of_the_least(std::vector<double>{1000, 1000.1}), 0u);
  EXPECT_EQ(first_of_the_least(std::vector<double>{3, 2, 1}), 2u);
  EXPECT_EQ(first_of_the_least(std::vector<double>{0, 0}), 0u);
  BestBlocks blocks;
  blocks.add({"", 64, 1001, 1.001});
  blocks.add({"", 1024, 1000, 1});
  EXPECT_EQ(
      blocks.lines(),
      Lines{"block=64 is the smallest of 2 sizes within 0.5 % of the fewest steps; nearly as good: "
            "1024 (-0.1 % steps); "
            "us: 1.001 at 64, 1.000 at 1024"});
}

TEST(BestBlocks, SettingsComeInTheOrderOfTheirNumbers) {
  BestBlocks blocks;
  for (const char* others : {"l1=100 l2=2", "l1=20 l2=10", "l1=20 l2=2"}) {
    blocks.add({others, 64, 100});
    blocks.add({others, 128, 200});
  }
  const Lines lines = blocks.lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("l1=20 l2=2:"));
  EXPECT_TRUE(lines[1].starts_with("l1=20 l2=10:"));
  EXPECT_TRUE(lines[2].starts_with("l1=100 l2=2:"));
}

// These rows have few steps only because their runs were cut off or ended dead.
TEST(BestBlocks, RunsThatDidNotEndAreNeverTheBest) {
  BestBlocks blocks;
  blocks.add({"", 64, 10, 0, false, false});
  blocks.add({"", 128, 100, 1});
  blocks.add({"", 256, 200, 2});
  blocks.add({"", 512, 20, 0, true, false});
  EXPECT_EQ(blocks.lines(),
            Lines{"block=128 takes the fewest steps of 4 sizes; us: 1.000 at 128, 2.000 at 256; "
                  "no end at 64, 512 (what-if)"});
}

TEST(BestBlocks, NoSizeIsTheBestWhereNoneEnded) {
  BestBlocks blocks;
  blocks.add({"n=1", 64, 10, 0, false, false});
  blocks.add({"n=1", 128, 10, 0, false, false});
  EXPECT_EQ(blocks.lines(), Lines{"n=1: no run ended at any of 2 sizes"});
}

}  // namespace
}  // namespace pnsim
