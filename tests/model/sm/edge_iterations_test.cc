// The second iterations of loops that load the edges of a tile.
#include "simulator/model/sm/edge_iterations.h"

#include <gtest/gtest.h>

#include "simulator/model/launch/executions.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// 10 blocks of 4 warps. All warps load and store a row of a tile. The first warp of each block does
// so once more with eight lanes: 10 of 50 executions. Then all warps continue.
Launch tile() {
  Launch launch;
  launch.kernel = "tile";
  launch.grid = 10;
  launch.block = 128;
  launch.segments.resize(3);
  launch.segments[0].lanes = 27.2;
  launch.segments[0].accesses.push_back({.access_class = "global_load",
                                         .count = 1,
                                         .bytes = 4,
                                         .sectors = 3.4,
                                         .tag_lookups = 1.2,
                                         .lanes = 27.2});
  launch.segments[1].lanes = 27.2;
  launch.segments[1].accesses.push_back(
      {.access_class = "shared_store", .count = 1, .bytes = 4, .wavefronts = 1, .lanes = 27.2});
  launch.warp_kinds = {{10, {loop(2, {item(0), item(1)}), item(2)}},
                       {30, {item(0), item(1), item(2)}}};
  launch.block_kinds = {{10, {{0, 1}, {1, 3}}}};
  return launch;
}

double sum_of(const Launch& launch, double SegmentAccess::*member) {
  const auto executions = executions_of(launch);
  double sum = 0;
  for (std::size_t s = 0; s < executions.size(); ++s) {
    for (const SegmentAccess& access : launch.segments[s].accesses)
      sum += executions[s] * (access.*member);
  }
  return sum;
}

TEST(EdgeIterations, AreSegmentsOfTheirOwnBehindAllOthers) {
  const Launch launch = with_edge_iterations_apart(tile());
  ASSERT_EQ(launch.segments.size(), 5u);
  const auto executions = executions_of(launch);
  EXPECT_EQ(executions, (std::vector<double>{40, 40, 40, 10, 10}));
  EXPECT_NEAR(launch.segments[0].lanes, 32, 1e-9) << "whole warps in the first iteration";
  EXPECT_NEAR(launch.segments[3].lanes, 8, 1e-9);
  EXPECT_NEAR(launch.segments[3].accesses[0].sectors, 1, 1e-9);
  EXPECT_NEAR(launch.segments[3].accesses[0].tag_lookups, 1, 1e-9) << "one look-up at least";
  EXPECT_NEAR(launch.segments[4].accesses[0].wavefronts, 1, 1e-9) << "one wavefront at least";
  EXPECT_NEAR(launch.segments[1].accesses[0].wavefronts, 1, 1e-9);
  EXPECT_EQ(launch.warp_kinds[0].program.size(), 5u) << "no loop is left";
  std::vector<std::size_t> origins;
  with_edge_iterations_apart(tile(), &origins);
  EXPECT_EQ(origins, (std::vector<std::size_t>{0, 1, 2, 0, 1}));
}

TEST(EdgeIterations, KeepTheSumsOfTheLaunch) {
  const Launch before = tile(), after = with_edge_iterations_apart(before);
  for (const auto member : {&SegmentAccess::sectors, &SegmentAccess::lanes,
                            &SegmentAccess::wavefronts, &SegmentAccess::tag_lookups}) {
    EXPECT_NEAR(sum_of(after, member), sum_of(before, member), 1e-9);
  }
}

// 50 accesses with 31 lanes on average: if ten of them had eight lanes, the others would have 37.
TEST(EdgeIterations, FirstIterationsHaveNoMoreLanesThanAWarp) {
  Launch launch = tile();
  for (const std::size_t s : {0, 1})
    launch.segments[s].lanes = launch.segments[s].accesses[0].lanes = 31.5;
  const Launch apart = with_edge_iterations_apart(launch);
  ASSERT_EQ(apart.segments.size(), 5u);
  EXPECT_LE(apart.segments[0].lanes, 32 + 1e-9);
  EXPECT_LE(apart.segments[0].accesses[0].lanes, 32 + 1e-9);
  EXPECT_NEAR(sum_of(apart, &SegmentAccess::lanes), sum_of(launch, &SegmentAccess::lanes), 1e-9);
}

TEST(EdgeIterations, OtherLoopsStay) {
  const auto stays = [](const Launch& launch) {
    return with_edge_iterations_apart(launch).segments.size() == launch.segments.size();
  };
  Launch data = tile();
  data.warp_kinds[0].warps = 7;  // of ten blocks: it is the data that decides
  data.warp_kinds[1].warps = 33;
  EXPECT_TRUE(stays(data));
  Launch most = tile();
  most.warp_kinds[0].warps = 20;
  most.warp_kinds[1].warps = 0;
  EXPECT_TRUE(stays(most)) << "all warps have two iterations";
  Launch half = tile();
  half.segments[0].lanes = 15;
  EXPECT_TRUE(stays(half)) << "first iterations of half warps, or lanes that diverge";
  half.segments[0].lanes = 0;
  EXPECT_TRUE(stays(half));
  Launch nested = tile();
  for (WarpKind& kind : nested.warp_kinds) {
    ProgramItem outer;
    outer.repeat = 8;
    outer.body = kind.program;
    kind.program = {outer};
  }
  EXPECT_TRUE(stays(nested)) << "its first iterations hit what its last ones loaded";
  Launch longer = tile();
  longer.warp_kinds[0].program[0].repeat = 3;
  EXPECT_TRUE(stays(longer));
  Launch quick = tile();
  quick.segments[0].accesses[0].access_class = "shared_load";
  EXPECT_TRUE(stays(quick)) << "nothing misses";
}

TEST(EdgeIterations, TwoLoopsThatShareASegmentStay) {
  Launch launch = tile();
  launch.segments.resize(4);
  launch.segments[3].accesses = launch.segments[0].accesses;
  // Many other warps execute a segment of one body.
  launch.warp_kinds[1].program = {item(0), item(1), loop(2, {item(3), item(1)}), item(2)};
  EXPECT_EQ(with_edge_iterations_apart(launch).segments.size(), 4u);
}

}  // namespace
}  // namespace pnsim
