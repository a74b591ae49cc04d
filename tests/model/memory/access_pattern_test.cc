// How lanes access memory, from the means of an access.
#include "simulator/model/memory/access_pattern.h"

#include <gtest/gtest.h>

#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// A load of 4 bytes a lane with the given sectors and lines.
SegmentAccess load_with(double sectors, double lines, Addresses addresses = Addresses::kUnknown) {
  return {.access_class = "global_load",
          .count = 1,
          .bytes = 4,
          .sectors = sectors,
          .tag_lookups = lines,
          .addresses = addresses};
}

TEST(AccessPattern, ARowIsCoalescedWhereverItBegins) {
  EXPECT_TRUE(access_pattern(load_with(4, 1)).coalesced);
  EXPECT_TRUE(access_pattern(load_with(5, 2)).coalesced) << "it begins within a sector";
  EXPECT_FALSE(access_pattern(load_with(6, 2)).coalesced);
  SegmentAccess few_lanes = load_with(4, 4);
  few_lanes.lanes = 4;
  EXPECT_FALSE(access_pattern(few_lanes).coalesced) << "a sector each, not one";
}

TEST(AccessPattern, SingleSectorsAreOneOfALine) {
  EXPECT_TRUE(access_pattern(load_with(32, 32)).single_sectors);
  EXPECT_FALSE(access_pattern(load_with(32, 16)).single_sectors);
}

TEST(AccessPattern, AGatherHasMoreLinesThanRowsHave) {
  EXPECT_FALSE(access_pattern(load_with(32, 8)).gather);
  EXPECT_TRUE(access_pattern(load_with(32, 9)).gather);
  SegmentAccess few_lanes = load_with(4, 4, Addresses::kLoaded);
  EXPECT_FALSE(access_pattern(few_lanes).gather);
  few_lanes.lanes = 4;
  EXPECT_TRUE(access_pattern(few_lanes).gather) << "32 lanes would have 32 lines";
  EXPECT_EQ(access_pattern(few_lanes).lines_of_32_lanes, 32);
}

TEST(AccessPattern, RandomLinesHaveLoadedAddressesOrLanesThatMeet) {
  EXPECT_TRUE(access_pattern(load_with(31, 31, Addresses::kLoaded)).random);
  EXPECT_TRUE(access_pattern(load_with(30, 30)).random) << "lanes share two of 32 lines";
  EXPECT_FALSE(access_pattern(load_with(32, 32)).random) << "columns, perhaps";
  EXPECT_FALSE(access_pattern(load_with(30, 30, Addresses::kComputed)).random);
  EXPECT_FALSE(access_pattern(load_with(4, 1, Addresses::kLoaded)).random) << "a row";
}

TEST(AccessPattern, LinesArePrivateUnlessTheyAreRowsAtComputedAddresses) {
  EXPECT_TRUE(access_pattern(load_with(4, 1, Addresses::kLoaded)).private_lines);
  EXPECT_TRUE(access_pattern(load_with(32, 32)).private_lines);
  EXPECT_FALSE(access_pattern(load_with(4, 1, Addresses::kComputed)).private_lines);
}

TEST(AccessPattern, StridedWordsAreSingleWordsAtComputedAddresses) {
  SegmentAccess words = load_with(32, 32, Addresses::kComputed);
  EXPECT_TRUE(access_pattern(words).strided_words);
  words.bytes = 8;
  EXPECT_FALSE(access_pattern(words).single_words) << "two words a sector";
  EXPECT_FALSE(access_pattern(load_with(32, 32, Addresses::kLoaded)).strided_words);
  EXPECT_TRUE(access_pattern(load_with(32, 32, Addresses::kLoaded)).single_words);
}

TEST(AccessPattern, TheClassSaysWhatTheAccessDoes) {
  const auto of = [](const char* name) {
    return access_pattern({.access_class = name, .count = 2, .tag_lookups = 6});
  };
  EXPECT_TRUE(of("global_load").is_load);
  EXPECT_EQ(of("global_load").lines, 3);
  EXPECT_TRUE(of("global_store").is_store);
  EXPECT_TRUE(of("global_reduction").is_store && of("global_reduction").is_atomic);
  EXPECT_TRUE(of("global_atomic").is_load && of("global_atomic").is_atomic);
  EXPECT_TRUE(of("local_load").is_load && of("local_load").is_local);
  EXPECT_TRUE(of("texture").is_texture && of("texture").is_fetch);
  EXPECT_TRUE(of("surface_load").is_fetch && !of("surface_load").is_texture);
  EXPECT_TRUE(of("shared_load").is_shared && !of("shared_load").is_load);
}

TEST(AccessPattern, ThereIsOneForEachAccessOfALaunch) {
  Launch launch = uneven_launch();
  launch.segments[1] = load_of_lines(32);
  const AccessPatterns patterns = access_patterns(launch);
  ASSERT_EQ(patterns.size(), 2u);
  EXPECT_TRUE(patterns[0].empty());
  ASSERT_EQ(patterns[1].size(), 1u);
  EXPECT_TRUE(patterns[1][0].gather);
}

}  // namespace
}  // namespace pnsim
