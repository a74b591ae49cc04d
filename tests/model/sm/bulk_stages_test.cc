// Products of matrices that wait for bulk copies of other warps, in a ring of stages.
#include "simulator/model/sm/bulk_stages.h"

#include <gtest/gtest.h>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/memory/traffic.h"
#include "simulator/model/sm/first_blocks.h"
#include "simulator/model/sm/sm_parameters.h"
#include "tests/model/sass/listing.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// 10 blocks of 4 warps: one makes eight copies of 16 KiB, two multiply eight times each, and one
// does neither. Segment 0 begins, 1 copies, 2 multiplies, 3 ends at a barrier of the block.
Launch ring() {
  Launch launch = bulk_copying_launch("ring", 4);
  launch.shared_bytes = 4 * 16384;
  launch.segments[2].classes = {{"tensor", 4}};
  launch.segments[2].tensor_products = {{"wgmma_columns", 512}};
  launch.segments[3].classes = {{"barrier", 1}};
  launch.segments[3].end = SegmentEnd::kBarrier;
  launch.warp_kinds = {
      {10, {item(0), loop(8, {item(1)})}}, {20, {item(0), loop(8, {item(2)})}}, {10, {item(0)}}};
  launch.block_kinds = {{10, {{0, 1}, {1, 2}, {2, 1}}}};
  launch.counters = {{"l2_read_sectors", 10 * 8 * 512}, {kTakenInBytes, 10 * 8 * 16384}};
  return launch;
}

struct Staged {
  std::vector<std::vector<ProgramItem>> programs;
  ProgramCosts costs;
  std::int64_t ring = 0;

  // Sums over the warps of a block: tokens that copies fill, and that products drain.
  std::pair<std::int64_t, std::int64_t> tokens(const Launch& launch) const {
    std::int64_t fills = 0, drains = 0;
    const std::vector<Phase> phases = phases_of(launch);
    for (const std::size_t kind : phases[0].kinds) {
      for_each_item(programs[kind], [&](const ProgramPlace& at) {
        if (!at.item.segment) return;
        fills += at.executions * costs.segments[*at.item.segment].fills;
        drains += at.executions * costs.segments[*at.item.segment].drains;
      });
    }
    return {fills, drains};
  }
};

Staged staged(Launch launch) {
  mark_bulk_copies(launch);
  Staged out;
  for (const WarpKind& kind : launch.warp_kinds) out.programs.push_back(kind.program);
  out.costs.segments.resize(launch.segments.size());
  out.ring = add_bulk_stages(launch, phases_of(launch), out.programs, out.costs);
  return out;
}

TEST(BulkStages, CopiesFillWhatProductsDrain) {
  const Launch launch = ring();
  ASSERT_TRUE(has_bulk_stages(launch));
  const Staged out = staged(launch);
  const auto [fills, drains] = out.tokens(launch);
  EXPECT_EQ(fills, drains);
  EXPECT_GT(fills, 0);
  // Four stages fit into the shared memory. One is that of the product under way; the rest of a
  // token is what rounding leaves.
  EXPECT_EQ(out.ring / (fills / 8), 3);
}

TEST(BulkStages, AsManyCopiesAreInDifferentRowsAsCanBeOnTheirWay) {
  const Staged out = staged(ring());
  EXPECT_EQ(test::text_of(out.programs[0]), "0 4 4 2x(4 4 4)");
  EXPECT_EQ(test::text_of(out.programs[1]), "0 8x(5)");
  EXPECT_EQ(out.costs.origins, (std::vector<std::size_t>{1, 2}));
}

TEST(BulkStages, LongBodiesGetFewerCopies) {
  Launch launch = ring();
  launch.shared_bytes = 40 * 16384;
  std::vector<ProgramItem> body(600, item(0));
  body.push_back(item(1));
  launch.warp_kinds[0].program = {loop(50, body)};
  launch.warp_kinds[1].program = {loop(50, {item(2)})};
  std::size_t items = 0;
  for_each_item(staged(launch).programs[0], [&](const ProgramPlace&) { ++items; });
  EXPECT_GT(items, 601u);
  EXPECT_LE(items, 2000u);
}

TEST(BulkStages, MulticastCopiesFillSharedMemoryWithAllThatArrives) {
  Launch launch = ring();
  launch.counters[kTakenInBytes] *= 2;
  EXPECT_EQ(taken_in_by_copies(launch), 2);
  const Staged out = staged(launch);
  EXPECT_EQ(out.ring / (out.tokens(launch).first / 8), 2) << "two stages, and at least two copies";
  launch.counters.erase(kTakenInBytes);
  EXPECT_EQ(taken_in_by_copies(launch), 1);
}

TEST(BulkStages, ACopyOfSeveralProductsFreesItsStageWithTheLastOne) {
  Launch launch = ring();
  launch.warp_kinds[1].program = {item(0), loop(24, {item(2)})};
  const auto [fills, drains] = staged(launch).tokens(launch);
  EXPECT_EQ(fills, drains) << "three products of a copy";
}

