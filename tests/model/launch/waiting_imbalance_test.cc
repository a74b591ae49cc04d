// Loops in which warps wait for others are no uneven work.
#include <gtest/gtest.h>

#include "simulator/model/launch/busiest_scheduler.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/imbalance.h"

namespace pnsim {
namespace {

TEST(WaitingImbalance, InstructionsOfLoopsThatWaitDoNotCount) {
  constexpr std::int64_t kCounted = 10;
  Launch launch;
  launch.grid = 40;
  launch.block = 128;
  launch.resident_blocks = 4;
  launch.segments.resize(1);
  launch.segments[0].classes = {{"int", 20}};
  launch.warp_kinds = {{160, {ProgramItem{1, launch.segments[0].counts(), {}, 0}}}};
  launch.counters = {
      {kAllSchedulers, 1'000'000}, {kBusiestScheduler, 35'000}, {kProfiledSms, kCounted}};
  EXPECT_NEAR(counted_imbalance(launch, kCounted), 1.4, 1e-9);
  launch.counters[kSpinningInstructions] = 60'000;  // 6000 of an SM, maybe all of one scheduler
  EXPECT_NEAR(counted_imbalance(launch, kCounted), (35'000 - 6000) / (940'000 / 40.), 1e-9);
  set_data_imbalance(1.2, launch);
  EXPECT_NEAR(data_imbalance(launch), 1.2, 1e-3);
  launch.counters[kSpinningInstructions] = 500'000;
  launch.counters[kBusiestScheduler] = 35'000;
  EXPECT_EQ(counted_imbalance(launch, kCounted), 1);
}

}  // namespace
}  // namespace pnsim
