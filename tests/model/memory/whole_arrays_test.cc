#include "simulator/model/memory/whole_arrays.h"

#include <gtest/gtest.h>

#include "simulator/model/memory/traffic.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

constexpr double kWarps = 100;

// Loads of 2 bytes a lane.
SegmentAccess halves(double count, double sectors_of_one) {
  return {.access_class = "global_load",
          .count = count,
          .bytes = 2,
          .sectors = count * sectors_of_one,
          .tag_lookups = count};
}

// Four segments that an unrolled loop left, of such loads each.
std::vector<LoadsInOrder> unrolled(const SegmentAccess& loads) {
  return std::vector<LoadsInOrder>(4, {&loads, kWarps, true});
}

// A matrix and a vector that all of its rows use.
TEST(WholeArrays, OneOfTwoMissesInEverySegment) {
  const SegmentAccess both = halves(2, 2);  // 16 sectors a warp, 8 of each array
  const auto hits = hits_of_arrays(unrolled(both), kWarps, 8 * kWarps);
  ASSERT_TRUE(hits);
  EXPECT_EQ(*hits, std::vector<double>(4, 0.5)) << "not those of the first two segments";
}

TEST(WholeArrays, AreToldApartByTheirKind) {
  const SegmentAccess mask{
      .access_class = "global_load", .count = 1, .bytes = 1, .sectors = 1, .tag_lookups = 1};
  const SegmentAccess data = halves(1, 2);
  std::vector<LoadsInOrder> loads;
  for (int i = 0; i < 4; ++i) {
    loads.push_back({&mask, kWarps, true});
    loads.push_back({&data, kWarps, true});
  }
  const auto hits = hits_of_arrays(loads, kWarps, 8 * kWarps);
  ASSERT_TRUE(hits);
  for (std::size_t i = 0; i < loads.size(); i += 2) {
    EXPECT_EQ((*hits)[i], 1) << "the mask";
    EXPECT_EQ((*hits)[i + 1], 0);
  }
}

// 32 lanes of 2 bytes fill 2 sectors, and rows at any address touch 2.875.
TEST(WholeArrays, RowsThatBeginWithinASectorMissTheirOwnPart) {
  const SegmentAccess shifted = halves(2, 2.875);
  const auto hits = hits_of_arrays(unrolled(shifted), kWarps, 16 * kWarps);
  ASSERT_TRUE(hits);
  for (const double share : *hits) EXPECT_NEAR(share, 1 - 2 / 2.875, 1e-9);
  SegmentAccess one_lane = halves(2, 1);
  one_lane.lanes = 1;
  EXPECT_FALSE(hits_of_arrays(unrolled(one_lane), kWarps, 0.5 * kWarps)) << "no row";
}

// All misses are dealt, although their number is only nearly that of the arrays.
TEST(WholeArrays, MissesAddUpToTheCountedOnes) {
  const SegmentAccess both = halves(2, 2);
  for (const double misses : {7.6, 8.0, 8.4}) {
    const auto hits = hits_of_arrays(unrolled(both), kWarps, misses * kWarps);
    ASSERT_TRUE(hits) << misses;
    double missed = 0;
    for (const double share : *hits) missed += 4 * (1 - share);
    EXPECT_NEAR(missed, misses, 1e-9);
  }
}

TEST(WholeArrays, AreNotFoundWhereNoneFits) {
  const SegmentAccess both = halves(2, 2);
  EXPECT_FALSE(hits_of_arrays(unrolled(both), kWarps, 11 * kWarps));
  EXPECT_FALSE(hits_of_arrays(unrolled(both), kWarps, 0)) << "all hit";
  EXPECT_FALSE(hits_of_arrays({}, kWarps, 0));
  const SegmentAccess part = halves(1.5, 2);
  EXPECT_FALSE(hits_of_arrays(unrolled(part), kWarps, 6 * kWarps)) << "a fraction of a load";
  const SegmentAccess many = halves(9, 2);
  EXPECT_FALSE(hits_of_arrays(unrolled(many), kWarps, 36 * kWarps)) << "too many arrays";
}

// Three segments load an array, and one of them a second one as well: no unrolled loop.
TEST(WholeArrays, AreLoadedEquallyOften) {
  const SegmentAccess one = halves(1, 2), two = halves(2, 2);
  const std::vector<LoadsInOrder> loads{
      {&one, kWarps, true}, {&one, kWarps, true}, {&two, kWarps, true}};
  EXPECT_FALSE(hits_of_arrays(loads, kWarps, 2 * kWarps));
  EXPECT_FALSE(hits_of_arrays({{&two, kWarps, true}}, kWarps, 2 * kWarps)) << "loaded once";
}

// In a launch: with the heuristic every segment has half of the misses, without it the first ones.
TEST(WholeArrays, DecideWhichLoadsOfALaunchMiss) {
  Launch launch = uneven_launch();
  Segment segment = load_of_lines(2);
  segment.accesses[0].count = 2;
  segment.accesses[0].sectors = 8;
  launch.segments = {segment, segment};
  launch.warp_kinds = {{80, {item(0), item(1)}}};
  launch.block_kinds = {{10, {{0, 8}}}};
  launch.grid = 10;
  launch.block = 256;
  launch.counters = {{"l1_load_sectors", 80 * 16}, {"l1_load_hit_sectors", 80 * 8}};
  const auto hits = [&](const Heuristics& heuristics) {
    const Traffic traffic = traffic_of(launch, h200(), heuristics);
    return std::pair{traffic.loads[0][0].l1_hits, traffic.loads[1][0].l1_hits};
  };
  EXPECT_EQ(hits(Heuristics{}), (std::pair{0.5, 0.5}));
  EXPECT_EQ(hits(Heuristics{}.without(Heuristic::kWholeArraysMiss)), (std::pair{0.0, 1.0}));
  launch.segments[1].accesses[0].new_sector_share = 0.5;
  EXPECT_EQ(hits(Heuristics{}).first, 0) << "the addresses tell which sectors are new";
}

}  // namespace
}  // namespace pnsim
