// The cost of atomics at L2, and the bandwidth that they take from loads.
#include "simulator/model/cost/atomics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/counted_atomics.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// One warp instruction whose sectors lie in different lines.
Segment atomic_of(const char* opcode_class, double sectors, bool is_float = false) {
  Segment add;
  add.classes = {{opcode_class, 1}};
  add.accesses.push_back({.access_class = opcode_class,
                          .count = 1,
                          .bytes = 4,
                          .sectors = sectors,
                          .tag_lookups = sectors,
                          .is_float = is_float});
  return add;
}

// Sets the counted operations of the atomics of `segment`: in total, and in the busiest of 94
// slices.
void count_operations(double each, double times_the_mean, std::size_t segment, Launch& launch) {
  const auto all = std::llround(each * executions_of(launch)[segment]);
  launch.counters["atomic_operations"] = all;
  launch.counters["atomic_operations_busiest"] =
      std::llround(times_the_mean * static_cast<double>(all) / h200_facts().l2_slices);
}

Launch launch_that_begins_with(const Segment& first) {
  Launch launch = uneven_launch();
  launch.segments[0] = first;
  return launch;
}

// Nanoseconds of the whole GPU for the atomics of one warp.
double ns_of_gpu(const Launch& launch) {
  return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).atomic / 132 /
         h200_facts().cycles_per_ns();
}

TEST(Atomics, FindTheirSectorsInL2WithoutTheHeuristicOfTheirMisses) {
  Launch launch = launch_that_begins_with(atomic_of("global_atomic", 32));
  launch.counters["l2_read_sectors"] = 1000;
  launch.counters["dram_read_bytes"] = 16000;
  EXPECT_NEAR(traffic_of(launch, h200()).loads[0][0].l2_misses, 0.5, 1e-9);
  const Heuristics without = Heuristics{}.without(Heuristic::kAtomicMisses);
  EXPECT_EQ(traffic_of(launch, h200(), without).loads[0][0].l2_misses, 0);
}

TEST(Atomics, AResultThatIsUsedComesLaterThanALoads) {
  const auto latency = [](const Segment& segment) {
    return CostedLaunch(h200(), launch_that_begins_with(segment), 132).cost(std::size_t{0}).latency;
  };
  EXPECT_EQ(latency(atomic_of("global_reduction", 32)), 0);
  EXPECT_NEAR(latency(atomic_of("global_atomic", 32)) - latency(load_of_lines(32)),
              atomic_latency_cycles(h200_facts()), 1e-6);
}

TEST(Atomics, TheBusiestSliceServesItsOperationsOneByOne) {
  Launch launch = launch_that_begins_with(atomic_of("global_reduction", 1));
  for (const double times : {1., 2., 3., 8., 40.}) {
    count_operations(32, times, 0, launch);
    const double each = h200_facts().atomics->global_atomic_lane_ns;
    EXPECT_NEAR(ns_of_gpu(launch), times * 32 / 94 * each, 0.01 * each) << times;
  }
}

TEST(Atomics, FloatingPointSumsInOneWordWaitLongerThanIntegers) {
  Launch floats = launch_that_begins_with(atomic_of("global_reduction", 1, true)),
         integers = launch_that_begins_with(atomic_of("global_reduction", 1));
  for (Launch* launch : {&floats, &integers}) count_operations(32, 94, 0, *launch);
  EXPECT_NEAR(
      ns_of_gpu(floats) / ns_of_gpu(integers),
      h200_facts().atomics->global_atomic_float_ns / h200_facts().atomics->global_atomic_lane_ns,
      1e-9);
  for (Launch* launch : {&floats, &integers}) count_operations(32, 8, 0, *launch);
  EXPECT_NEAR(ns_of_gpu(floats), ns_of_gpu(integers), 1e-9) << "operations in a few lines do not";
}

// The slices of L2 look up the lines of atomics and of loads, however busy one slice is.
TEST(Atomics, LoadsLoseToAtomicsTheirLookUps) {
  Launch launch = launch_that_begins_with(load_of_lines(32));
  launch.segments[1] = atomic_of("global_reduction", 32);
  const auto of_loads = [&] { return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).l2; };
  const double alone = of_loads();
  count_operations(32, 1, 1, launch);
  const double beside_atomics = of_loads();
  EXPECT_GT(beside_atomics, alone);
  count_operations(32, 94, 1, launch);
  EXPECT_NEAR(of_loads(), beside_atomics, 1e-9);
}

TEST(Atomics, SumsWithoutCountsTakeNothingFromLoads) {
  Launch launch = launch_that_begins_with(load_of_lines(32));
  const double alone = CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).l2;
  launch.segments[1] = atomic_of("global_reduction", 32);
  EXPECT_NEAR(CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).l2, alone, 1e-9);
}

// Half of the operations cross to the other of two L2 partitions, so two slices count them.
TEST(Atomics, OperationsInPassingCountOnce) {
  Launch launch;
  const auto counted = [&](const DeviceFacts& facts) { return counted_atomics(launch, facts, {}); };
  launch.counters = {{"l2_reduction_sectors", 150'000}, {"l2_reduction_sectors_busiest", 1600}};
  EXPECT_NEAR(counted(h200_facts()).operations, 100'000, 1e-6);
  EXPECT_NEAR(counted(h200_facts()).busiest, 1600 - 50'000 / 94., 1e-6);
  launch.counters["l2_reduction_sectors_busiest"] = 100'000;
  EXPECT_NEAR(counted(h200_facts()).busiest, 100'000 - 50'000 / 94., 1e-6) << "one slice";
  launch.counters = {
      {"atomic_operations", 70}, {"atomic_operations_busiest", 7}, {"l2_reduction_sectors", 99}};
  EXPECT_EQ(counted(h200_facts()).operations, 70);
  EXPECT_EQ(counted(h200_facts()).busiest, 7);
  launch.counters = {{"atomic_operations", 70}, {"l2_reduction_sectors", 70}};
  EXPECT_EQ(counted(h200_facts()).operations, 70);
  EXPECT_EQ(counted(h200_facts()).busiest, 0) << "not known";
  launch.counters = {{"l2_reduction_sectors", 150}};
  EXPECT_EQ(counted(h200_facts()).busiest, 0) << "not known";
  launch.counters.clear();
  EXPECT_EQ(counted({}).busiest, 0) << "no fact is used";
}

}  // namespace
}  // namespace pnsim
