#include "experiments/spec/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/measure/measuring.h"
#include "gpu/catalogue.h"
#include "gpu/input_cache.h"
#include "simulator/base/error.h"
#include "simulator/base/rows.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim::experiments {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(CompareModes, AreReadByName) {
  EXPECT_EQ(parse_compare_mode(""), CompareMode::kNone);
  EXPECT_EQ(parse_compare_mode("auto"), CompareMode::kAuto);
  EXPECT_EQ(parse_compare_mode("live"), CompareMode::kLive);
  EXPECT_EQ(parse_compare_mode("recorded"), CompareMode::kRecorded);
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { parse_compare_mode("recored"); }),
              HasSubstr("did you mean \"recorded\"?"));
}

TEST(CompareModes, RecordedIsNeverLive) {
  const Comparison comparison = decide(CompareMode::kRecorded, "h200");
  EXPECT_EQ(comparison.source, CompareMode::kRecorded);
  EXPECT_EQ(comparison.device, "h200");
  EXPECT_EQ(comparison.reason, "");
  EXPECT_EQ(short_text(comparison), "recorded, h200");
}

TEST(CompareModes, AutoAsksTheMachine) {
  const Comparison comparison = decide(CompareMode::kAuto, "h200");
  const auto reason = gpu::unavailable_reason();
  EXPECT_EQ(comparison.source, reason ? CompareMode::kRecorded : CompareMode::kLive);
  EXPECT_EQ(comparison.reason, reason.value_or(""));
}

TEST(CompareModes, NothingComparedSaysSo) {
  EXPECT_EQ(short_text(decide(CompareMode::kNone, "h200")), "not compared");
  EXPECT_THAT(long_text(decide(CompareMode::kNone, "h200")), HasSubstr("--compare-gpu"));
}

TEST(LivePoints, AreThoseOfTheCatalogue) {
  const gpu::Point point = live_point({"radix_shared", {{"n", 4096}, {"block", 128}}, true});
  EXPECT_EQ(point.program, "radix_shared");
  EXPECT_EQ(point.axes, (gpu::AxisValues{{"n", 4096}, {"block", 128}}));
}

TEST(LivePoints, OtherProgramsAxesAndValuesAreRefused) {
  const auto refusal = [](const SuitePoint& point) {
    return error_of(ExitCode::kUsage, [&] { live_point(point); });
  };
  EXPECT_THAT(refusal({"radix_shred", {{"n", 1}, {"block", 64}}, false}),
              HasSubstr("did you mean \"radix_shared\"?"));
  EXPECT_THAT(refusal({"radix_shared", {{"n", 1}}, false}), HasSubstr("n and block"));
  EXPECT_THAT(refusal({"radix_shared", {{"n", 1}, {"grid", 64}}, false}),
              HasSubstr("no axis \"block\""));
  EXPECT_THAT(refusal({"radix_shared", {{"n", 1LL << 40}, {"block", 64}}, false}),
              HasSubstr("found n = 1099511627776"));
  EXPECT_THAT(refusal({"radix_shared", {{"n", 1}, {"block", 65}}, false}), HasSubstr("65"));
}

TEST(CataloguePoints, AreAllPointsOfAllProgramsByDefault) {
  std::set<std::string> programs;
  std::size_t sorts = 0;
  for (const gpu::Point& point : catalogue_points({}, {})) {
    programs.insert(point.program);
    const bool is_recorded = point.program == "radix_global" || point.program == "radix_shared" ||
                             point.program == "radix_coalesced";
    sorts += is_recorded ? 1 : 0;
  }
  EXPECT_EQ(programs.size(), gpu::program_names().size());
  EXPECT_EQ(sorts, 195u);
}

// This order generates each input and its reference result only once.
TEST(CataloguePoints, ThatShareAnInputAreNeighbours) {
  std::set<std::string> done;
  std::string last;
  for (const gpu::Point& point : catalogue_points({}, {})) {
    const std::string key = gpu::reference_key(point);
    EXPECT_TRUE(key == last || done.insert(key).second) << gpu::describe(point);
    last = key;
  }
}

TEST(CataloguePoints, PointsOfOneProgramAscendInSize) {
  const auto points = catalogue_points({parse_axis("program=radix_shared")}, {});
  ASSERT_EQ(points.size(), 65u);
  EXPECT_EQ(points[0].at("n"), points[4].at("n"));
  EXPECT_LT(points[4].at("n"), points[5].at("n"));
}

TEST(CataloguePoints, AreOfTheProgramsThatHaveTheGivenAxes) {
  std::set<std::string> programs;
  for (const gpu::Point& point : catalogue_points({parse_axis("width=64")}, {})) {
    EXPECT_EQ(point.at("width"), 64);
    programs.insert(point.program);
  }
  EXPECT_THAT(programs,
              testing::ElementsAre("convolution_texture", "mandelbrot", "sobel_global",
                                   "sobel_tiled", "stability", "stencil_5point", "stencil_fp64"));
  EXPECT_THAT(error_of(ExitCode::kUsage,
                       [] {
                         catalogue_points({parse_axis("width=64"), parse_axis("d=4")}, {});
                       }),
              HasSubstr("no program has all of the axes"));
}

