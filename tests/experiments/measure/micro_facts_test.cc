// Tests the conversion of microbenchmark rows to facts of a device profile.
#include "experiments/measure/micro_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/measure/measured_facts.h"
#include "experiments/spec/device_file.h"
#include "gpu/microbench.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/rows.h"

namespace pnsim::experiments {
namespace {

InputJson row(const std::string& bench, const InputJson& axes, double value, double noise = 0.01) {
  return {{"id", "x"},
          {"kind", "micro"},
          {"bench", bench},
          {"axes", axes},
          {"value", value},
          {"rel_mad", noise},
          {"date", "2026-11-21T10:00:00Z"}};
}

TEST(MicroFacts, AreTakenFromTheRowOfTheirBenchAndSettings) {
  DeviceProfile profile;
  const std::size_t set = set_measured_facts(
      {row("latency_arithmetic", {{"op", "int_mad"}}, 5),
       row("latency_arithmetic", {{"op", "fp32_fma"}}, 4.5, 0.002), row("latency_l1", {}, 40)},
      profile);
  EXPECT_EQ(set, 3u);
  const DeviceFact& fact = profile.facts.at("fp32_latency_cycles");
  EXPECT_EQ(fact.value, 4.5);
  EXPECT_EQ(fact.unit, "cycle");
  EXPECT_EQ(fact.noise, 0.002);
  EXPECT_EQ(fact.source, "experiment microbench latency_arithmetic op=fp32_fma on 2026-11-21");
  EXPECT_EQ(profile.value("l1_latency_cycles"), 40);
}

TEST(MicroFacts, AValueThatNoCommandPrintedSaysSo) {
  DeviceProfile profile;
  InputJson by_hand = row("latency_l1", {}, 40);
  by_hand["command"] = "by hand: a program that is not kept";
  set_measured_facts({by_hand}, profile);
  EXPECT_EQ(profile.facts.at("l1_latency_cycles").source,
            "measured by hand, not by experiment microbench latency_l1 on 2026-11-21");
}

// A rate that was measured as below 0 made a profile that could not be read.
TEST(MicroFacts, AValueThatNoGpuCanHaveIsLeftOut) {
  DeviceProfile profile;
  const std::size_t set = set_measured_facts(
      {row("float_unit_rate", {{"op", "mul_f32"}, {"warps_per_scheduler", 4}}, -0.26),
       row("latency_l1", {}, 40)},
      profile);
  EXPECT_EQ(set, 1u);
  EXPECT_FALSE(profile.facts.contains("float_mul_f32_cycles"));
}

// A profile that `experiment device` writes can be read: facts of single units have their own
// units.
TEST(MicroFacts, EveryMeasuredFactCanBeReadInItsUnit) {
  const InputJson shipped = load_json(data_root() + "/models/devices/h200.json");
  for (const MeasuredFact& fact : measured_facts()) {
    InputJson profile = {{"kind", "device"}, {"version", 1}, {"name", "t"}, {"title", "T"}};
    InputJson& row = profile["facts"][fact.key];
    row["value"] = 1000;
    if (shipped["facts"].contains(fact.key)) row["value"] = shipped["facts"][fact.key]["value"];
    row["unit"] = fact.unit;
    row["source"] = "a test";
    EXPECT_NO_THROW(read_device_profile(JsonReader(profile, "t.json"))) << fact.key;
  }
}

TEST(MicroFacts, ABandwidthIsTheBestOfAllOccupancies) {
  DeviceProfile profile;
  set_measured_facts(
      {row("bandwidth", {{"level", "dram"}, {"kind", "read"}, {"blocks_per_sm", 1}, {"sms", 132}},
           900),
       row("bandwidth", {{"level", "dram"}, {"kind", "read"}, {"blocks_per_sm", 8}, {"sms", 132}},
           3900),
       row("bandwidth", {{"level", "dram"}, {"kind", "read"}, {"blocks_per_sm", 1}, {"sms", 1}},
           70)},
      profile);
  EXPECT_EQ(profile.value("dram_read_bandwidth"), 3900e9);
  EXPECT_EQ(profile.value("sm_dram_bandwidth"), 70e9) << "sms=1 is not sms=132";
}

// Launches take 100 ns per MiB while all stays in L2 and 200 when nothing does; linear from 40 to
// 60 MiB.
TEST(MicroFacts, WhatL2KeepsIsReadOffTheTimesOfLaunchesByFootprint) {
  std::vector<InputJson> rows;
  for (const int mib : {8, 24, 32, 40, 44, 48, 52, 56, 60, 96, 128}) {
    const double gone = std::clamp((mib - 40) / 20.0, 0.0, 1.0);
    rows.push_back(row("l2_footprint", {{"kind", "read"}, {"mib", mib}}, mib * (100 + 100 * gone)));
  }
  DeviceProfile profile;
  EXPECT_EQ(set_measured_facts(rows, profile), 2u);
  EXPECT_NEAR(profile.value("l2_read_keeps_bytes") / 1048576, 40, 0.1);
  EXPECT_NEAR(profile.value("l2_read_loses_bytes") / 1048576, 60, 0.1);
  EXPECT_FALSE(profile.facts.contains("l2_copy_keeps_bytes"));
  rows.resize(6);  // no footprint that leaves L2
  DeviceProfile half;
  EXPECT_EQ(set_measured_facts(rows, half), 0u);
}

TEST(MicroFacts, OtherRowsAndFactsStayAsTheyAre) {
  DeviceProfile profile;
  profile.facts["sms"] = {132, "SM", "driver", 0};
  InputJson time = row("latency_l1", {}, 1);
  time["kind"] = "time";
  EXPECT_EQ(set_measured_facts({time}, profile), 0u);
  EXPECT_EQ(profile.facts.size(), 1u);
}

TEST(MicroFacts, ARowWithoutValueIsRefused) {
  DeviceProfile profile;
  InputJson broken = row("latency_l1", {}, 1);
  broken.erase("value");
  EXPECT_THROW(set_measured_facts({broken}, profile), Error);
}

TEST(MicroFacts, EachHasAKeyOfItsOwnAndABenchmarkThatExists) {
  std::set<std::string> benches, keys;
  for (const gpu::Microbenchmark& bench : gpu::microbenchmarks()) benches.insert(bench.name);
  for (const MeasuredFact& fact : measured_facts()) {
    EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
    EXPECT_TRUE(benches.contains(fact.bench)) << fact.key << ": " << fact.bench;
  }
}

TEST(MicroFacts, SingleUnitsAreTakenFromTheRowsOfTheirShapeAndPlace) {
  const auto product = [](const char* place, int groups, double cycles) {
    return row(
        "wgmma_rate",
        {{"shape", "m64n128k16"}, {"type", "f16_to_f32"}, {"a_in", place}, {"warp_groups", groups}},
        cycles);
  };
  DeviceProfile profile;
  EXPECT_EQ(set_measured_facts(
                {product("shared", 1, 80), product("shared", 2, 64), product("registers", 2, 65)},
                profile),
            3u);
  EXPECT_EQ(profile.value("hgmma_m64n128k16_f16_1_group_cycles"), 80);
  EXPECT_EQ(profile.value("hgmma_m64n128k16_f16_cycles"), 64);
  EXPECT_EQ(profile.value("hgmma_m64n128k16_f16_registers_cycles"), 65);
}

TEST(MicroFacts, AThrottledRowCountsOnlyWhereTheClockIsMeasured) {
  InputJson clock = row("tensor_clock", {{"type", "f16_to_f32"}, {"when", "sustained"}}, 1410);
  InputJson load = row("latency_l1", {}, 32);
  clock["throttled"] = load["throttled"] = true;
  DeviceProfile profile;
  EXPECT_EQ(set_measured_facts({clock, load}, profile), 1u);
  EXPECT_EQ(profile.value("tensor_clock_mhz"), 1410);
}

// The shipped facts must equal those of the recorded rows.
TEST(MicroFacts, TheShippedProfilesCanBeRebuiltFromTheRecordedRows) {
  for (const std::string& name : shipped_names("models/devices")) {
    const DeviceProfile shipped = load_device_profile(name);
    DeviceProfile rebuilt = shipped;
    for (auto& [key, fact] : rebuilt.facts) {
      if (fact.source.starts_with("experiment microbench")) fact.value = -1;
    }
    set_measured_facts(recorded_rows(name), rebuilt);
    EXPECT_EQ(device_profile_text(rebuilt), device_profile_text(shipped)) << name;
  }
}

}  // namespace
}  // namespace pnsim::experiments
