// How busy a launch keeps L2 and DRAM.
#include "simulator/model/cost/utilisation.h"

#include <gtest/gtest.h>

#include "simulator/model/cost/memory_rates.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

double no_queue(double) { return 0; }

TEST(Utilisation, IsWhatLittleSLawSays) {
  EXPECT_NEAR(utilisation_of(8, 10, 400, 1, no_queue), 8 * 10 / 400., 1e-8);
  EXPECT_EQ(utilisation_of(80, 10, 400, 1, no_queue), 1) << "saturated";
  EXPECT_EQ(utilisation_of(0, 10, 400, 1, no_queue), 0);
}

TEST(Utilisation, FallsWhereLoadsQueue) {
  const Queue queue = [](double use) { return 1000 * use; };
  const double use = utilisation_of(8, 10, 400, 1, queue);
  EXPECT_NEAR(use, 8 * 10 / (400 + 1000 * use), 1e-8);
  EXPECT_LT(use, 0.2);
}

TEST(Utilisation, AccessesRunAheadFromTwoRoundsOn) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(1);
  ASSERT_EQ(launch.segments[1].end, SegmentEnd::kBarrier);
  const WarpLoad load = CostedLaunch(h200(), launch, 132).stages().load;
  EXPECT_EQ(accesses_ahead(launch, load, 1.9, {}), 2);
  EXPECT_GT(accesses_ahead(launch, load, 2.0, {}), 2);
  EXPECT_EQ(accesses_ahead(launch, load, 2.0, Heuristics{}.without(Heuristic::kAccessesAhead)), 2);
}

// Where no barrier parts the blocks of an SM, all SMs request together in the first rounds.
TEST(Utilisation, BlocksWithoutBarriersDriftApartOverEightRounds) {
  Launch launch = uneven_launch();
  launch.segments = {load_of_lines(1), arithmetic(1, 0)};
  const WarpLoad load = CostedLaunch(h200(), launch, 132).stages().load;
  const auto ahead = [&](double rounds, const Heuristics& heuristics = {}) {
    return accesses_ahead(launch, load, rounds, heuristics);
  };
  const Heuristics without = Heuristics{}.without(Heuristic::kSmsStartInStep);
  EXPECT_EQ(ahead(8), 2);
  EXPECT_GT(ahead(16), ahead(9));
  EXPECT_GT(ahead(8, without), ahead(16));
}

TEST(Utilisation, LevelsOverlapInSeveralWaves) {
  const WarpLoad load{.l2_cycles = 30, .dram_cycles = 40, .memory_cycles = 50};
  EXPECT_EQ(level_overlap(load, false, 1, {}), 1);
  EXPECT_EQ(level_overlap(load, true, 1, {}), 0.8);
}

// Data that L2 kept from the launch before, and data that it did not: one after the other.
TEST(Utilisation, DramWorksOnlyDuringItsPartOfTheTimeAtL2) {
  EXPECT_EQ(both_levels(30, 40, 1), 40);
  EXPECT_EQ(both_levels(40, 30, 1), 40);
  EXPECT_EQ(both_levels(30, 40, 0.5), 30 + 40 - 15);
  EXPECT_EQ(both_levels(30, 10, 0.5), 30);
  EXPECT_EQ(both_levels(30, 0, 0), 30);
  MemoryRates rates;
  rates.l2_fills = 0.4;  // 12 of 30 cycles, all of them while DRAM works
  EXPECT_EQ(rates.overlapping(1), 1);
  EXPECT_NEAR(both_levels(30, 40, rates.overlapping(0.5)), 18 / 2.0 + 40, 1e-12);
  const WarpLoad load{.l2_cycles = 30, .dram_cycles = 40, .memory_cycles = 60};
  EXPECT_NEAR(level_overlap(load, true, 0.5, {}), 55.0 / 60, 1e-12);
}

}  // namespace
}  // namespace pnsim
