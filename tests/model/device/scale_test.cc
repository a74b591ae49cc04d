// Profiles that are estimated from a measured one and the figures of a data sheet.
#include "simulator/model/device/scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "simulator/base/data_files.h"
#include "simulator/model/device/device_facts.h"
#include "simulator/model/device/device_text.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const DeviceProfile& h200() {
  static const DeviceProfile device = load_device_profile("h200");
  return device;
}

double ratio(const DeviceProfile& device, const std::string& key) {
  return device.value(key) / h200().value(key);
}

std::string usage_error(const GivenFacts& given) {
  return test::error_of(ExitCode::kUsage, [&] { scale_device(h200(), given); });
}

TEST(ScaledDevice, GivenFactsHaveTheirValueAndSource) {
  const DeviceProfile device =
      scale_device(h200(), {{"sms", {108, "NVIDIA A100 data sheet"}}, {"fp64_rate", {1, ""}}});
  EXPECT_EQ(device.count("sms"), 108);
  EXPECT_EQ(device.facts.at("sms").source, "given: NVIDIA A100 data sheet");
  EXPECT_EQ(device.facts.at("fp64_rate").source, "given");
  EXPECT_EQ(device.estimate, "scaled from h200, never compared with hardware");
}

TEST(ScaledDevice, ThreadsAndWarpsOfAnSmFollowFromEachOther) {
  const DeviceProfile threads = scale_device(h200(), {{"max_threads_per_sm", {1024, ""}}});
  EXPECT_EQ(threads.count("max_warps_per_sm"), 32);
  const DeviceProfile warps = scale_device(h200(), {{"max_warps_per_sm", {32, ""}}});
  EXPECT_EQ(warps.count("max_threads_per_sm"), 1024);
}

TEST(ScaledDevice, LimitsOfThreadsThatContradictEachOtherAreRefused) {
  EXPECT_EQ(usage_error({{"warp_size", {64, ""}}}),
            "--set warp_size: found 64, expected 32: kernel models have warps of 32 threads");
  EXPECT_THAT(usage_error({{"max_threads_per_sm", {1024, ""}}, {"max_warps_per_sm", {64, ""}}}),
              HasSubstr("found 1024, expected 32 threads for each of the 64 of max_warps_per_sm"));
  EXPECT_THAT(usage_error({{"max_threads_per_sm", {1000, ""}}}), HasSubstr("a multiple of 32"));
  EXPECT_THAT(
      usage_error({{"max_threads_per_sm", {32, ""}}, {"max_threads_per_block", {4096, ""}}}),
      HasSubstr("a block of 4096 threads (max_threads_per_block) does not fit on an SM of 32"));
  EXPECT_THAT(usage_error({{"max_warps_per_sm", {16, ""}}}),
              HasSubstr("a block of 1024 threads (max_threads_per_block) does not fit"));
}

TEST(ScaledDevice, MemoryBandwidthScalesDramAndNothingElse) {
  const DeviceProfile device =
      scale_device(h200(), {{"memory_bandwidth", {h200().value("memory_bandwidth_peak") / 2, ""}}});
  EXPECT_NEAR(ratio(device, "dram_read_bandwidth"), 0.5, 1e-5);
  EXPECT_NEAR(ratio(device, "partial_store_rate"), 0.5, 1e-5);
  EXPECT_NEAR(ratio(device, "global_atomic_dram_ns"), 2, 1e-5);
  EXPECT_EQ(ratio(device, "l2_read_bandwidth"), 1);
  EXPECT_EQ(ratio(device, "dram_latency_cycles"), 1);
  EXPECT_THAT(device.facts.at("dram_read_bandwidth").source,
              StartsWith("scaled from h200 (4.60913e+12) by memory bandwidth, 0.5000"));
  EXPECT_THAT(device.facts.at("l2_read_bandwidth").source, StartsWith("h200, kept: experiment"));
}

// One block on each SM is limited by latency, eight are limited by the bandwidth.
TEST(ScaledDevice, FewBlocksKeepTheirBandwidthWhenTheMemoryGetsSlower) {
  const DeviceProfile device = scale_device(
      h200(), {{"memory_bandwidth", {0.7 * h200().value("memory_bandwidth_peak"), ""}}});
  const double one = ratio(device, "dram_read_1_block_bandwidth"),
               two = ratio(device, "dram_read_2_blocks_bandwidth"),
               four = ratio(device, "dram_read_4_blocks_bandwidth"),
               eight = ratio(device, "dram_read_8_blocks_bandwidth");
  EXPECT_GT(one, 0.9);
  EXPECT_GT(one, two);
  EXPECT_GT(two, four);
  EXPECT_GT(four, eight);
  EXPECT_NEAR(eight, 0.7, 0.03);
}

TEST(ScaledDevice, TheClockScalesTimesOfCyclesAndRatesPerSecond) {
  const DeviceProfile device = scale_device(h200(), {{"clock_mhz", {990, ""}}});
  EXPECT_NEAR(ratio(device, "sm_l2_bandwidth"), 0.5, 1e-5);
  EXPECT_NEAR(ratio(device, "l2_read_bandwidth"), 0.5, 1e-5);
  EXPECT_NEAR(ratio(device, "block_dispatch_ns"), 2, 1e-4);
  EXPECT_EQ(ratio(device, "l2_latency_cycles"), 1);
  EXPECT_EQ(ratio(device, "fp32_rate"), 1);
  EXPECT_EQ(ratio(device, "kernel_nothing_ns"), 1) << "the driver's time";
  const double l2 = h200().value("l2_latency_cycles");
  EXPECT_NEAR(device.value("dram_latency_cycles"),
              l2 + (h200().value("dram_latency_cycles") - l2) / 2, 1e-2);
}

