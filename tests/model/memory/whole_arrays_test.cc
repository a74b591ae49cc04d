#include "simulator/model/memory/whole_arrays.h"

#include <gmock/gmock.h>

#include "simulator/model/memory/traffic.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

constexpr LoadingWarps kWarps{100, 4};  // blocks of 4 warps

// Loads of 2 bytes a lane, so that a warp's words fill 2 sectors.
SegmentAccess halves(double count, double sectors_of_one) {
  return {.access_class = "global_load",
          .count = count,
          .bytes = 2,
          .sectors = count * sectors_of_one,
          .tag_lookups = count};
}

// A segment for each of `rows`, executed once by every warp.
std::vector<StraightLoads> loads_of(const std::vector<const SegmentAccess*>& rows) {
  std::vector<StraightLoads> loads;
  for (const SegmentAccess* row : rows) loads.push_back({row, kWarps.of_launch});
  return loads;
}

// Four segments that an unrolled loop left.
std::vector<StraightLoads> unrolled(const SegmentAccess& row) {
  return loads_of({&row, &row, &row, &row});
}

std::optional<std::vector<double>> hits(const std::vector<StraightLoads>& loads,
                                        double missed_by_a_warp) {
  return hits_of_arrays(loads, kWarps, missed_by_a_warp * kWarps.of_launch);
}

// A matrix and a vector that all of its rows use.
TEST(WholeArrays, OneOfTwoMissesInEverySegment) {
  const SegmentAccess both = halves(2, 2);  // 16 sectors a warp, 8 of each array
  EXPECT_THAT(hits(unrolled(both), 8), testing::Optional(std::vector<double>(4, 0.5)))
      << "not those of the first two segments";
}

TEST(WholeArrays, AreToldApartByTheirKind) {
  const SegmentAccess mask{
      .access_class = "global_load", .count = 1, .bytes = 1, .sectors = 1, .tag_lookups = 1};
  const SegmentAccess data = halves(1, 2);
  EXPECT_THAT(hits(loads_of({&mask, &data, &mask, &data}), 4),
              testing::Optional(std::vector<double>{1, 0, 1, 0}));
  SegmentAccess indexed = halves(1, 2);
  indexed.addresses = Addresses::kLoaded;
  EXPECT_FALSE(hits(loads_of({&data, &indexed, &data, &indexed}), 4)) << "either may miss";
  const SegmentAccess counted = halves(1, 2.04);  // the same array, as it was counted elsewhere
  EXPECT_TRUE(hits(loads_of({&mask, &data, &mask, &counted}), 4));
}

// A matrix of doubles has as many sectors as two vectors of floats: nobody knows which of them
// miss.
TEST(WholeArrays, AreNotFoundWhereTwoChoicesFit) {
  const SegmentAccess doubles{
      .access_class = "global_load", .count = 1, .bytes = 8, .sectors = 8, .tag_lookups = 2};
  const SegmentAccess floats{
      .access_class = "global_load", .count = 2, .bytes = 4, .sectors = 8, .tag_lookups = 2};
  EXPECT_FALSE(hits(loads_of({&doubles, &floats, &doubles, &floats}), 16));
  EXPECT_TRUE(hits(loads_of({&doubles, &floats, &doubles, &floats}), 24)) << "one vector hits";
}

// Rows at any address touch 2.9375 sectors. In 4 warps that load 4 times, 15 of 16 rows find the
// sector that they share with the row before.
TEST(WholeArrays, ShiftedRowsMissSharedSectorsOnce) {
  const SegmentAccess shifted = halves(2, 2.9375);
  const double missed = 2 + 0.9375 / 16;
  const auto found = hits(unrolled(shifted), 8 * missed);
  ASSERT_TRUE(found);
  for (const double share : *found) EXPECT_NEAR(share, 1 - missed / 2.9375, 1e-9);
  const auto once = hits(loads_of({&shifted}), 2 * (2 + 0.9375 / 4));
  ASSERT_TRUE(once) << "also where no loop was unrolled";
  EXPECT_NEAR(once->front(), 1 - (2 + 0.9375 / 4) / 2.9375, 1e-9);
  SegmentAccess one_lane = halves(2, 1);
  one_lane.lanes = 1;
  EXPECT_FALSE(hits(unrolled(one_lane), 0.5)) << "no row";
  const SegmentAccess strided = halves(2, 8);
  EXPECT_FALSE(hits(unrolled(strided), 16)) << "nor are words that lie apart";
}

