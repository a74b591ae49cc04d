#include "simulator/model/device/device_profile.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/base/device_files.h"
#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::expect_faults;
using test::input_error_of;

const char* const kDevice = R"({
  "$schema": "../schema/device.schema.json",
  "kind": "device", "version": 1, "name": "tiny", "title": "A GPU of the tests",
  "facts": {
    "sms": {"value": 4, "unit": "SM", "source": "device property"},
    "clock_mhz": {"value": 1980.5, "unit": "MHz", "source": "measured", "noise": 0.01},
    "none": {"value": 0, "unit": "", "source": "s"}}
})";

DeviceProfile device() { return test::read_text(kDevice, read_device_profile); }

TEST(DeviceProfile, ReadsFactsWithUnitSourceAndNoise) {
  const DeviceProfile d = device();
  EXPECT_EQ(d.name, "tiny");
  EXPECT_EQ(d.title, "A GPU of the tests");
  ASSERT_EQ(d.facts.size(), 3u);
  const DeviceFact& clock = d.facts.at("clock_mhz");
  EXPECT_EQ(clock.value, 1980.5);
  EXPECT_EQ(clock.unit, "MHz");
  EXPECT_EQ(clock.source, "measured");
  EXPECT_EQ(clock.noise, 0.01);
  EXPECT_EQ(d.facts.at("sms").noise, 0);
}

TEST(DeviceProfile, GivesValuesByKey) {
  EXPECT_EQ(device().value("clock_mhz"), 1980.5);
  EXPECT_EQ(device().count("sms"), 4);
}

TEST(DeviceProfile, ARateIsOverZero) {
  EXPECT_EQ(device().positive("clock_mhz"), 1980.5);
  EXPECT_EQ(input_error_of([] { device().positive("none"); }),
            "t.json: /facts/none/value: found 0, expected a number over 0 and up to 1e18");
}

TEST(DeviceProfile, NamesTheNearestOfAMissingFact) {
  EXPECT_EQ(input_error_of([] { device().value("clock"); }),
            "t.json: /facts: the fact \"clock\" is missing; did you mean \"clock_mhz\"?");
  EXPECT_EQ(input_error_of([] { device().value("l2_sectors"); }),
            "t.json: /facts: the fact \"l2_sectors\" is missing; known: clock_mhz, none, sms");
  EXPECT_EQ(input_error_of([] { device().count("sm"); }),
            "t.json: /facts: the fact \"sm\" is missing; did you mean \"sms\"?");
}

TEST(DeviceProfile, ACountIsAWholeNumberOfAtLeastOne) {
  EXPECT_EQ(input_error_of([] { device().count("clock_mhz"); }),
            "t.json: /facts/clock_mhz/value: found 1980.50, expected a whole number of at least 1");
  EXPECT_EQ(input_error_of([] { device().count("none"); }),
            "t.json: /facts/none/value: found 0, expected a whole number of at least 1");
}

TEST(DeviceProfile, WithoutAFileItIsNamed) {
  DeviceProfile made;
  made.name = "made";
  made.facts["sms"].value = 0.5;
  EXPECT_EQ(input_error_of([&] { made.count("sms"); }),
            "device made: fact \"sms\": found 0.500000, expected a whole number of at least 1");
  EXPECT_EQ(input_error_of([&] { made.value("sm"); }),
            "device made: the fact \"sm\" is missing; did you mean \"sms\"?");
}

// A profile with one fact, without the end of it.
std::string profile_with(const std::string& fact) {
  return "{\"kind\": \"device\", \"version\": 1, \"name\": \"t\", \"title\": \"T\", \"facts\": {" +
         fact + ", \"source\": \"s\"}}}";
}

std::string error_of_fact(const std::string& fact) {
  return input_error_of([&] { test::read_text(profile_with(fact), read_device_profile); });
}

// A value is read in the unit that the name of its fact states.
TEST(DeviceProfile, AnotherUnitThanThatOfTheNameIsRefused) {
  EXPECT_EQ(error_of_fact(R"("clock_mhz": {"value": 1.98, "unit": "GHz")"),
            "t.json: /facts/clock_mhz/unit: found \"GHz\", expected \"MHz\", in which the value of "
            "this fact is read: convert the value");
  for (const char* fact :
       {R"("kernel_load_ns": {"value": 2, "unit": "us")",
        R"("kernel_load_ns": {"value": 2, "unit": "nspace")",
        R"("l2_read_bandwidth": {"value": 2, "unit": "GB/s")",
        R"("l2_latency_cycles": {"value": 2, "unit": "ns")",
        R"("random_l2_sector_rate": {"value": 2, "unit": "warp instruction/cycle/SM")",
        R"("shared_bytes_per_sm": {"value": 2, "unit": "KiB")"}) {
    EXPECT_NE(error_of_fact(fact).find("/unit: found "), std::string::npos) << fact;
  }
  for (const char* fact :
       {R"("kernel_load_ns": {"value": 2, "unit": "ns/launch")",
        R"("dmma_m8n8k4_f64_cycles": {"value": 2, "unit": "cycle of a scheduler")",
        R"("my_own_fact": {"value": 2, "unit": "parsec")"}) {
    EXPECT_EQ(test::read_text(profile_with(fact), read_device_profile).facts.size(), 1u) << fact;
  }
}

