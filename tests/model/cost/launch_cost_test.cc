// What a launch costs besides its blocks: start and end, constants, code.
#include "simulator/model/cost/launch_cost.h"

#include <gtest/gtest.h>

#include "simulator/model/launch/counters.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// Each wait for cold constants costs as much as in an empty kernel. Each additional line costs
// constant_line_ns on top.
TEST(LaunchCost, ConstantsOfTheModuleMakeLaunchesLonger) {
  Launch launch = uneven_launch();
  const double plain = launch_cycles(launch, h200());
  const auto longer_ns = [&](std::int64_t waits, std::int64_t lines) {
    launch.counters[kConstantWaits] = waits;
    launch.counters[kConstantLines] = lines;
    return (launch_cycles(launch, h200()) - plain) / 1.98;
  };
  const auto fact = [](const char* name) { return h200().value(name); };
  const double cold = fact("kernel_nothing_constants_ns") - fact("kernel_nothing_ns");
  EXPECT_GT(cold, 0);
  EXPECT_NEAR(longer_ns(1, 0), cold, 1e-9);
  EXPECT_LE(longer_ns(std::int64_t{1} << 62, std::int64_t{1} << 62), 0x1p40) << "any counters";
  EXPECT_NEAR(longer_ns(2, 4), 2 * cold + 4 * fact("constant_line_ns"), 1e-9);
}

// In its program a launch takes what a recorder reports: one block less than a block on each SM.
TEST(LaunchCost, LaunchesInPlaceOfFewBlocksTakeLess) {
  const DeviceProfile device = load_device_profile("h100");
  const DeviceFacts facts = read_device_facts(device);
  const auto ns = [&](std::int64_t blocks, CacheStart start = CacheStart::kInPlace,
                      const Heuristics& heuristics = {}) {
    Launch of_nothing;
    of_nothing.grid = blocks;
    of_nothing.start = start;
    return launch_cycles(of_nothing, facts, {}, heuristics) / facts.cycles_per_ns();
  };
  const double one = device.value("kernel_time_nothing_1_block_ns"),
               each = device.value("kernel_time_nothing_ns"),
               in_graph = device.value("kernel_nothing_ns");
  EXPECT_LT(one, each);
  EXPECT_NEAR(ns(1), one, 1e-6);
  EXPECT_NEAR(ns(132), each, 1e-6);
  EXPECT_NEAR(ns(1000), each, 1e-6);
  EXPECT_NEAR(ns(67), one + (each - one) * 66 / 131, 1e-6);
  EXPECT_NEAR(ns(1, CacheStart::kWarm), in_graph, 1e-6);
  EXPECT_NEAR(ns(1, CacheStart::kInPlace, Heuristics{}.without(Heuristic::kTimedStart)), in_graph,
              1e-6);
}

// Between other kernels a launch fetches its code. Repeated, or behind itself, it has it.
TEST(LaunchCost, CodeThatOtherKernelsDroveOutMakesLaunchesLonger) {
  const DeviceProfile device = load_device_profile("h100");
  const DeviceFacts facts = read_device_facts(device);
  Launch launch = uneven_launch();
  const double repeated = launch_cycles(launch, device);
  launch.start = CacheStart::kInPlace;
  const double plain = launch_cycles(launch, device);
  launch.counters = {{kCodeLines, 3}, {kCodeJumps, 5}, {kFarCodeLines, 7}, {kFarCodeJumps, 11}};
  launch.start = CacheStart::kWarm;
  EXPECT_EQ(launch_cycles(launch, device), repeated) << "not in place";
  launch.start = CacheStart::kInPlace;
  const auto fact = [&](const char* name) { return device.value(name); };
  EXPECT_NEAR(launch_cycles(launch, device) - plain,
              3 * fact("code_line_cycles") + 5 * fact("code_jump_cycles") +
                  7 * fact("far_code_line_cycles") + 11 * fact("far_code_jump_cycles"),
              1e-6);
  EXPECT_EQ(launch_cycles(launch, facts, {}, Heuristics{}.without(Heuristic::kFetchedCode)), plain);
  DeviceFacts without = facts;
  without.code_fetch.reset();
  EXPECT_EQ(launch_cycles(launch, without, {}), plain) << "a device without these facts";
  launch.counters[kCodeJumps] = std::int64_t{1} << 62;
  EXPECT_LE(launch_cycles(launch, device), 0x1p40) << "any counters";
}