// All misses are dealt, although their number is only nearly that of the arrays.
TEST(WholeArrays, MissesAddUpToTheCountedOnes) {
  const SegmentAccess both = halves(2, 2);
  for (const double misses : {7.6, 8.0, 8.4}) {
    const auto found = hits(unrolled(both), misses);
    ASSERT_TRUE(found) << misses;
    double missed = 0;
    for (const double share : *found) missed += 4 * (1 - share);
    EXPECT_NEAR(missed, misses, 1e-9);
  }
}

TEST(WholeArrays, AreNotFoundWhereNoneFits) {
  const SegmentAccess both = halves(2, 2);
  EXPECT_TRUE(hits(unrolled(both), 8 + 0.029 * 16)) << "3 % of 16 sectors";
  EXPECT_FALSE(hits(unrolled(both), 8 + 0.031 * 16)) << "known gap 3: the rule has an edge";
  EXPECT_FALSE(hits(unrolled(both), 11));
  EXPECT_FALSE(hits(unrolled(both), 0)) << "all hit";
  EXPECT_FALSE(hits(unrolled(both), 15.9)) << "all miss, and no rows share sectors";
  EXPECT_FALSE(hits({}, 0));
  const SegmentAccess part = halves(1.5, 2);
  EXPECT_FALSE(hits(unrolled(part), 6)) << "a fraction of a load";
  const SegmentAccess many = halves(5, 2);
  EXPECT_FALSE(hits(unrolled(many), 24)) << "too many arrays";
  const SegmentAccess endless = halves(1e15, 2);
  EXPECT_FALSE(hits(unrolled(endless), 24));
}

// Nearly all of a stream misses, and so do loads of its edges, in fewer warps: no unrolled loop.
TEST(WholeArrays, AreLoadedEquallyOften) {
  const SegmentAccess one = halves(1, 2), two = halves(2, 2);
  EXPECT_FALSE(hits(loads_of({&one, &two, &two}), 4)) << "3 and 2 times";
  EXPECT_FALSE(hits(loads_of({&two}), 2)) << "once";
  std::vector<StraightLoads> with_edges = loads_of({&one, &one, &one});
  SegmentAccess edge = halves(1, 1);
  edge.lanes = 1;
  with_edges.push_back({&edge, 25});
  EXPECT_FALSE(hits(with_edges, 6.2));
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
  const auto hits_without = [&](std::optional<Heuristic> heuristic) {
    const Heuristics all, used = heuristic ? all.without(*heuristic) : all;
    const Traffic traffic = traffic_of(launch, h200(), used);
    return std::pair{traffic.loads[0][0].l1_hits, traffic.loads[1][0].l1_hits};
  };
  EXPECT_EQ(hits_without(std::nullopt), (std::pair{0.5, 0.5}));
  EXPECT_EQ(hits_without(Heuristic::kWholeArraysMiss), (std::pair{0.0, 1.0}));
  launch.warp_kinds.push_back({800, {}});
  EXPECT_EQ(hits_without(std::nullopt).first, 0.5) << "warps that load nothing do not count";
  launch.warp_kinds.pop_back();
  Launch odd = launch;
  odd.counters["l1_load_hit_sectors"] = 80 * 4;
  std::swap(odd, launch);
  EXPECT_EQ(hits_without(Heuristic::kLoopBodiesMissInOrder), (std::pair{0.25, 0.25}))
      << "the mean of all loads";
  std::swap(odd, launch);
  launch.segments[1].accesses[0].new_sector_share = 0.5;
  EXPECT_EQ(hits_without(std::nullopt).first, 0) << "the addresses tell which sectors are new";
}

}  // namespace
}  // namespace pnsim
