// Stores of many blocks to the same few lines: the slice of L2 with the most requests takes the
// time of all (microbenchmark busiest_slice).
#include <gtest/gtest.h>

#include "simulator/model/launch/counters.h"
#include "simulator/model/memory/traffic.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

Segment access_of(const char* access_class, double sectors) {
  Segment out;
  out.classes = {{access_class, 1}};
  out.accesses.push_back({.access_class = access_class,
                          .count = 1,
                          .bytes = 8,
                          .sectors = sectors,
                          .tag_lookups = 1,
                          .lanes = 32});
  return out;
}

// 528 warps that execute these segments. All slices have 5280 requests, 10000 sectors are written,
// and the busiest slice has `busiest` requests.
Launch launch_of(const std::vector<Segment>& segments, std::int64_t busiest) {
  Launch launch = uneven_launch();
  launch.segments = segments;
  launch.warp_kinds = {{528, {}}};
  launch.block_kinds.clear();
  for (std::size_t s = 0; s < segments.size(); ++s) launch.warp_kinds[0].program.push_back(item(s));
  launch.counters = {{"l1_store_sectors", 10000},
                     {"l2_write_sectors", 10000},
                     {kSliceRequests, 5280},
                     {kBusiestSliceRequests, busiest}};
  return launch;
}

double cycles_of(const Launch& launch, const Heuristics& heuristics = unloaded()) {
  return CostedLaunch(h200(), launch, 132, heuristics).cost(0).l2;
}

// Cycles of a store of `sectors` sectors of a line.
double cycles(std::int64_t busiest, double sectors, const Heuristics& heuristics = unloaded()) {
  return cycles_of(launch_of({access_of("global_store", sectors)}, busiest), heuristics);
}

// Its share of the busiest slice, whose requests take so many ns each.
double of_slice(double busiest, double sectors, double ns) {
  return 132 * sectors * busiest / 10000 * ns * h200_facts().cycles_per_ns();
}

TEST(HotStores, TakeTheTimeOfTheBusiestSlice) {
  const double word = h200_facts().hot_stores->hot_word_store_ns,
               line = h200_facts().hot_stores->hot_line_store_ns;
  EXPECT_NEAR(cycles(4000, 1), of_slice(4000, 1, word), 1e-6);
  EXPECT_NEAR(cycles(4000, 4), of_slice(4000, 4, line), 1e-6);
  EXPECT_NEAR(cycles(4000, 2), of_slice(4000, 2, word + (line - word) / 3), 1e-6);
}

TEST(HotStores, AreNoneWhereSlicesHaveAboutEquallyManyRequests) {
  const double usual = cycles(0, 4);
  EXPECT_GT(cycles(4000, 4), usual);
  EXPECT_NEAR(cycles(80, 4), usual, 1e-9) << "1.4 times the requests of the mean slice";
  EXPECT_NEAR(cycles(5281, 4), usual, 1e-9) << "more than all slices have";
  EXPECT_NEAR(cycles(4000, 4, unloaded().without(Heuristic::kBusiestSlice)), usual, 1e-9);
}

// The mean slice has 56 requests. In each slice, four requests of each SM that has a block may be
// those of code and constants.
TEST(HotStores, AreNoneWhereCodeAndConstantsExplainTheRequests) {
  const double usual = cycles(0, 4);
  EXPECT_NEAR(cycles(4 * 132 + 110, 4), usual, 1e-9);
  EXPECT_GT(cycles(4 * 132 + 116, 4), usual);
  Launch few = launch_of({access_of("global_store", 4)}, 4 * 10 + 116);
  EXPECT_NEAR(cycles_of(few), usual, 1e-9);
  few.grid = 10;
  EXPECT_GT(hot_requests_per_sector(few, h200_facts(), {}), 0);
}

// Most requests of a short launch are of its code and constants; atomics have a server of their
// own.
TEST(HotStores, AreNoneWhereOthersMakeTheRequests) {
  Launch short_launch = launch_of({access_of("global_store", 4)}, 4000);
  short_launch.counters[kSliceRequests] = 40010;
  EXPECT_NEAR(cycles_of(short_launch), cycles(0, 4), 1e-9);
  const auto with_atomics = [](std::int64_t busiest) {
    return cycles_of(
        launch_of({access_of("global_store", 4), access_of("global_atomic", 1)}, busiest));
  };
  EXPECT_NEAR(with_atomics(4000), with_atomics(0), 1e-9);
}

}  // namespace
}  // namespace pnsim
