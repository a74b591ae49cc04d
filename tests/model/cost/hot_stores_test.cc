// Stores of many blocks to the same few lines: the slice of L2 with the most requests takes the
// time of all (microbenchmark busiest_slice).
#include <gtest/gtest.h>

#include "simulator/model/launch/counters.h"
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

// Of each of the 132 SMs, 4 requests in a slice may be those of code and constants.
constexpr std::int64_t kOfCode = 4 * 132;

// 528 warps that execute these segments. All slices have 528 requests, 1000 sectors are written,
// and the busiest slice has `busiest` requests beyond kOfCode.
Launch launch_of(const std::vector<Segment>& segments, std::int64_t busiest) {
  Launch launch = uneven_launch();
  launch.segments = segments;
  launch.warp_kinds = {{528, {}}};
  launch.block_kinds.clear();
  for (std::size_t s = 0; s < segments.size(); ++s) launch.warp_kinds[0].program.push_back(item(s));
  launch.counters = {{"l1_store_sectors", 1000},
                     {"l2_write_sectors", 1000},
                     {kSliceRequests, 528},
                     {kBusiestSliceRequests, kOfCode + busiest}};
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
  return 132 * sectors * busiest / 1000 * ns * h200_facts().cycles_per_ns();
}

TEST(HotStores, TakeTheTimeOfTheBusiestSlice) {
  const double word = h200_facts().hot_stores->hot_word_store_ns,
               line = h200_facts().hot_stores->hot_line_store_ns;
  EXPECT_NEAR(cycles(400, 1), of_slice(400, 1, word), 1e-6);
  EXPECT_NEAR(cycles(400, 4), of_slice(400, 4, line), 1e-6);
  EXPECT_NEAR(cycles(400, 2), of_slice(400, 2, word + (line - word) / 3), 1e-6);
}

TEST(HotStores, AreNoneWhereSlicesHaveAboutEquallyManyRequests) {
  const double usual = cycles(0, 4);
  EXPECT_GT(cycles(400, 4), usual);
  EXPECT_NEAR(cycles(8, 4), usual, 1e-9) << "1.4 times the requests of the mean slice";
  EXPECT_NEAR(cycles(400, 4, unloaded().without(Heuristic::kBusiestSlice)), usual, 1e-9);
}

// Most requests of a short launch are of its code and constants; atomics have a server of their
// own.
TEST(HotStores, AreNoneWhereOthersMakeTheRequests) {
  Launch short_launch = launch_of({access_of("global_store", 4)}, 400);
  short_launch.counters[kSliceRequests] = 4001;
  EXPECT_NEAR(cycles_of(short_launch), cycles(0, 4), 1e-9);
  const auto with_atomics = [](std::int64_t busiest) {
    return cycles_of(
        launch_of({access_of("global_store", 4), access_of("global_atomic", 1)}, busiest));
  };
  EXPECT_NEAR(with_atomics(400), with_atomics(0), 1e-9);
}

}  // namespace
}  // namespace pnsim
