// Tests how measured rounds become a complete profile, with rows that were recorded on two GPUs.
#include "experiments/measure/device_profiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/measure/l2_structure.h"
#include "experiments/measure/micro_facts.h"
#include "simulator/base/rows.h"
#include "simulator/model/device/device_facts.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

// The recorded rows of the microbenchmarks, and one of a benchmark that is newer than they are.
std::vector<InputJson> recorded_round(const std::string& device) {
  std::vector<InputJson> rows;
  bool has_fp64 = false;
  for (const InputJson& row : recorded_rows(device)) {
    if (row.value("kind", "") != "micro") continue;
    has_fp64 |= row["bench"] == "fp64_rate";
    rows.push_back(row);
  }
  if (has_fp64) return rows;
  InputJson fp64 = rows.front();
  fp64["id"] = "fp64";
  fp64["bench"] = "fp64_rate";
  fp64["axes"] = {{"warps", 32}};
  fp64["value"] = 1.99;
  rows.push_back(fp64);
  return rows;
}

// The facts that the driver gives, without any measured one.
DeviceProfile driver_facts(const std::string& device) {
  DeviceProfile out = load_device_profile(device);
  std::erase_if(out.facts, [](const auto& fact) {
    return fact.second.source.find("driver") == std::string::npos;
  });
  return out;
}

TEST(DeviceProfiling, RoundsAndTheDriverGiveAllFactsThatPredictionsNeed) {
  for (const char* name : {"h100", "h200"}) {
    const std::vector<InputJson> round = recorded_round(name);
    ProfiledGpu gpu = profile_of_rounds(driver_facts(name), {round, round, round});
    estimate_l2_slices("no ncu", gpu.profile);
    EXPECT_NO_THROW(read_device_facts(gpu.profile)) << name;
    EXPECT_NO_THROW(read_cold_start_facts(gpu.profile)) << name;
    EXPECT_NEAR(gpu.profile.value("fp64_rate"), 2, 0.1);
    for (const auto& [key, fact] : load_device_profile(name).facts) {
      // Not measured there, or by other commands.
      if (fact.source.find("on an H200") != std::string::npos ||
          fact.source.find("recorded launches") != std::string::npos)
        continue;
      EXPECT_TRUE(gpu.profile.facts.contains(key)) << name << " " << key;
    }
    EXPECT_EQ(gpu.rounds, 3u);
  }
}

TEST(DeviceProfiling, WithoutARowTheErrorNamesTheFactAndWhatWasRejected) {
  std::vector<InputJson> calm = recorded_round("h100"), hot = calm;
  for (InputJson& row : hot) row["throttled"] = true;
  const std::string error = test::error_of(ExitCode::kUnavailable, [&] {
    profile_of_rounds(driver_facts("h100"), {calm, hot, hot});
  });
  EXPECT_THAT(error, HasSubstr("facts after 3 rounds of microbenchmarks: "));
  EXPECT_THAT(error, HasSubstr("had throttled the clock"));
  EXPECT_THAT(error, HasSubstr("run `experiment device` again"));
}

InputJson l2_row(const char* bench, const char* axis, const char* setting, double value) {
  return {{"id", setting},
          {"kind", "micro"},
          {"bench", bench},
          {"axes", {{axis, setting}}},
          {"value", value},
          {"rel_mad", 0.02},
          {"date", "2026-11-25T10:00:00Z"}};
}

// Groups that overlap are no reason for one partition where SMs on different sides were seen.
TEST(DeviceProfiling, PartitionsAreSidesOfTheSmsWhereTheyWereMeasured) {
  std::vector<InputJson> rows{l2_row("latency_l2", "lines", "near", 205),
                              l2_row("latency_l2", "lines", "far", 222),
                              l2_row("latency_l2", "lines", "near_share", 0.5),
                              l2_row("l2_sides", "of", "lowest_correlation", -0.8)};
  DeviceProfile profile;
  EXPECT_EQ(set_l2_partitions(rows, profile), 1u);
  EXPECT_EQ(profile.value("l2_partitions"), 2);
  rows.back() = l2_row("l2_sides", "of", "lowest_correlation", -0.2);
  EXPECT_EQ(set_l2_partitions(rows, profile), 1u);
  EXPECT_EQ(profile.value("l2_partitions"), 1);
}

TEST(DeviceProfiling, PartitionsAreTheGroupsOfLinesThatLieApart) {
  for (const char* name : {"h100", "h200"}) {
    DeviceProfile profile;
    EXPECT_EQ(set_l2_partitions(recorded_rows(name), profile), 1u);
    EXPECT_EQ(profile.value("l2_partitions"), 2) << name;
  }
  std::vector<InputJson> one_group{l2_row("latency_l2", "lines", "near", 205),
                                   l2_row("latency_l2", "lines", "far", 222),
                                   l2_row("latency_l2", "lines", "near_share", 0.5)};
  DeviceProfile profile;
  EXPECT_EQ(set_l2_partitions(one_group, profile), 1u);
  EXPECT_EQ(profile.value("l2_partitions"), 1);
  EXPECT_EQ(set_l2_partitions({}, profile), 0u);
}

// The rule was read off these two GPUs: their counted slices.
TEST(DeviceProfiling, TheEstimateOfSlicesMeetsThoseThatWereCounted) {
  for (const char* name : {"h100", "h200"}) {
    DeviceProfile profile = load_device_profile(name);
    const double counted = profile.value("l2_slices");
    estimate_l2_slices("the profiler is missing", profile);
    EXPECT_EQ(profile.value("l2_slices"), counted) << name;
    EXPECT_THAT(profile.facts.at("l2_slices").source, HasSubstr("estimate"));
    EXPECT_THAT(profile.facts.at("l2_slices").source, HasSubstr("the profiler is missing"));
  }
}

TEST(DeviceProfiling, SlicesAreTheSectorsOfAllOverTheMeanOfOne) {
  const std::string head = "\"ID\",\"lts__t_sectors.avg\",\"lts__t_sectors.sum\"\n,,sector\n";
  EXPECT_EQ(slices_on_page(head + "\"0\",\"102.40\",\"8,192\"\n", "p.csv"), 80);
  EXPECT_THAT(test::input_error_of([&] { slices_on_page(head, "p.csv"); }),
              HasSubstr("expected a profiled launch"));
  EXPECT_THAT(test::input_error_of([&] { slices_on_page(head + "\"0\",\"0\",\"8\"\n", "p.csv"); }),
              HasSubstr("expected more than one slice"));
  EXPECT_THAT(test::input_error_of([&] { slices_on_page("a,b\n,\n1,2\n", "p.csv"); }),
              HasSubstr("lts__t_sectors.sum"));
}

// Only benchmarks that determine a fact, or the clock, are run: a profile is made within a minute.
TEST(DeviceProfiling, RunsTheBenchmarksThatDetermineFacts) {
  const std::vector<std::string> benches = benches_of_facts();
  for (const char* bench : {"kernel_start", "fp64_rate", "latency_l2", "l2_footprint", "sm_clock"})
    EXPECT_THAT(benches, testing::Contains(bench));
  EXPECT_THAT(benches, testing::Not(testing::Contains("atomic_width")));
  EXPECT_EQ(benches.front(), "kernel_start") << "earlier work of a process slows its launches";
}

}  // namespace
}  // namespace pnsim::experiments