TEST(DeviceProfile, ANumberThatNoGpuHasIsRefused) {
  EXPECT_EQ(error_of_fact(R"("clock_mhz": {"value": 1.98, "unit": "MHz")"),
            "t.json: /facts/clock_mhz/value: found 1.98, expected 100 to 100000 (MHz), far beyond "
            "all known GPUs: is it a number in another unit?");
  for (const char* fact : {R"("sms": {"value": 0, "unit": "SM")",
                           R"("schedulers_per_sm": {"value": 0, "unit": "scheduler")",
                           R"("l2_latency_cycles": {"value": 1e9, "unit": "cycle")",
                           R"("kernel_load_ns": {"value": 1e9, "unit": "ns")",
                           R"("memory_bandwidth_peak": {"value": 4800, "unit": "byte/s")",
                           R"("l2_bytes": {"value": 60, "unit": "byte")",
                           R"("fp32_rate": {"value": 0, "unit": "warp instruction/cycle/SM")"}) {
    EXPECT_NE(error_of_fact(fact).find("/value: found "), std::string::npos) << fact;
  }
}

// A GPU of the future may have ten times the units, the speed or the size of today's.
// Facts of single units have units of their own, as in a profile that `experiment device` makes.
TEST(DeviceProfile, AFactOfASingleUnitMayHaveAUnitOfItsOwn) {
  for (const char* fact :
       {R"("async_copy_4_bytes_1_stages_bandwidth": {"value": 3.2, "unit": "byte/cycle/SM")",
        R"("remote_shared_cluster_2_bandwidth": {"value": 30, "unit": "byte/cycle/SM")",
        R"("my_line_bytes": {"value": 128, "unit": "byte")"}) {
    EXPECT_EQ(test::read_text(profile_with(fact), read_device_profile).facts.size(), 1u) << fact;
  }
}

TEST(DeviceProfile, TenTimesBeyondTheShippedProfilesIsAccepted) {
  for (const std::string& name : shipped_names("models/devices")) {
    const InputJson shipped = load_json(data_root() + "/models/devices/" + name + ".json");
    for (const double factor : {0.1, 1.0, 10.0}) {
      InputJson changed = shipped;
      for (auto& [key, fact] : changed["facts"].items()) {
        const bool is_small_count = key == "schedulers_per_sm" || key == "l2_partitions";
        if (key == "warp_size" || (factor < 1 && is_small_count)) continue;
        fact["value"] = factor * fact["value"].get<double>();
      }
      EXPECT_NO_THROW(read_device_profile(JsonReader(changed, name))) << factor;
    }
  }
}

TEST(DeviceProfileFaults, CommandsNameAProfileAsItMayBeCalled) {
  const std::string text = how_to_profile("NVIDIA B200");
  EXPECT_NE(text.find("--name NVIDIA_B200`"), std::string::npos) << text;
  EXPECT_NE(text.find("-o NVIDIA_B200.json`"), std::string::npos) << text;
}

TEST(DeviceProfileFaults, NameThePlace) {
  const std::string version =
      "/version: found 2, expected 1, the version of profiles that this program reads. " +
      how_to_profile("tiny");
  expect_faults(
      kDevice,
      {
          {"/kind", "\"gpu\"", "/kind: found \"gpu\", expected \"device\""},
          {"/version", "2", version.c_str()},
          {"/name", "\"../../etc\"",
           "/name: found \"../../etc\", expected letters, digits, '-', '_' and '.', as in my-gpu"},
          {"/facts/warp_size", R"({"value": 64, "unit": "thread", "source": "s"})",
           "/facts/warp_size/value: found 64, expected 32: kernel models have warps of 32 threads"},
          {"/title", "", "(top level): the key \"title\" is missing"},
          {"/fact", "{}", "(top level): unknown key \"fact\"; did you mean \"facts\"?"},
          {"/facts", "[]", "/facts: found an array, expected an object"},
          {"/facts/sms/value", "\"4\"", "/facts/sms/value: found \"4\", expected a number"},
          {"/facts/sms/unit", "", "/facts/sms: the key \"unit\" is missing"},
          {"/facts/sms/source", "", "/facts/sms: the key \"source\" is missing"},
          {"/facts/sms/noise", "-0.1",
           "/facts/sms/noise: found -0.1, expected a number from 0 to 1e+06"},
          {"/facts/sms/nois", "0", "/facts/sms: unknown key \"nois\"; did you mean \"noise\"?"},
          {"/facts/sms", "4", "/facts/sms: found 4, expected an object"},
      },
      read_device_profile);
}

TEST(DeviceProfile, AnUnknownNameIsRefused) {
  EXPECT_EQ(input_error_of([] {
              load_device_profile("no_such_gpu");
            }).find("no_such_gpu: no profile of this GPU"),
            0u);
}

}  // namespace
}  // namespace pnsim
