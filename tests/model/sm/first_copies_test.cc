// Warps that wait for the first copy of another warp.
#include "simulator/model/sm/first_copies.h"

#include <gtest/gtest.h>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/model/launch/executions.h"
#include "tests/model/sass/listing.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// 10 blocks of 4 warps: one copies eight tiles, two multiply them, and one does neither. Segment 0
// begins, 1 copies a tile, 2 waits for something else, 3 multiplies.
Launch pipeline() {
  Launch launch = bulk_copying_launch("pipeline", 4);
  launch.segments[2].classes = {{"int", 2}};
  launch.segments[3].classes = {{"tensor", 4}};
  launch.segments[3].tensor_products = {{"wgmma_columns", 512}};
  launch.warp_kinds = {{10, {item(0), loop(8, {item(1), item(2)})}},
                       {20, {item(0), loop(8, {item(2), item(3)})}},
                       {10, {item(0)}}};
  launch.block_kinds = {{10, {{0, 1}, {1, 2}, {2, 1}}}};
  launch.counters = {{"l2_read_sectors", 10 * 8 * 512}};
  return launch;
}

Launch awaited(const Launch& launch, std::vector<std::size_t>* origins = nullptr) {
  std::vector<std::size_t> own;
  return with_first_copies_awaited(launch, origins ? *origins : own);
}

TEST(FirstCopies, AllWarpsMeetWhenTheFirstCopyHasArrived) {
  std::vector<std::size_t> origins;
  const Launch launch = awaited(pipeline(), &origins);
  // 4: the first copy; 5, 6, 7: the meetings of the three kinds.
  EXPECT_EQ(test::text_of(launch.warp_kinds[0].program), "0 4 5 2 7x(1 2)");
  EXPECT_EQ(test::text_of(launch.warp_kinds[1].program), "0 2 6 3 7x(2 3)");
  EXPECT_EQ(test::text_of(launch.warp_kinds[2].program), "7 0");
  EXPECT_EQ(origins, (std::vector<std::size_t>{0, 1, 2, 3, 1, 1, 3, 0}));
  for (const std::size_t meeting : {5, 6, 7})
    EXPECT_EQ(launch.segments[meeting].end, SegmentEnd::kBarrier);
  EXPECT_FALSE(launch.segments[5].waits_for.empty()) << "the warp that copies waits";
  EXPECT_TRUE(launch.segments[6].waits_for.empty());
  EXPECT_TRUE(launch.segments[4].awaits_bulk_copies);
  EXPECT_FALSE(launch.segments[1].awaits_bulk_copies) << "later copies are not waited for";
  EXPECT_EQ(executions_of(launch)[1] + executions_of(launch)[4], 80) << "as many copies as before";
}

TEST(FirstCopies, AWarpThatCopiesAndMultipliesWaitsBeforeItsFirstProduct) {
  Launch launch = pipeline();
  launch.warp_kinds[0].program.push_back(item(3));
  EXPECT_EQ(test::text_of(awaited(launch).warp_kinds[0].program), "0 4 2 7x(1 2) 5 3");
}

TEST(FirstCopies, ASegmentThatCopiesAndMultipliesHasOneBarrierBeforeIt) {
  Launch launch = pipeline();
  launch.segments[1].tensor_products = {{"wgmma_columns", 8}};
  EXPECT_EQ(test::text_of(awaited(launch).warp_kinds[0].program), "0 4 1 2 7x(1 2)");
}

TEST(FirstCopies, LoopsThatAreNotEnteredAreSkipped) {
  Launch launch = pipeline();
  launch.warp_kinds[0].program = {item(0), loop(0, {item(1)}), item(1)};
  const Launch after = awaited(launch);
  EXPECT_EQ(after.warp_kinds[0].program[1].repeat, 0);
  EXPECT_EQ(*after.warp_kinds[0].program[2].segment, 4u);
}

TEST(FirstCopies, WithoutProductsTheOthersWaitWhereTheyBegin) {
  Launch launch = pipeline();
  launch.segments[3].tensor_products.clear();
  EXPECT_EQ(test::text_of(awaited(launch).warp_kinds[1].program), "6 0 8x(2 3)");
}

TEST(FirstCopies, LaunchesWithoutCopiesStay) {
  Launch launch = pipeline();
  launch.segments[1].classes = {{"int", 1}};
  EXPECT_EQ(awaited(launch).segments.size(), 4u);
}

// Half of the sectors come from DRAM: the first copies of the blocks are among them.
TEST(FirstCopies, MissL2BeforeLaterCopies) {
  Launch launch = pipeline();
  launch.counters["dram_read_bytes"] = launch.counters["l2_read_sectors"] * 16;
  launch.start = CacheStart::kInPlace;
  const Traffic traffic = traffic_of(awaited(launch), h200());
  EXPECT_NEAR(traffic.loads[4][0].l2_misses, 1, 1e-9);
  EXPECT_NEAR(traffic.loads[1][0].l2_misses, (0.5 * 80 - 10) / 70, 1e-9);
}

// Barriers of the block that only some kinds of warps pass do not leave the net without an end.
TEST(FirstCopies, TheNetEnds) {
  Launch launch = pipeline();
  launch.segments[2].end = SegmentEnd::kBarrier;  // not in the warp that does neither
  const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  KernelModel model;
  model.name = "pipeline";
  model.device = "h100";
  model.points = {{{}, {launch}}};
  const DeviceProfile device = load_device_profile("h100");
  const Prediction predicted =
      predict({{&model, &net, &device, &model.points[0], {}, {}, {}, {}}}, {}).front();
  EXPECT_EQ(predicted.outcome, Outcome::kGoal);
  EXPECT_GT(predicted.mean_steps(), 1000);
}

// The first copy takes longer than a load, and its sectors pass one after the other.
TEST(FirstCopies, TakeTheCopyEngineAndTheBandwidth) {
  DeviceProfile device = load_device_profile("h100");
  const auto costs = [&] { return CostedLaunch(device, awaited(pipeline()), 10); };
  const CostedLaunch with_engine = costs();
  const SegmentCost first = with_engine.cost(4), later = with_engine.cost(1);
  EXPECT_GT(first.latency, first.memory);
  EXPECT_LT(later.latency, 30);
  device.facts.erase("bulk_load_1024_bytes_latency_cycles");
  EXPECT_NEAR(first.latency - costs().cost(4).latency,
              load_device_profile("h100").value("bulk_load_1024_bytes_latency_cycles") -
                  load_device_profile("h100").value("l2_latency_cycles"),
              1);
}

}  // namespace
}  // namespace pnsim
