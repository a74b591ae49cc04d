// Compares the lane engine with the reference engine on random nets made of lanes.
#include "tests/support/random_lanes.h"

#include "simulator/engine/lane_program_maker.h"
#include "tests/engine/compare_lanes.h"

namespace pnsim {
namespace {

struct Tally {
  std::uint64_t nets = 0, with_lanes = 0, gave_up = 0, steps = 0;
};

Tally compare_random_nets(std::uint64_t first_seed, std::uint64_t count) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const Net net = test::random_lanes(seed);
    const RunId id{.seed = seed, .replica = 2, .stream = 1};
    ++tally.nets;
    FastRunner runner(net);
    const auto program = make_lane_program(net);
    EXPECT_EQ(runner.uses_lanes(), program.has_value());
    if (program) {
      bool gave_up = false;
      ++tally.with_lanes;
      tally.steps += test::compare_lane_steps(*program, id, 50, &gave_up);
      tally.gave_up += gave_up ? 1 : 0;
    }
    test::compare_runs(runner, net, id, 150 + seed % 64);
    test::compare_runs(runner, net, {.seed = seed}, seed % 32);
    if (testing::Test::HasFailure()) break;
  }
  return tally;
}

#ifndef PNSIM_MANY_NETS
TEST(RandomLanes, AThousandNetsRunTheSameStepByStepAndAsAWhole) {
  const Tally tally = compare_random_nets(1, 1000);
  EXPECT_GT(tally.with_lanes, 600u) << "too few nets of lanes to say anything";
  EXPECT_LT(tally.gave_up, tally.with_lanes / 20);
  EXPECT_GT(tally.steps, 10'000u);
}
#else
TEST(RandomLanesLong, TenThousandNetsRunTheSameStepByStepAndAsAWhole) {
  const Tally tally = compare_random_nets(100'000, 10'000);
  EXPECT_GT(tally.with_lanes, 6000u);
  EXPECT_GT(tally.steps, 100'000u);
}
#endif

}  // namespace
}  // namespace pnsim
