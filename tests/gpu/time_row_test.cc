#include "gpu/time_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/checked_point.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;

const Point kPoint = make_point("radix_shared", {{"n", 4096}, {"block", 128}});

DeviceFacts device_of() {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.sms = 132;
  device.driver = "580.1";
  device.cuda = "13.0";
  device.facts = {{"sms", 132, "SM", "cudaDevAttrMultiProcessorCount", ""},
                  {"name", 0, "", "cudaDeviceProp.name", "NVIDIA H200"}};
  return device;
}

Measurement measurement_of() {
  Measurement measurement;
  measurement.checked_elements = 8192;
  measurement.time = {.samples = 30,
                      .rejected = 2,
                      .rounds = 5,
                      .median_us = 123.45678,
                      .ci95_low_us = 122.9,
                      .ci95_high_us = 124.1,
                      .mean_us = 123.5,
                      .p05_us = 120,
                      .p95_us = 130,
                      .rel_mad = 0.0012345678,
                      .sm_clock_mhz = 1980};
  return measurement;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(TimeRow, HasItsKeysInOrder) {
  const Json row = time_row(kPoint, Mode::kWarm, measurement_of(), device_of(), "cmd");
  EXPECT_THAT(keys_of(row),
              ElementsAre("id", "kind", "program", "axes", "input", "mode", "samples", "rejected",
                          "rounds", "stop", "median_us", "ci95_us", "mean_us", "p05_us", "p95_us",
                          "rel_mad", "checked_elements", "device", "commit", "date", "command"));
  EXPECT_THAT(keys_of(row["axes"]), ElementsAre("n", "block"));
  EXPECT_THAT(keys_of(row["device"]), ElementsAre("name", "sms", "sm_clock_mhz", "driver", "cuda"));
  EXPECT_EQ(row["median_us"].dump(), "123.457");
  EXPECT_EQ(row["rel_mad"].dump(), "0.001235");
  EXPECT_EQ(row["ci95_us"].dump(), "[122.9,124.1]");
}

TEST(TimeRow, ASingleRoundStatesNoInterval) {
  Measurement measurement = measurement_of();
  measurement.time.rounds = 1;
  const Json row = time_row(kPoint, Mode::kSingle, measurement, device_of(), "cmd");
  EXPECT_TRUE(row["ci95_us"].is_null());
  EXPECT_EQ(row["mode"], "single");
}

TEST(TimeRow, AnUnreadClockIsNull) {
  Measurement measurement = measurement_of();
  measurement.time.sm_clock_mhz = 0;
  const Json row = time_row(kPoint, Mode::kWarm, measurement, device_of(), "cmd");
  EXPECT_TRUE(row["device"]["sm_clock_mhz"].is_null());
}

// As in results/h200/times.jsonl: the ids must find rows that were recorded before.
TEST(TimeRow, TheIdsOfRecordedRowsStay) {
  EXPECT_EQ(time_row_id(make_point("radix_global", {{"n", 4096}, {"block", 64}}), Mode::kWarm,
                        "NVIDIA H200"),
            "2c217c4a8fad787b");
}

TEST(TimeRow, ATimeOfTheCpuNamesItAndNothingElse) {
  DeviceFacts host;
  host.name = "Some CPU";
  const Json row = time_row(default_point("radix_cpu"), Mode::kWarm, measurement_of(), host, "cmd");
  EXPECT_EQ(row["device"]["name"], "Some CPU");
  for (const char* key : {"sms", "driver", "cuda"})
    EXPECT_TRUE(row["device"][key].is_null()) << key;
}

TEST(TimeRow, TheIdNamesWhatWasRun) {
  const std::string id = time_row_id(kPoint, Mode::kWarm, "NVIDIA H200");
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(time_row(kPoint, Mode::kWarm, measurement_of(), device_of(), "another")["id"], id);
  Point other = kPoint;
  other.input.seed = 2;
  EXPECT_NE(time_row_id(other, Mode::kWarm, "NVIDIA H200"), id);
  other = kPoint;
  other.axes[1].second = 256;
  EXPECT_NE(time_row_id(other, Mode::kWarm, "NVIDIA H200"), id);
  EXPECT_NE(time_row_id(kPoint, Mode::kCold, "NVIDIA H200"), id);
  EXPECT_NE(time_row_id(kPoint, Mode::kWarm, "NVIDIA H100"), id);
}

TEST(DeviceFacts, BecomeJsonWithUnitAndSource) {
  EXPECT_EQ(to_line(device_facts_json(device_of())),
            R"({"sms":{"value":132,"unit":"SM","source":"cudaDevAttrMultiProcessorCount"},)"
            R"("name":{"value":"NVIDIA H200","unit":null,"source":"cudaDeviceProp.name"}})");
}

TEST(DeviceFacts, AreFoundByName) {
  EXPECT_EQ(device_of().fact("sms").value, 132);
  EXPECT_THROW(device_of().fact("wings"), Error);
}

}  // namespace
}  // namespace pnsim::gpu
