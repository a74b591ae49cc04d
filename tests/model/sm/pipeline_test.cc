// The stages from a launch to the parameters of the net.
#include "simulator/model/sm/pipeline.h"

#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "simulator/model/sm/sm_parameters.h"
#include "tests/base/error_of.h"
#include "tests/support/costed_launch.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

template <class Stages>
concept GivesInputs = requires(Stages&& stages) {
  std::forward<Stages>(stages).inputs();
};
static_assert(GivesInputs<const SmStages&> && GivesInputs<SmStages&>);
static_assert(!GivesInputs<SmStages>, "inputs() would refer to a temporary");

TEST(Pipeline, EveryStageHasAResultForEachSegment) {
  const SmStages stages = sm_stages(toy_launch(), h200());
  EXPECT_EQ(stages.patterns.size(), 2u);
  EXPECT_EQ(stages.traffic.loads.size(), 2u);
  EXPECT_EQ(stages.contexts.size(), 2u);
  EXPECT_EQ(stages.waits.size(), 2u);
  EXPECT_EQ(stages.costs.size(), 2u);
}

// 300 blocks of two a time on 132 SMs: three for the busiest one, in two rounds.
TEST(Pipeline, ResidencyIsThatOfTheBusiestSm) {
  Launch launch = toy_launch();
  launch.grid = 300;
  launch.warp_kinds[0].warps = 600;
  launch.resident_blocks = 2;
  const Residency residency = residency_of(launch, h200_facts(), {});
  EXPECT_EQ(residency.blocks, 3);
  EXPECT_EQ(residency.slots, 2);
  EXPECT_TRUE(residency.several_waves);
  EXPECT_NEAR(residency.rounds, 300. / (2 * 132), 1e-12);
  EXPECT_NEAR(residency.busy_sms, 100, 1e-9) << "300 blocks, three at the busiest SM";
  EXPECT_EQ(residency.warps_per_block, 2);
}

TEST(Pipeline, ContextsSayWhereSegmentsStand) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(1);
  LoadRows loads;
  for (const Segment& segment : launch.segments) loads.emplace_back(segment.accesses.size());
  const std::vector<SegmentContext> contexts =
      segment_contexts(launch, access_patterns(launch), loads, true, 132, {});
  EXPECT_FALSE(contexts[0].is_straight) << "a loop has it";
  EXPECT_FALSE(contexts[0].ends_iteration);
  EXPECT_TRUE(contexts[1].ends_iteration);
  EXPECT_EQ(contexts[0].not_in_l1, 0) << "several waves";
}

// Loads queue where many warps share L2.
TEST(Pipeline, CostsHaveLatenciesWithQueueing) {
  Launch launch = toy_launch();
  launch.grid = 132 * 32;
  launch.resident_blocks = 32;
  launch.warp_kinds[0].warps = 2 * launch.grid;
  launch.segments[0].accesses[0].bytes = 16;
  launch.segments[0].accesses[0].sectors = 16;
  launch.segments[0].accesses[0].tag_lookups = 4;
  const SmStages stages = sm_stages(launch, h200()),
                 unqueued = sm_stages(launch, h200(), unloaded());
  EXPECT_GT(stages.latencies.l2, unqueued.latencies.l2);
  EXPECT_GT(stages.costs[0].latency, unqueued.costs[0].latency);
  EXPECT_EQ(stages.costs[0].issue, unqueued.costs[0].issue);
}

TEST(Pipeline, ParametersAreWholeCyclesOfTheCosts) {
  const SmStages stages = sm_stages(toy_launch(), h200());
  const ParameterValues values = sm_parameters(toy_launch(), h200());
  const std::vector<std::int64_t>& latency = values.at("latency");
  const double longest = static_cast<double>(*std::max_element(latency.begin(), latency.end()));
  EXPECT_NEAR(longest, stages.costs[0].latency, 1);
  EXPECT_EQ(values.at("B"), std::vector<std::int64_t>{stages.residency.blocks});
}

TEST(Pipeline, FactsOfUnitsThatTheLaunchDoesNotUseMayBeMissing) {
  DeviceProfile device = h200();
  device.facts.erase("texture_latency_cycles");
  device.facts.erase("global_atomic_lane_ns");
  device.facts.erase("constant_line_ns");
  EXPECT_EQ(sm_parameters(toy_launch(), device), sm_parameters(toy_launch(), h200()));
  Launch launch = toy_launch();
  launch.segments[1].classes["global_reduction"] = 1;
  launch.segments[1].accesses.push_back(
      {.access_class = "global_reduction", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  EXPECT_THROW(sm_parameters(launch, device), Error);
}

TEST(Pipeline, ALaunchWithoutProgramsIsRefused) {
  Launch launch = toy_launch();
  launch.segments.clear();
  EXPECT_THROW(sm_stages(launch, h200()), Error);
}

TEST(SmParameters, ASegmentWithMoreCyclesThanANetTakesIsNamedWithItsKernel) {
  Launch launch = toy_launch();
  launch.kernel = "scan";
  launch.segments[1].classes["fp32"] = 1e15;
  const std::string message =
      test::error_of(ExitCode::kLimit, [&] { sm_parameters(launch, h200()); });
  EXPECT_EQ(message,
            "kernel scan (20 blocks of 64 threads): segment 1 takes over 2^40 cycles of the unit "
            "\"issue\", more than a net of an SM takes; correct its counts");
}

}  // namespace
}  // namespace pnsim
