// The typed record of a device's facts.
#include "simulator/model/device/device_facts.h"

#include <gtest/gtest.h>

#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using test::input_error_of;

TEST(DeviceFacts, HaveTheValuesOfTheProfile) {
  const DeviceProfile h200 = load_device_profile("h200");
  const DeviceFacts facts = read_device_facts(h200);
  EXPECT_EQ(facts.sms, 132);
  EXPECT_EQ(facts.cycles_per_ns(), 1.98);
  EXPECT_EQ(facts.l2_latency_cycles, h200.value("l2_latency_cycles"));
  EXPECT_EQ(facts.l2.read, h200.value("l2_read_bandwidth"));
  EXPECT_EQ(facts.l2.copy_8_blocks, h200.value("l2_copy_8_blocks_bandwidth"));
  EXPECT_EQ(facts.dram.read_1_block, h200.value("dram_read_1_block_bandwidth"));
  EXPECT_EQ(facts.dram.copy_4_blocks, h200.value("dram_copy_4_blocks_bandwidth"));
  EXPECT_EQ(read_cold_start_facts(h200).cold_nothing_ns, h200.value("cold_nothing_ns"));
}

TEST(DeviceFacts, SayWhichOneAFileLacks) {
  DeviceProfile device = load_device_profile("h200");
  device.facts.erase("fp64_rate");
  const std::string error = input_error_of([&] { read_device_facts(device); });
  EXPECT_NE(error.find("h200.json: /facts: the fact \"fp64_rate\" is missing"), std::string::npos)
      << error;
}

TEST(DeviceFacts, AreOver0AndWholeWhereTheyCount) {
  DeviceProfile device = load_device_profile("h200");
  device.facts["l1_latency_cycles"].value = 0;
  EXPECT_NE(input_error_of([&] { read_device_facts(device); }).find("l1_latency_cycles"),
            std::string::npos);
  device = load_device_profile("h200");
  device.facts["sms"].value = 1.5;
  EXPECT_NE(input_error_of([&] { read_device_facts(device); }).find("a whole number"),
            std::string::npos);
}

// rtx2060super has no measurements after a flush of L2: only cold launches need them.
TEST(DeviceFacts, FactsForColdLaunchesMayBeMissing) {
  const DeviceProfile device = load_device_profile("rtx2060super");
  EXPECT_EQ(read_device_facts(device).sms, 34);
  EXPECT_NE(input_error_of([&] { read_cold_start_facts(device); }).find("cold_nothing_ns"),
            std::string::npos);
}

TEST(DeviceFacts, FactsOfTexturesAtomicsAndConstantsMayBeMissingUntilTheyAreUsed) {
  DeviceProfile device = load_device_profile("h200");
  for (const char* fact : {"texture_fetch_cycles", "texture_latency_cycles",
                           "global_atomic_lane_ns", "constant_line_ns"})
    device.facts.erase(fact);
  const DeviceFacts facts = read_device_facts(device);
  EXPECT_NE(input_error_of([&] {
              (void)facts.textures->texture_latency_cycles;
            }).find("the fact \"texture_fetch_cycles\" is missing"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              (void)facts.atomics->global_atomic_line_ns;
            }).find("the fact \"global_atomic_lane_ns\" is missing"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              (void)facts.constants->constant_line_ns;
            }).find("the fact \"constant_line_ns\" is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace pnsim
