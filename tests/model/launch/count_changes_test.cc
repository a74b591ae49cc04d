// Tests changed instruction counts: on warps, and on the segments of programs.
#include "simulator/model/launch/count_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

TEST(CountChanges, AValueIsTheCountOfEveryWarp) {
  std::vector<InstructionCounts> warps{{10, 2, 3}, {20, 2, 0}};
  change_counts(count_changes({{"xa", {7}}, {"l1", {40}}}, {}), warps);
  EXPECT_EQ(warps[0], (InstructionCounts{7, 2, 3}));
  EXPECT_EQ(warps[1], (InstructionCounts{7, 2, 0}));
}

TEST(CountChanges, TheFractionsOfAFactorAreSpreadOverTheWarps) {
  std::vector<InstructionCounts> warps(4, {0, 1, 3});
  change_counts(count_changes({}, {{"xs", 0.5}, {"xg", 0.5}}), warps);
  std::int64_t shared = 0, global = 0;
  for (const InstructionCounts& warp : warps) shared += warp.shared, global += warp.global;
  EXPECT_EQ(shared, 2) << "rounding each warp would give 4";
  EXPECT_EQ(global, 6);
  EXPECT_EQ(warps[0].arithmetic, 0);
}

TEST(CountChanges, BadValuesAreRefused) {
  const std::string list = test::error_of(ExitCode::kUsage, [] {
    count_changes({{"xa", {1, 2}}}, {});
  });
  EXPECT_THAT(list, HasSubstr("found 2 values, expected one"));
  const std::string negative = test::error_of(ExitCode::kBadInput, [] {
    count_changes({{"xg", {-1}}}, {});
  });
  EXPECT_THAT(negative, HasSubstr("found -1, expected 0"));
}

// Each warp has 2 arithmetic and 2 global instructions.
Launch launch_with_counts() {
  Launch launch = toy_launch();
  for (ProgramItem& item : launch.warp_kinds[0].program) {
    item.counts = launch.segments[*item.segment].counts();
  }
  return launch;
}

TEST(CountFactors, AValueIsAFactorOnTheMeanWarp) {
  const CountFactors factors =
      count_factors(count_changes({{"xa", {3}}}, {{"xg", 0.25}}), launch_with_counts());
  EXPECT_DOUBLE_EQ(factors.arithmetic, 1.5);
  EXPECT_DOUBLE_EQ(factors.global, 0.25);
  EXPECT_DOUBLE_EQ(factors.shared, 1);
  EXPECT_EQ(count_factors({}, launch_with_counts()), CountFactors{});
}

TEST(CountFactors, InstructionsThatNoWarpHasCannotBeSet) {
  const std::string error = test::error_of(ExitCode::kBadInput, [] {
    count_factors(count_changes({{"xs", {5}}}, {}), launch_with_counts());
  });
  EXPECT_THAT(error, HasSubstr("kernel toy has no accesses to shared memory"));
  EXPECT_EQ(count_factors(count_changes({{"xs", {0}}}, {}), launch_with_counts()).shared, 0)
      << "none is what it has";
}

TEST(CountFactors, ScaleInstructionsWithWhatTheyBringAlong) {
  Segment segment = toy_launch().segments[0];
  segment.distances = {2, 0, 1};
  segment.predicate_stalls = 1;
  segment.branches = 1;
  segment.last_producer_slots[LateResult::kGlobal] = 8;
  scale_counts({.arithmetic = 3, .shared = 1, .global = 0.5}, segment);
  EXPECT_DOUBLE_EQ(segment.classes.at("int"), 3);
  EXPECT_DOUBLE_EQ(segment.classes.at("global_load"), 0.5);
  EXPECT_DOUBLE_EQ(segment.accesses[0].count, 0.5);
  EXPECT_DOUBLE_EQ(segment.accesses[0].sectors, 2);
  EXPECT_DOUBLE_EQ(segment.accesses[0].tag_lookups, 0.5);
  EXPECT_EQ(segment.distances, (std::array<double, 3>{6, 0, 3}));
  EXPECT_DOUBLE_EQ(segment.predicate_stalls, 3);
  EXPECT_DOUBLE_EQ(segment.branches, 1) << "the control flow stays";
  EXPECT_EQ(segment.last_producer_slots.at(LateResult::kGlobal), 14)
      << "8 slots of 2 instructions, now 3.5";
}

TEST(CountFactors, AccessesWithTheFactorZeroDisappear) {
  Segment segment = toy_launch().segments[1];
  scale_counts({.arithmetic = 1, .shared = 1, .global = 0}, segment);
  EXPECT_TRUE(segment.accesses.empty());
  EXPECT_EQ(segment.classes, (std::map<std::string, double>{{"fp32", 1}}));
}

}  // namespace
}  // namespace pnsim
