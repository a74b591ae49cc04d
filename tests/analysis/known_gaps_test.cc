// What the net of an SM cannot yet (docs/sm_net.md, known gaps), held against recorded times: who closes
// a gap sees a test fail here, and takes it off the list. And blocks that are left out, against all.
#include <gtest/gtest.h>

#include "simulator/analysis/predict.h"
#include "simulator/analysis/recorded.h"
#include "simulator/base/data_files.h"

namespace pnsim {
namespace {

Prediction predict_sm(const std::string& program, const Problem& problem, bool all_blocks) {
  static const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  static const DeviceProfile device = load_device_profile("h200");
  const KernelModel model = load_kernel_model(data_root() + "/models/" + program + ".json");
  RunOptions options;
  options.all_blocks = all_blocks;
  return predict({{&model, &net, &device, &model.point(problem), {}, {}}}, options)[0];
}

// Predicted over recorded time.
double ratio(const std::string& program, const Problem& problem, const std::string& mode = "warm") {
  static const RecordedResults recorded("h200");
  static const double cycles_per_us = load_device_profile("h200").value("clock_mhz");
  const Prediction predicted = predict_sm(program, problem, false);
  return predicted.mean_steps() / cycles_per_us /
         recorded.time(program, predicted.problem, mode).value().median_us;
}

TEST(KnownGaps, gap_1_blocks_that_go_on_longer_by_their_number_are_all_alike) {
  EXPECT_LT(ratio("radix_report_global", {{"n", 40960}, {"block", 64}}), 0.75);
}

TEST(KnownGaps, gap_2_textures_are_loads_that_come_sooner_than_they_do) {
  EXPECT_LT(ratio("radix_report_texture", {{"n", 40960}, {"block", 64}}), 0.5);
}

TEST(KnownGaps, gap_3_who_reads_along_its_own_vector_misses_l1_too_early) {
  EXPECT_GT(ratio("norm_group", {{"d", 1024}, {"group", 8}, {"block", 256}}), 1.4);
}

TEST(KnownGaps, gap_6_warps_of_large_blocks_end_late_and_together) {
  EXPECT_GT(ratio("block_reduction", {{"n", 1 << 23}, {"block", 1024}, {"shuffle", 0}}), 1.1);
}

TEST(KnownGaps, gap_9_cold_launches_are_predicted_as_warm_ones) {
  EXPECT_LT(ratio("sobel_global", {{"width", 256}, {"tile", 8}}, "cold"), 0.7);
}

TEST(KnownGaps, gap_10_sums_at_the_end_of_all_blocks_come_all_at_once) {
  EXPECT_GT(ratio("histogram", {{"shared", 1}, {"bins", 256}, {"block", 256}, {"n", 1 << 22}}), 1.08);
}

TEST(KnownGaps, what_is_no_gap_stays_near) {
  EXPECT_NEAR(ratio("stability", {}), 1, 0.1);
  EXPECT_NEAR(ratio("sobel_global", {}), 1, 0.1);
  EXPECT_NEAR(ratio("matmul_plain", {}), 1, 0.15);
  EXPECT_NEAR(ratio("nbody", {}), 1, 0.15);
  // Which blocks of the launch work, and how long the busiest warps go on, the counters tell.
  EXPECT_NEAR(ratio("norm_base", {{"block", 768}, {"d", 1024}}), 1, 0.3);
  EXPECT_NEAR(ratio("mandelbrot", {{"width", 256}, {"tile", 32}}), 1, 0.2);
  EXPECT_NEAR(ratio("histogram", {{"shared", 0}, {"bins", 4}}), 1, 0.2);
}

TEST(SteadyBlocks, are_left_out_within_the_bound) {
  const std::pair<const char*, Problem> points[] = {
      {"copy", {{"n", 1 << 22}, {"block", 64}, {"words", 1}}},
      {"copy", {{"n", 1 << 24}, {"block", 256}, {"words", 1}}},
      {"block_scan", {{"n", 1 << 22}, {"block", 256}, {"shuffle", 1}}},
      {"spmv", {{"rows", 1 << 18}, {"by_warps", 1}, {"block", 128}}}};
  bool any = false;
  for (const auto& [program, problem] : points) {
    const Prediction some = predict_sm(program, problem, false);
    const Prediction all = predict_sm(program, problem, true);
    const LaunchPrediction& launch = some.launches[0];
    any |= launch.simulated_blocks < launch.sm_blocks;
    EXPECT_LE(launch.left_out_error, 0.005) << program;
    EXPECT_NEAR(some.mean_steps() / all.mean_steps(), 1, 0.005) << program;
    EXPECT_EQ(all.launches[0].simulated_blocks, all.launches[0].sm_blocks);
  }
  EXPECT_TRUE(any) << "some point should leave blocks out";
}

}  // namespace
}  // namespace pnsim