TEST(LaunchCost, CodeThatFitsBesideThatOfOtherKernelsIsKept) {
  const DeviceProfile device = load_device_profile("h200");
  Launch launch = uneven_launch();
  launch.start = CacheStart::kInPlace;
  const double kept = launch_cycles(launch, device);
  launch.counters = {{kCodeLines, 3}, {kCodeJumps, 5}, {kFarCodeLines, 7}, {kFarCodeJumps, 11}};
  const double fetched = launch_cycles(launch, device);
  EXPECT_GT(fetched, kept) << "a model that does not say what came in between";
  const auto most = static_cast<std::int64_t>(device.value("code_kept_bytes"));
  launch.counters[kCodeSinceBytes] = most;
  EXPECT_EQ(launch_cycles(launch, device), kept);
  launch.counters[kCodeSinceBytes] = most + 1;
  EXPECT_EQ(launch_cycles(launch, device), fetched);
  launch.counters[kCodeSinceBytes] = 200;
  launch.counters[kCodeFromDram] = 1;
  EXPECT_GT(launch_cycles(launch, device), fetched) << "what DRAM reads, no SM has";
  launch.counters.erase(kCodeFromDram);
  DeviceFacts facts = read_device_facts(device);
  facts.kept_code.reset();
  EXPECT_EQ(launch_cycles(launch, facts, {}), fetched) << "a device without the fact";
}

// Where the code was evicted from L2 as well, DRAM reads it. On an H200: once 48 ns, and 173 ns
// for each of the 11 far jumps.
TEST(LaunchCost, CodeThatDramReadsMakesLaunchesLongerStill) {
  const DeviceProfile device = load_device_profile("h200");
  DeviceFacts facts = read_device_facts(device);
  Launch launch = uneven_launch();
  launch.start = CacheStart::kInPlace;
  launch.counters = {{kCodeLines, 3}, {kCodeJumps, 5}, {kFarCodeLines, 7}, {kFarCodeJumps, 11}};
  const double from_l2 = launch_cycles(launch, device);
  launch.counters[kCodeFromDram] = 1;
  EXPECT_NEAR((launch_cycles(launch, device) - from_l2) / facts.cycles_per_ns(), 48 + 11 * 173, 10);
  launch.start = CacheStart::kWarm;
  EXPECT_LT(launch_cycles(launch, device), from_l2) << "repeated, it has its code";
  launch.start = CacheStart::kInPlace;
  facts.dram_code.reset();
  EXPECT_EQ(launch_cycles(launch, facts, {}), from_l2) << "a device without these facts";
}

// CUPTI's code before and behind each block: 74 ns on an H200 for up to 8 warps, 104 for 32.
TEST(LaunchCost, InstrumentedBlocksTakeTheirPlacesLonger) {
  const DeviceProfile device = load_device_profile("h200");
  DeviceFacts facts = read_device_facts(device);
  Launch launch = uneven_launch();
  const auto longer_ns = [&](std::int64_t threads, const Heuristics& heuristics = {}) {
    launch.block = threads;
    launch.is_instrumented = false;
    const std::int64_t plain = turnover_cycles(launch, facts, heuristics);
    launch.is_instrumented = true;
    return static_cast<double>(turnover_cycles(launch, facts, heuristics) - plain) /
           facts.cycles_per_ns();
  };
  EXPECT_NEAR(longer_ns(32), 74, 1);
  EXPECT_NEAR(longer_ns(256), 74, 1);
  EXPECT_NEAR(longer_ns(640), (74 + 104) / 2., 1);
  EXPECT_NEAR(longer_ns(1024), 104, 1);
  EXPECT_EQ(longer_ns(256, Heuristics{}.without(Heuristic::kRecordedBlocks)), 0);
  facts.recorded_block.reset();
  EXPECT_EQ(longer_ns(256), 0) << "a device without these facts";
}

}  // namespace
}  // namespace pnsim
