// The blocks that the modelled SM executes.
#include "simulator/model/launch/sm_phases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "simulator/model/launch/imbalance.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// Blocks of 4 warps, which loop so many times: (blocks, times) in the order of the launch.
Launch blocks_that_loop(const std::vector<std::pair<std::int64_t, std::int64_t>>& blocks) {
  Launch launch = uneven_launch();
  launch.block = 128;
  launch.grid = 0;
  launch.segments = {arithmetic(10, 0)};
  launch.warp_kinds.clear();
  launch.block_kinds.clear();
  for (const auto& [count, times] : blocks) {
    launch.block_kinds.push_back({count, {{launch.warp_kinds.size(), 4}}});
    launch.warp_kinds.push_back({4 * count, {{times, {}, {item(0)}, {}}}});
    launch.grid += count;
  }
  launch.resident_blocks = 4;
  launch.counters = {{kAllSchedulers, std::llround(warp_instructions(launch).all())},
                     {kProfiledSms, 10}};
  return launch;
}

// The busiest scheduler executed these kinds of warps, one of each.
void count_busiest(Launch& launch, const std::vector<std::size_t>& kinds) {
  double sum = 0;
  for (const std::size_t kind : kinds) sum += warp_instructions(launch).of_kind(kind);
  launch.counters[kBusiestScheduler] = std::llround(sum);
}

// [block of the SM, in the order of the launch] its kind.
std::vector<std::size_t> kinds_of_sm(const Launch& launch, std::int64_t blocks,
                                     const Heuristics& heuristics = {}, std::int64_t sms = 10) {
  std::vector<std::size_t> kinds;
  for (const Phase& phase : phases_of_sm(launch, sms, blocks, heuristics))
    kinds.insert(kinds.end(), static_cast<std::size_t>(phase.blocks), phase.kinds.at(0));
  return kinds;
}

using Kinds = std::vector<std::size_t>;

TEST(PhasesOfSm, AreOfTheSmWhoseSchedulerExecutedAsMuchAsCounted) {
  Launch launch = blocks_that_loop({{7, 10}, {2, 1000}, {1, 100}});
  EXPECT_EQ(kinds_of_sm(launch, 1), Kinds{0}) << "the busiest scheduler was not counted";
  count_busiest(launch, {2});
  EXPECT_EQ(kinds_of_sm(launch, 1), Kinds{2}) << "the nearest one, not the one with most";
  count_busiest(launch, {1});
  EXPECT_EQ(kinds_of_sm(launch, 1), Kinds{1});
  EXPECT_EQ(kinds_of_sm(launch, 1, Heuristics{}.without(Heuristic::kCountedSm)), Kinds{0});
  launch.counters[kBusiestScheduler] = std::llround(1.1 * warp_instructions(launch).of_kind(0));
  EXPECT_EQ(kinds_of_sm(launch, 1), Kinds{0}) << "a tenth more may be due to placement";
}

// Blocks s and s + 10 are on SM s: 0 and 2 on the SMs 0 to 4, 1 and 3 on the others. Each block
// begins one scheduler further, so a scheduler has one warp of each.
TEST(PhasesOfSm, AnSmHasEveryTenthBlockOfTenSms) {
  Launch launch = blocks_that_loop({{5, 10}, {5, 20}, {5, 30}, {5, 400}});
  count_busiest(launch, {1, 3});
  EXPECT_EQ(kinds_of_sm(launch, 2), (Kinds{1, 3}));
  Launch fewer = blocks_that_loop({{5, 10}, {5, 300}, {5, 30}});
  count_busiest(fewer, {1});
  EXPECT_EQ(kinds_of_sm(fewer, 2).size(), 2u) << "SMs with one block are not modelled";
}

// On other devices the SM has the first blocks, and its loops are longer instead.
TEST(PhasesOfSm, AreThoseOfTheFirstBlocksOnAnotherDevice) {
  Launch launch = blocks_that_loop({{8, 10}, {2, 1000}});
  count_busiest(launch, {1});
  EXPECT_GT(data_imbalance(launch), 50);
  EXPECT_NEAR(unexplained_imbalance(launch, 10), 1, 1e-3);
  EXPECT_FALSE(busiest_sm_programs(launch, 10).is_longer);
  EXPECT_EQ(kinds_of_sm(launch, 1, {}, 20), Kinds{0});
  EXPECT_TRUE(busiest_sm_programs(launch, 20).is_longer);
  const double before = data_imbalance(launch);
  set_data_imbalance(before, launch);
  EXPECT_NEAR(data_imbalance(launch), before, 0.01 * before) << "as for a block of another size";
}

}  // namespace
}  // namespace pnsim
