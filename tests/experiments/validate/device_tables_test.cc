// Tests the tables of predictions across GPUs, with two toy GPUs.
#include "experiments/validate/device_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/validate/predictors.h"
#include "experiments/validate/scaling_table.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/validation_root.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

// A second GPU with half the clock, its times, and its own profile of toy_a at the smallest size.
class TwoGpus {
 public:
  TwoGpus() {
    InputJson device = parse_json(files.root.read("models/devices/toy.json"), "toy");
    device["name"] = "slow";
    device["title"] = "Slow GPU";
    device["facts"]["clock_mhz"]["value"] = 990;
    files.root.write("models/devices/slow.json", device.dump());
    for (const char* folder : {"results/slow", "results/slow/models"})
      std::filesystem::create_directories(files.root.path(folder));
    files.root.write("results/slow/times.jsonl", files.root.read("results/toy/times.jsonl"));
    InputJson model = parse_json(files.root.read("models/toy_a.json"), "toy_a");
    model["device"] = "slow";
    InputJson points = InputJson::array();
    for (const InputJson& point : model["points"]) {
      if (point["problem"]["n"] == 4096) points.push_back(point);
    }
    model["points"] = points;
    files.root.write("results/slow/models/toy_a.json", model.dump());
  }

  const ValidationRoot files;
};

std::vector<double> predicted_us(const std::string& device) {
  const ValidationSet set = collect_points({load_spec("toy")}, load_device_profile(device),
                                           RecordedResults(device), {"warm"});
  return make_predictors({{"sm"}, false, {}}, set).front().predict(set.points).us;
}

TEST(DevicesTable, PredictsEveryGpuFromTheCountsOfEach) {
  const TwoGpus gpus;
  const Rendered table = devices_table("sm", {});
  const InputJson json = parse_json(table.json, "table");
  ASSERT_EQ(json["overall"].size(), 10u);
  const auto row = [&](std::size_t i) {
    const InputJson& r = json["overall"][i];
    return r["counts_from"].get<std::string>() + " " + r["predicted_for"].get<std::string>() + " " +
           r["points"].dump();
  };
  EXPECT_EQ(row(0), "toy slow 8");
  EXPECT_EQ(row(1), "toy toy 8");
  EXPECT_EQ(row(2), "slow slow 2");
  EXPECT_EQ(row(3), "slow toy 2");
  EXPECT_EQ(row(4), "toy slow 2") << "those profiled on both";
  // Equal counts: it does not matter where they were recorded.
  EXPECT_EQ(json["overall"][4]["mean"], json["overall"][2]["mean"]);
  EXPECT_EQ(row(8), "toy slow 8");
  EXPECT_EQ(row(9), "slow toy 2");
  EXPECT_EQ(json["overall"][8]["which"], "all, from the time on the toy");
  // The times of both are alike, so the error is the change of the prediction.
  const std::vector<double> toy = predicted_us("toy"), slow = predicted_us("slow");
  double sum = 0;
  for (std::size_t i = 0; i < toy.size(); ++i) sum += slow[i] / toy[i] - 1;
  EXPECT_NEAR(json["overall"][8]["mean"].get<double>(), sum / 8, 1e-9);
  EXPECT_THAT(table.text, HasSubstr("toy -> slow"));
  EXPECT_THAT(table.text, HasSubstr("are skipped"));
}

TEST(DevicesTable, ANetWithoutAUnitIsRefused) {
  const ValidationRoot files;
  EXPECT_THAT(test::error_of(ExitCode::kUsage, [] { devices_table("wpnm", {}); }),
              HasSubstr("use --net sm"));
}

TEST(ScalingTable, ShowsWhatEachRuleContributes) {
  const TwoGpus gpus;
  const DeviceProfile from = load_device_profile("toy"), to = load_device_profile("slow");
  const Rendered table = scaling_table(from, to, "sm", {});
  const InputJson json = parse_json(table.json, "table");
  ASSERT_EQ(json["profiles"].size(), 3u);
  EXPECT_THAT(table.text, HasSubstr("Slow GPU as if it had never been measured: 8 warm times"));
  EXPECT_THAT(table.text, HasSubstr("pnsim device scale toy --set clock_mhz=990"));
  EXPECT_THAT(table.text, HasSubstr("by slices x clock"));
  EXPECT_THAT(table.text, HasSubstr("kept: times of launches"));
  EXPECT_THAT(test::error_of(ExitCode::kUsage, [&] { scaling_table(from, from, "sm", {}); }),
              HasSubstr("expected another measured GPU than toy"));
}

}  // namespace
}  // namespace pnsim::experiments
