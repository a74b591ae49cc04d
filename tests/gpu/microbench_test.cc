// The list of microbenchmarks and their rows; the values themselves need a GPU.
#include "gpu/microbench.h"

#include <gtest/gtest.h>

#include <set>

#include "gpu/live.h"
#include "gpu/micro_row.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

MicroValue value_of(std::vector<MicroSetting> settings) {
  return {"bandwidth", std::move(settings), 1234.56789, "GB/s", 0.00123456789, 5};
}

TEST(Microbench, EachHasANameOfItsOwnAndSaysWhatItTells) {
  std::set<std::string> names;
  for (const Microbenchmark& bench : microbenchmarks()) {
    EXPECT_TRUE(names.insert(bench.name).second) << bench.name;
    EXPECT_FALSE(bench.what.empty()) << bench.name;
    EXPECT_FALSE(bench.determines.empty()) << bench.name;
  }
  EXPECT_GE(names.size(), 19u);
}

TEST(Microbench, WithoutAGpuTheRefusalSaysWhy) {
  if (!unavailable_reason()) GTEST_SKIP() << "there is a GPU";
  try {
    run_microbenchmark("latency_l1");
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUnavailable);
    EXPECT_EQ(error.what(), *unavailable_reason());
  }
}

TEST(MicroRow, HoldsTextsAndNumbersOfTheAxesInTheirOrder) {
  const Json axes = settings_json({{"level", "l2"}, {"sms", "", 132}});
  EXPECT_EQ(axes.dump(), R"({"level":"l2","sms":132})");
}

TEST(MicroRow, IsRoundedToSixDigitsAndSaysWhereItComesFrom) {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.driver = "580.1";
  const Json row =
      micro_row(value_of({{"level", "l2"}}), {1980, false, 0, ""}, device, "experiment microbench");
  EXPECT_EQ(row["value"], 1234.57);
  EXPECT_EQ(row["rel_mad"], 0.00123457);
  EXPECT_EQ(row["kind"], "micro");
  EXPECT_EQ(row["sm_clock_mhz"], 1980);
  EXPECT_EQ(row["throttled"], false);
  EXPECT_EQ(row["device"]["name"], "NVIDIA H200");
  for (const char* key : {"id", "commit", "date", "command", "unit", "samples"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
}

TEST(MicroRow, WhatTheDriverDidNotSayIsNull) {
  const Json row = micro_row(value_of({}), {0, false, 0, "no NVML: clocks are not read"}, {}, "");
  for (const char* key : {"sm_clock_mhz", "throttled", "other_processes"}) {
    EXPECT_TRUE(row[key].is_null()) << key;
  }
}

TEST(MicroRow, TheIdIsOfWhatWasMeasuredNotOfTheResult) {
  MicroValue again = value_of({{"level", "l2"}});
  again.value = 99;
  const std::string id = micro_row_id(value_of({{"level", "l2"}}), "NVIDIA H200");
  EXPECT_EQ(micro_row_id(again, "NVIDIA H200"), id);
  EXPECT_NE(micro_row_id(value_of({{"level", "dram"}}), "NVIDIA H200"), id);
  EXPECT_NE(micro_row_id(value_of({{"level", "l2"}}), "NVIDIA H100"), id);
}

}  // namespace
}  // namespace pnsim::gpu