TEST(BulkStages, NothingWaitsWithoutTheCountOfWhatArrives) {
  Launch launch = ring();
  launch.counters[kTakenInBytes] = 1;
  EXPECT_FALSE(has_bulk_stages(launch)) << "less than L2 reads";
  launch.counters.erase(kTakenInBytes);
  EXPECT_FALSE(has_bulk_stages(launch));
}

TEST(BulkStages, ProductsBeforeABarrierThatTheCopyingWarpNeverReachesDoNotWait) {
  Launch launch = ring();
  // The warps that multiply meet the copying one before they multiply. It waits for free stages.
  launch.warp_kinds[0].program = {item(0), loop(8, {item(1)}), item(3)};
  launch.warp_kinds[1].program = {item(0), item(3), loop(8, {item(2)})};
  launch.warp_kinds[2].program = {item(0), item(3)};
  EXPECT_FALSE(has_bulk_stages(launch)) << "the net would be dead";
  launch.warp_kinds[0].program = {item(3), loop(8, {item(1)})};
  EXPECT_TRUE(has_bulk_stages(launch));
}

TEST(BulkStages, BlocksOfOtherWorkDoNotShareARing) {
  Launch launch = ring();
  launch.warp_kinds[1].program = {item(0)};
  EXPECT_FALSE(has_bulk_stages(launch)) << "copies without products";
  launch = ring();
  launch.warp_kinds.push_back({10, {loop(2, {item(2)})}});
  launch.warp_kinds[1].warps = 10;
  launch.block_kinds = {{10, {{0, 1}, {1, 1}, {3, 1}, {2, 1}}}};
  EXPECT_FALSE(has_bulk_stages(launch)) << "a warp multiplies twice, another one eight times";
}

TEST(BulkStages, ASegmentThatCopiesAndDoesMoreDoesNotFillStages) {
  Launch launch = ring();
  launch.segments[1].tensor_products = {{"wgmma_columns", 512}};
  EXPECT_FALSE(has_bulk_stages(launch)) << "it would need filled and free stages at a time";
  launch = ring();
  launch.segments[1].classes["copy_commit"] = 1;
  EXPECT_FALSE(has_bulk_stages(launch));
  launch = ring();
  launch.segments[1].accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  EXPECT_FALSE(has_bulk_stages(launch));
}

TEST(BulkStages, ALaunchOfCountlessCopiesDoesNotWait) {
  Launch launch = ring();
  launch.warp_kinds[0].program = {loop(kMaxRepeat, {loop(1000, {item(1)})})};
  EXPECT_FALSE(has_bulk_stages(launch));
}

// A device whose SMs take in so many bytes per cycle.
DeviceProfile taking_in(double rate) {
  DeviceProfile device = h200();
  device.facts["multicast_load_bandwidth"].value = rate;
  return device;
}

double steps_of(const Launch& launch, const DeviceProfile& device) {
  const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  KernelModel model;
  model.name = "ring";
  model.device = "h200";
  model.points = {{{}, {launch}}};
  const Prediction predicted =
      predict({{&model, &net, &device, &model.points[0], {}, {}, {}, {}}}, {}).front();
  EXPECT_EQ(predicted.outcome, Outcome::kGoal);
  return predicted.mean_steps();
}

TEST(BulkStages, TheNetEndsWhereProductsTakeNoTimeOrCopiesArriveAtOnce) {
  steps_of(ring(), load_device_profile("a100"));  // without facts of these products
  steps_of(ring(), load_device_profile("h100"));
  DeviceProfile device = taking_in(64);
  device.facts.erase("bulk_load_1024_bytes_latency_cycles");
  steps_of(ring(), device);
}

// In this SM's blocks a loop is longer than in the launch as it was profiled: where they do not fit
// any more, warps wait for the first copy.
TEST(BulkStages, WithoutStagesWarpsWaitForTheFirstCopy) {
  const DeviceProfile device = taking_in(64);
  Launch launch = ring();
  launch.counters.erase(kTakenInBytes);
  const auto parameters = [&](const Launch& of, const Heuristics& heuristics) {
    return sm_parameters(of, device, FirstBlocks::kInAnySlot, heuristics);
  };
  const ParameterValues first = parameters(launch, {});
  EXPECT_EQ(first.at("ring"), (std::vector<std::int64_t>{0}));
  const ParameterValues off = parameters(ring(), Heuristics{}.without(Heuristic::kBulkStages));
  EXPECT_EQ(off.at("ring"), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(off.at("joins"), first.at("joins"));
  EXPECT_GT(parameters(ring(), {}).at("ring")[0], 0);
}

TEST(BulkStages, ProductsWaitForCopiesThatComeLate) {
  const Launch launch = ring();
  const double fast = steps_of(launch, taking_in(64)), slow = steps_of(launch, taking_in(4));
  // Eight copies of 16 KiB at 4 bytes a cycle, and the last product behind them.
  EXPECT_GT(slow, 8 * 16384 / 4.0);
  EXPECT_LT(slow, 8 * 16384 / 4.0 + fast);
}

}  // namespace
}  // namespace pnsim
