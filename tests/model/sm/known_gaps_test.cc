// The known gaps of the SM net (docs/sm_net.md) against recorded times. When a change closes a gap,
// its test fails here, and the gap leaves the list. The last tests compare runs that skip blocks
// with runs of all blocks.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/base/data_files.h"
#include "simulator/model/cost/launch_cost.h"
#include "simulator/model/memory/texture_fetches.h"
#include "simulator/model/memory/traffic.h"
#include "simulator/model/sm/sm_parameters.h"
#include "tests/model/sass/listing.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

Prediction predict_sm(const std::string& program, const Problem& problem, bool all_blocks,
                      std::uint64_t seed = 1) {
  static const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  static const DeviceProfile device = load_device_profile("h200");
  const KernelModel model = load_kernel_model(data_root() + "/models/" + program + ".json");
  RunOptions options;
  options.all_blocks = all_blocks;
  options.seed = seed;
  return predict({{&model, &net, &device, &model.point(problem), {}, {}}}, options)[0];
}

// The recorded value of a microbenchmark.
double measured(const std::string& bench, const std::string& axes) {
  static const RecordedResults recorded("h200");
  for (const InputJson& row : recorded.rows()) {
    if (row.value("bench", "") == bench && row.at("axes") == InputJson::parse(axes))
      return row.at("value");
  }
  ADD_FAILURE() << "no row of " << bench << " " << axes;
  return 0;
}

// Predicted over recorded time.
double ratio(const std::string& program, const Problem& problem, const std::string& mode = "warm") {
  static const RecordedResults recorded("h200");
  static const double cycles_per_us = load_device_profile("h200").value("clock_mhz");
  const Prediction predicted = predict_sm(program, problem, false);
  return predicted.mean_steps() / cycles_per_us /
         recorded.time(program, predicted.problem, mode).value().median_us;
}

TEST(KnownGaps, Gap1BlocksWhoseWorkGrowsWithTheirIndexAreAllAlike) {
  EXPECT_LT(ratio("radix_report_global", {{"n", 40960}, {"block", 64}}), 0.75);
}

// A fetch whose lanes access 32 different lines looks up 32 sectors, and so does one whose lanes
// are eight words apart: the counters do not distinguish them.
TEST(KnownGaps, Gap2TextureFetchesFromManyLinesCostWhatThoseFromFewDo) {
  Launch launch = toy_launch();  // 40 warps, each a fetch
  launch.segments[0].classes = {{"texture", 1}};
  launch.segments[0].accesses = {{.access_class = "texture", .count = 1, .bytes = 4}};
  launch.counters = {{"texture_sectors", 40 * 32}, {"texture_hit_sectors", 40 * 32}};
  const Launch known = with_texture_sectors(launch);
  EXPECT_LT(CostedLaunch(h200(), known, 10).cost(std::size_t{0}).port,
            0.5 * measured("texture_rate", R"({"stride_words":32,"warps":32})"));
}

TEST(KnownGaps, Gap3AThreadThatReadsItsOwnVectorMissesL1TooEarly) {
  EXPECT_GT(ratio("norm_group", {{"d", 1024}, {"group", 8}, {"block", 1024}}), 1.15);
}

// A stream of sectors, and as many sectors at scattered addresses.
TEST(KnownGaps, Gap4WhatL2KeepsOfScatteredReadsDependsOnlyOnTheirNumber) {
  Launch streaming = toy_launch(), picking = toy_launch();
  picking.segments[0].accesses[0].sectors = 32;
  picking.segments[0].accesses[0].tag_lookups = 32;
  for (Launch* launch : {&streaming, &picking}) {
    launch->counters["l2_read_sectors"] = 2'000'000;
    launch->counters["dram_read_bytes"] = 45'000'000;
  }
  const double kept = traffic_of(streaming, h200()).dram.repeated_misses;
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 1);
  EXPECT_EQ(traffic_of(picking, h200()).dram.repeated_misses, kept);
}

// Three cases of a switch, each executed by one of the three warps of each block.
TEST(KnownGaps, Gap5CasesOfASwitchAreDealtToTheSameWarps) {
  const Launch launch = test::programs_of({{"ISETP.GE.AND P0, PT, R1, R2, PT", 6},
                                           {"@P0 BRA 0x40", 6},
                                           {"FADD R1, R1, R1", 2},
                                           {"BRA 0x70", 2},
                                           {"@P1 BRA 0x60", 4},
                                           {"FADD R3, R3, R3", 2},
                                           {"FADD R2, R2, R2", 2},
                                           {"EXIT", 6}},
                                          2, 96);
  std::size_t most = 0;
  for (const WarpKind& kind : launch.warp_kinds) most = std::max(most, kind.program.size());
  std::size_t least = most;
  for (const WarpKind& kind : launch.warp_kinds) least = std::min(least, kind.program.size());
  EXPECT_GT(most, least) << "each warp has one case: they should have programs of one length";
}

TEST(KnownGaps, Gap6WarpsOfLargeBlocksEndLateAndTogether) {
  EXPECT_GT(ratio("block_scan", {{"n", 1 << 24}, {"block", 1024}, {"shuffle", 0}}), 1.1);
}

