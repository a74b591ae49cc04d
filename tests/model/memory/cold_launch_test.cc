// Programs whose data are not in L2 when they begin.
#include "simulator/model/memory/cold_launch.h"

#include <gtest/gtest.h>

#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/base/data_files.h"
#include "simulator/model/cost/launch_cost.h"
#include "simulator/model/memory/traffic.h"
#include "tests/base/error_of.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

using test::input_error_of;

RecordedPoint toy_point(std::int64_t repeat) {
  RecordedPoint point{{{"n", 1}}, {toy_launch(), toy_launch()}};
  point.launches[0].repeat = repeat;
  point.launches[0].counters["l2_miss_sectors"] = 3;
  point.launches[0].counters["dram_read_bytes"] = 96;
  point.launches[0].counters[kColdMissSectors] = 80;
  point.launches[0].counters[kColdReadBytes] = 80 * 32;
  return point;
}

TEST(ColdLaunch, OnlyTheFirstOfAPointBeginsWithNothing) {
  const RecordedPoint cold = when_cold(toy_point(5));
  ASSERT_EQ(cold.launches.size(), 3u);
  EXPECT_EQ(cold.launches[0].start, CacheStart::kCold);
  EXPECT_EQ(cold.launches[0].repeat, 1);
  EXPECT_EQ(cold.launches[0].counters.at("l2_miss_sectors"), 80);
  EXPECT_EQ(cold.launches[0].counters.at("dram_read_bytes"), 80 * 32);
  EXPECT_EQ(cold.launches[1].start, CacheStart::kBehindCold);
  EXPECT_EQ(cold.launches[1].repeat, 4);
  EXPECT_EQ(cold.launches[1].counters.at("l2_miss_sectors"), 3) << "the others are as they were";
  EXPECT_EQ(cold.launches[2].start, CacheStart::kBehindCold);
  EXPECT_EQ(when_cold(toy_point(1)).launches.size(), 2u);
}

TEST(ColdLaunch, AllThatItMissesComesFromDramHoweverSmall) {
  const RecordedPoint cold = when_cold(toy_point(1));
  const Traffic traffic = traffic_of(cold.launches[0], h200());
  EXPECT_EQ(traffic.dram.repeated_misses, 1);
  EXPECT_DOUBLE_EQ(traffic.l2.misses, 0.5);
  EXPECT_EQ(when_repeated(cold.launches[0], h200_facts()).counters.at("dram_read_bytes"), 80 * 32);
  EXPECT_EQ(traffic_of(toy_point(1).launches[0], h200()).dram.repeated_misses, 0)
      << "warm, it is in L2";
}

double cold_start(const Launch& launch) {
  return cold_start_cycles(launch, h200_facts(), cold_start_facts(launch, h200()));
}

TEST(ColdLaunch, BeginsLaterByWhatWasMeasured) {
  const DeviceProfile& device = h200();
  const double cycles = device.value("clock_mhz") / 1000;
  Launch launch = toy_launch();
  EXPECT_EQ(cold_start(launch), 0);
  const double warm = launch_cycles(launch, device);
  launch.start = CacheStart::kBehindCold;
  const double flushed = device.value("cold_96_nothing_ns") - device.value("cold_nothing_ns");
  const double waited = device.value("alone_96_nothing_ns") - device.value("alone_nothing_ns");
  EXPECT_NEAR(cold_start(launch), (flushed - waited) / 95 * cycles, 1e-6);
  EXPECT_NEAR(launch_cycles(launch, device) - warm, cold_start(launch), 1e-6);
  launch.start = CacheStart::kCold;
  const double late =
      waited / 95 - device.value("kernel_nothing_ns");  // of the benchmark's process
  const double begins =
      (device.value("cold_nothing_ns") - device.value("kernel_nothing_ns") - late) * cycles;
  EXPECT_GT(cold_start(launch), begins) << "it loads";
  launch.segments.clear();
  EXPECT_NEAR(cold_start(launch), begins, 1e-6) << "it loads nothing";
}

TEST(ColdLaunch, NeedsCountsOfTheSameLaunchBehindAFlush) {
  RecordedPoint point = toy_point(1);
  point.launches[0].counters.erase(kColdReadBytes);
  EXPECT_FALSE(tells_cold(point));
  EXPECT_NE(input_error_of([&] { when_cold(point); }).find("--cold"), std::string::npos);
  EXPECT_FALSE(tells_cold({}));
  Launch launch = toy_launch(), other = toy_launch();
  const std::map<std::string, std::int64_t> memory{{"l2_miss_sectors", 7},
                                                   {"dram_read_bytes", 224}};
  add_cold_counters("page", "toy", other, memory, launch);
  EXPECT_EQ(launch.counters.at(kColdMissSectors), 7);
  EXPECT_EQ(launch.counters.at(kColdReadBytes), 224);
  other.grid = 21;
  EXPECT_EQ(
      input_error_of([&] { add_cold_counters("page", "toy", other, memory, launch); }),
      "page: found toy of 21 blocks of 64 threads, expected toy of 20 blocks of 64 threads: the "
      "launches of the model, in their order");
  EXPECT_NE(input_error_of([&] {
              add_cold_counters("page", "toy", toy_launch(), {}, launch);
            }).find("dram__bytes_read.sum"),
            std::string::npos);
}

// Predicted over recorded time.
double cold_ratio(const std::string& program, const Problem& problem) {
  static const RecordedResults recorded("h200");
  const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  const KernelModel model = load_kernel_model(data_root() + "/models/" + program + ".json");
  const RecordedPoint point = when_cold(model.point(problem));
  const Prediction predicted = predict({{&model, &net, &h200(), &point, {}, {}}}, {})[0];
  return predicted.mean_steps() / h200().value("clock_mhz") /
         recorded.time(program, point.problem, "cold").value().median_us;
}

TEST(ColdLaunch, PredictionsAreNearTheRecordedColdTimes) {
  EXPECT_NEAR(cold_ratio("sobel_global", {{"width", 256}, {"tile", 8}}), 1, 0.1);
  EXPECT_NEAR(cold_ratio("matmul_tiled", {{"n", 256}, {"tile", 16}}), 1, 0.2);
  EXPECT_NEAR(cold_ratio("radix_coalesced", {{"n", 1 << 16}, {"block", 256}}), 1, 0.2);
}

}  // namespace
}  // namespace pnsim