TEST(CataloguePoints, LeaveOutUnnamedProgramsThatDoNotTakeTheValues) {
  std::set<std::string> programs;
  for (const gpu::Point& point :
       catalogue_points({parse_axis("n[pow2]=[12:24]"), parse_axis("block=64")}, {})) {
    programs.insert(point.program);
  }
  EXPECT_THAT(programs,
              testing::ElementsAre("binary_search", "bitonic_block", "block_reduction",
                                   "block_scan", "constant_table", "copy", "gather", "histogram",
                                   "lookback_scan", "norm_base", "norm_group", "option_prices",
                                   "radix_coalesced", "radix_global", "radix_shared"));
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { catalogue_points({parse_axis("tile=12")}, {}); }),
              HasSubstr("expected one of 8, 16, 32"));
}

TEST(CataloguePoints, ANamedProgramWithoutTheAxisIsRefused) {
  EXPECT_THAT(
      error_of(ExitCode::kUsage,
               [] {
                 catalogue_points({parse_axis("program=[matmul_plain]"), parse_axis("tyle=8")}, {});
               }),
      HasSubstr("did you mean \"tile\"?"));
  EXPECT_THAT(
      error_of(
          ExitCode::kUsage,
          [] {
            catalogue_points({parse_axis("program=[matmul_plain]"), parse_axis("tile=12")}, {});
          }),
      HasSubstr("expected one of 8, 16, 32"));
}

TEST(CataloguePoints, TakeOtherValuesOfTheirAxes) {
  const auto points = catalogue_points(
      {parse_axis("program=[radix_global]"), parse_axis("n=[100,50]"), parse_axis("block=256")},
      {});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].at("n"), 50);
  EXPECT_EQ(points[1].at("n"), 100);
  EXPECT_EQ(points[0].program, "radix_global");
}

TEST(CataloguePoints, UnknownAxesAndProgramsAreNamed) {
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { catalogue_points({parse_axis("blck=64")}, {}); }),
              HasSubstr("did you mean \"block\"?"));
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { catalogue_points({parse_axis("program=[x]")}, {}); }),
              HasSubstr("unknown program \"x\""));
}

TEST(CataloguePlan, ProfilesAllPassesAtTheDefaultPointWhenAskedToAndTwoElsewhere) {
  const auto plan = catalogue_plan(
      {parse_axis("program=radix_shared"), parse_axis("n=[1000,1048576]"), parse_axis("block=256")},
      {}, true);
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_THAT(plan[0].passes, testing::ElementsAre(0, 31));
  EXPECT_EQ(plan[1].passes.size(), 32u);
}

TEST(CataloguePlan, LeavesOutWhatCannotBeProfiled) {
  for (const gpu::ProfileItem& item : catalogue_plan({parse_axis("n=64")}, {}, false)) {
    EXPECT_NE(item.point.program, "cub_radix");
    EXPECT_NE(item.point.program, "radix_cpu");
  }
  EXPECT_THAT(error_of(ExitCode::kUsage,
                       [] { catalogue_plan({parse_axis("program=cub_radix")}, {}, false); }),
              HasSubstr("experiment measure"));
}

TEST(CataloguePlan, AProgramOfOnePassIsProfiledOnce) {
  for (const gpu::ProfileItem& item :
       catalogue_plan({parse_axis("program=stability")}, {}, false)) {
    EXPECT_THAT(item.passes, testing::ElementsAre(0u));
  }
}

TEST(Measuring, ProgramsOfTheCpuNeedNoGpu) {
  const test::TempFolder folder;
  MeasureJob job;
  job.points = catalogue_points({parse_axis("program=radix_cpu"), parse_axis("n=[100,200]")}, {});
  job.rules = {.min_samples = 3, .max_samples = 5, .warm_up_s = 0, .min_sample_us = 10};
  const std::string file = folder.path("times.jsonl");
  const OutputFile out(file);
  job.command = "test";
  EXPECT_EQ(measure_all(job, out, [](const std::string&) {}), 2u);
  const auto rows = load_rows(file);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["device"]["name"], gpu::host_facts().name);
  EXPECT_EQ(rows[1]["axes"]["n"], 200);
  job.resume = true;
  EXPECT_EQ(measure_all(job, out, [](const std::string&) {}), 0u);
}

TEST(Measuring, WithoutAGpuIsRefused) {
  if (!gpu::unavailable_reason()) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(error_of(ExitCode::kUnavailable,
                     [] { measure_all({}, "/dev/null", [](const std::string&) {}); }),
            *gpu::unavailable_reason());
}

TEST(Measuring, ModesAreReadByName) {
  EXPECT_EQ(parse_mode("warm"), gpu::Mode::kWarm);
  EXPECT_EQ(parse_mode("cold"), gpu::Mode::kCold);
  EXPECT_EQ(parse_mode("single"), gpu::Mode::kSingle);
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { parse_mode("wram"); }), HasSubstr("warm"));
}

}  // namespace
}  // namespace pnsim::experiments