// Shared-memory atomics whose results are used are serialised where lanes share a word.
TEST(KnownGaps, Gap7SumsInSharedMemoryCostTheSameWhicheverLanesShareWords) {
  Segment segment = arithmetic(0, 0);
  segment.classes = {{"shared_atomic", 1}};
  segment.accesses.push_back(
      {.access_class = "shared_atomic", .count = 1, .bytes = 4, .wavefronts = 1});
  const Launch launch = toy_launch();
  EXPECT_LT(CostedLaunch(h200(), launch, 1).cost(segment).quick_port,
            0.2 * measured("atomic_contention",
                           R"({"memory":"shared","result":"used","addresses_per_warp":1})"));
}

// Straight code that does not fit an instruction cache, by one warp of each SM.
TEST(KnownGaps, Gap8InstructionCacheMissesCostNothing) {
  const Launch launch = toy_launch();
  const double cycles = CostedLaunch(h200(), launch, 132).cost(arithmetic(16384, 0)).work;
  const double recorded_ns = measured("code_start", R"({"instructions":16384,"blocks":132})");
  EXPECT_LT(cycles / h200().value("clock_mhz") * 1000, 0.5 * recorded_ns);
}

TEST(KnownGaps, Gap10SumsAtTheEndOfAllBlocksComeAllAtOnce) {
  EXPECT_GT(ratio("histogram", {{"shared", 1}, {"bins", 256}, {"block", 256}, {"n", 1 << 22}}),
            1.05);
}

// Launches late in a process begin later in the microbenchmark. The model has no such time.
TEST(KnownGaps, Gap11AProcessThatDidOtherThingsBeginsItsLaunchesLate) {
  EXPECT_GT(measured("late_start", R"({"touch":"index"})"),
            measured("kernel_start", R"({"touch":"index","blocks":132,"threads":256})") + 100);
  Launch of_nothing;
  of_nothing.grid = 132;
  of_nothing.block = 256;
  EXPECT_NEAR(launch_cycles(of_nothing, h200()) / h200().value("clock_mhz") * 1000,
              h200().value("kernel_nothing_ns"), 1e-6);
}

TEST(KnownGaps, Gap12ALaunchComesOutLongerOrShorterByTheSeed) {
  double least = 1e9, most = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const double steps =
        predict_sm("copy", {{"n", 1 << 20}, {"block", 256}, {"words", 4}}, false, seed)
            .mean_steps();
    least = std::min(least, steps);
    most = std::max(most, steps);
  }
  EXPECT_GT(most, 1.02 * least);
}

TEST(KnownGaps, Gap14BlocksDoNotWaitForTheFlagsOfThoseBeforeThem) {
  EXPECT_LT(ratio("lookback_scan", {}), 0.9);
}

TEST(KnownGaps, Gap16ProductsBehindAsynchronousCopiesAreTooFast) {
  EXPECT_LT(ratio("gemm_mma", {{"k", 4096}, {"tile", 64}}), 0.9);
}

// The arrivals of 32 warps at a barrier take 2 cycles each, one after the other.
TEST(KnownGaps, Gap17ABarrierOfManyWarpsTakesNoLongerThanThatOfOne) {
  const DeviceProfile& device = h200();
  EXPECT_GT(device.value("barrier_32_warps_cycles"), 4 * device.value("barrier_1_warp_cycles"));
  Launch launch = toy_launch();
  const auto one = sm_parameters(launch, device).at("barrier");
  launch.grid = 2;
  launch.block = 640;
  EXPECT_EQ(sm_parameters(launch, device).at("barrier"), one);
}

TEST(KnownGaps, WhatIsNoGapStaysNear) {
  EXPECT_NEAR(ratio("stability", {}), 1, 0.1);
  EXPECT_NEAR(ratio("sobel_global", {}), 1, 0.1);
  EXPECT_NEAR(ratio("matmul_plain", {}), 1, 0.15);
  EXPECT_NEAR(ratio("nbody", {}), 1, 0.15);
  // The counters show which blocks of the launch work, and how many iterations the busiest warps
  // have.
  EXPECT_NEAR(ratio("norm_base", {{"block", 768}, {"d", 1024}}), 1, 0.3);
  EXPECT_NEAR(ratio("mandelbrot", {{"width", 256}, {"tile", 32}}), 1, 0.2);
  EXPECT_NEAR(ratio("histogram", {{"shared", 0}, {"bins", 4}}), 1, 0.2);
  // Constants by lanes that differ: gap 15, closed.
  for (const std::int64_t table : {16, 256, 2048, 16384})
    EXPECT_NEAR(ratio("constant_table", {{"table", table}, {"block", 256}}), 1, 0.2) << table;
}

TEST(SteadyBlocks, AreSkippedWithinTheBound) {
  const std::pair<const char*, Problem> points[] = {
      {"copy", {{"n", 1 << 24}, {"block", 64}, {"words", 1}}},
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
  EXPECT_TRUE(any) << "some point should skip blocks";
}

}  // namespace
}  // namespace pnsim
