#include "experiments/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/measuring.h"
#include "gpu/catalogue.h"
#include "simulator/base/error.h"
#include "tests/base/error_of.h"

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
  EXPECT_EQ(point.n, 4096u);
  EXPECT_EQ(point.block, 128u);
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

TEST(CataloguePoints, AreAllByDefaultWithNSlowest) {
  const auto points = catalogue_points({}, {});
  EXPECT_EQ(points.size(), 195u);
  EXPECT_EQ(points[0].n, points[14].n);
  EXPECT_LT(points[14].n, points[15].n);
}

TEST(CataloguePoints, TakeOtherValuesOfTheirAxes) {
  const auto points = catalogue_points(
      {parse_axis("program=[radix_global]"), parse_axis("n=[100,50]"), parse_axis("block=256")},
      {});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].n, 50u);
  EXPECT_EQ(points[1].n, 100u);
  EXPECT_EQ(points[0].program, "radix_global");
}

TEST(CataloguePoints, UnknownAxesAndProgramsAreNamed) {
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { catalogue_points({parse_axis("blck=64")}, {}); }),
              HasSubstr("did you mean \"block\"?"));
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { catalogue_points({parse_axis("program=[x]")}, {}); }),
              HasSubstr("unknown program \"x\""));
}

TEST(CataloguePlan, ProfilesAllPassesAtTheDefaultPointAndTwoElsewhere) {
  const auto plan = catalogue_plan(
      {parse_axis("program=radix_shared"), parse_axis("n=[1000,1048576]"), parse_axis("block=256")},
      {});
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_THAT(plan[0].passes, testing::ElementsAre(0, 31));
  EXPECT_EQ(plan[1].passes.size(), 32u);
}

TEST(Measuring, WithoutAGpuIsRefused) {
  if (!gpu::unavailable_reason()) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(error_of(ExitCode::kUnavailable, [] { measure_all({}, [](const std::string&) {}); }),
            *gpu::unavailable_reason());
}

TEST(Measuring, ModesAreReadByName) {
  EXPECT_EQ(parse_mode("warm"), gpu::Mode::kWarm);
  EXPECT_EQ(parse_mode("cold"), gpu::Mode::kCold);
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { parse_mode("wram"); }), HasSubstr("warm"));
}

}  // namespace
}  // namespace pnsim::experiments