TEST(ScaledDevice, SlicesFollowTheBusUnlessTheyAreGiven) {
  const DeviceProfile by_bus = scale_device(h200(), {{"memory_bus_bits", {5120, ""}}});
  EXPECT_EQ(by_bus.count("l2_slices"), 80) << "those of the H100, which has this bus";
  EXPECT_NEAR(ratio(by_bus, "random_l2_sector_rate"), 80.0 / 94, 1e-5);
  EXPECT_EQ(scale_device(h200(), {{"memory_bus_bits", {5120, ""}}, {"l2_slices", {40, ""}}})
                .count("l2_slices"),
            40);
}

TEST(ScaledDevice, SmallTablesAreNotFasterThanAllOfL2) {
  const DeviceProfile device = scale_device(h200(), {{"l2_slices", {20, ""}}});
  EXPECT_LE(device.value("random_l2_64_kib_sector_rate"), device.value("random_l2_sector_rate"));
}

TEST(ScaledDevice, TheCapacityScalesWhatL2Keeps) {
  const DeviceProfile device = scale_device(h200(), {{"l2_bytes", {31457280, ""}}});
  EXPECT_NEAR(ratio(device, "l2_copy_loses_bytes"), 0.5, 1e-5);
  EXPECT_EQ(ratio(device, "l2_read_bandwidth"), 1);
}

TEST(ScaledDevice, UnscaledIsTheSourceItself) {
  const DeviceProfile device = scale_device(h200(), {{"sms", {132, ""}}});
  std::size_t left_out = 0;
  for (const auto& [key, fact] : h200().facts) {
    if (device.facts.contains(key)) {
      EXPECT_EQ(device.value(key), fact.value) << key;
    } else {
      ++left_out;
      EXPECT_THAT(
          key, testing::ContainsRegex("mma_|^tensor_|^bulk_|^multicast_|^cluster_|^remote_shared_|"
                                      "^stmatrix_|^(far_)?(dram_)?code_|^recorded_block_|"
                                      "^profiler_"));
    }
  }
  EXPECT_GT(left_out, 50u);
  EXPECT_FALSE(device.facts.contains("code_line_cycles"));
}

TEST(ScaledDevice, FiguresThatCannotBeAreRefusedWithTheNearestName) {
  EXPECT_EQ(usage_error({{"memory_bandwith", {3e12, ""}}}),
            "--set memory_bandwith: h200 has no such fact; did you mean \"memory_bandwidth\"?");
  EXPECT_EQ(usage_error({{"sms", {-4, ""}}}),
            "--set sms: found -4.00000, expected a number over 0 "
            "in SM");
  EXPECT_EQ(usage_error({{"sms", {10.5, ""}}}),
            "--set sms: found 10.5000, expected a whole number");
  EXPECT_THAT(usage_error({{"memory_bandwidth", {3350, ""}}}),
              HasSubstr("expected 4.81e+10 to 4.81e+14 (byte/s), a hundredth to a hundred times "
                        "the 4.81430e+12 of h200"));
  EXPECT_THAT(
      usage_error({{"memory_bandwidth", {3e12, ""}}, {"memory_bandwidth_peak", {3e12, ""}}}),
      HasSubstr("is given twice"));
}

TEST(ScaledDevice, ASourceThatLacksFactsIsRefusedWithTheirNames) {
  DeviceProfile half = h200();
  half.facts.erase("l2_read_bandwidth");
  half.facts.erase("barrier_1_warp_cycles");
  const std::string error = test::input_error_of([&] { scale_device(half, {{"sms", {108, ""}}}); });
  EXPECT_THAT(error, HasSubstr("2 facts are missing: \"barrier_1_warp_cycles\", "
                               "\"l2_read_bandwidth\"."));
  EXPECT_THAT(error, HasSubstr("`experiment device --name h200`"));
}

TEST(ScaledDevice, EveryRuleNamesFactsThatExistAndEachFactHasOneRule) {
  std::set<std::string> seen;
  for (const ScaleRule& rule : scale_rules()) {
    EXPECT_FALSE(rule.why.empty());
    for (const std::string& fact : rule.facts) {
      EXPECT_TRUE(h200().facts.contains(fact)) << fact;
      EXPECT_TRUE(seen.insert(fact).second) << fact;
    }
  }
}

// The shipped estimates are what the command makes of their given figures.
TEST(ScaledDevice, ShippedEstimatesAreMadeByTheRuleAndCiteEveryFigure) {
  std::size_t estimates = 0;
  for (const std::string& name : shipped_names("models/devices")) {
    const DeviceProfile shipped = load_device_profile(name);
    if (!shipped.estimate.starts_with("scaled from h200")) continue;
    ++estimates;
    GivenFacts given;
    for (const auto& [key, fact] : shipped.facts) {
      if (!fact.source.starts_with("given")) continue;
      ASSERT_THAT(fact.source, StartsWith("given: ")) << name << " " << key;
      given[key] = {fact.value, fact.source.substr(7)};
    }
    DeviceProfile again = scale_device(h200(), given);
    again.name = shipped.name;
    again.title = shipped.title;
    EXPECT_EQ(device_profile_text(again), device_profile_text(shipped)) << name;
    EXPECT_NO_THROW(read_device_facts(shipped)) << name;
    EXPECT_NO_THROW(read_cold_start_facts(shipped)) << name;
    EXPECT_THAT(shipped.described(), HasSubstr("never compared with hardware"));
  }
  EXPECT_GE(estimates, 3u);
}

}  // namespace
}  // namespace pnsim
