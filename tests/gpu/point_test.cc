#include "gpu/point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/point_json.h"
#include "tests/base/error_of.h"

namespace pnsim::gpu {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string refusal(const std::string& program, const std::map<std::string, std::int64_t>& values) {
  return error_of(ExitCode::kUsage, [&] { make_point(program, values); });
}

TEST(Points, TakeTheValuesInTheProgramsOrder) {
  const Point point = make_point("radix_shared", {{"block", 256}, {"n", 1000007}});
  EXPECT_EQ(point.axes, (AxisValues{{"n", 1000007}, {"block", 256}}));
  EXPECT_EQ(point.at("block"), 256);
  EXPECT_NO_THROW(check_point(point));
  EXPECT_NO_THROW(make_point("radix_shared", {{"n", 0}, {"block", 64}}));
}

TEST(Points, UnknownProgramsAndAxesAreToldWithTheNearest) {
  EXPECT_THAT(refusal("radix_sharde", {}), HasSubstr("did you mean \"radix_shared\"?"));
  EXPECT_THAT(refusal("norm_bas", {}), HasSubstr("did you mean \"norm_base\"?"));
  EXPECT_THAT(refusal("matmul_tiled", {{"n", 8}, {"tile", 8}, {"tyle", 8}}),
              HasSubstr("did you mean \"tile\"?"));
}

TEST(Points, AMissingAxisIsNamed) {
  EXPECT_THAT(refusal("sobel_tiled", {{"width", 8}, {"tile", 8}}), HasSubstr("no axis \"height\""));
  EXPECT_THAT(refusal("sobel_tiled", {{"width", 8}, {"tile", 8}}),
              HasSubstr("its axes are width, height and tile"));
}

TEST(Points, ValuesOutsideOfARangeNameIt) {
  EXPECT_THAT(refusal("matmul_plain", {{"n", 0}, {"tile", 8}}), HasSubstr("expected 1 to 4096"));
  EXPECT_THAT(refusal("radix_global", {{"n", 1 << 29}, {"block", 64}}),
              HasSubstr("found n = 536870912, expected 0 to 268435456"));
  EXPECT_THAT(refusal("stability", {{"width", 8},
                                    {"height", 8},
                                    {"time_step_milli", 0},
                                    {"final_time", 1},
                                    {"damping_milli", 1},
                                    {"tile", 8}}),
              HasSubstr("found time_step_milli = 0, expected 1 to 1000"));
}

TEST(Points, AValueThatIsNotListedNamesThoseThatAre) {
  EXPECT_THAT(refusal("radix_global", {{"n", 1024}, {"block", 96}}),
              HasSubstr("found block = 96, expected one of 64, 128, 256, 512, 1024"));
  EXPECT_THAT(error_of(ExitCode::kUsage,
                       [] {
                         default_point("norm_group", {{"group", 3}});
                       }),
              HasSubstr("expected one of 1, 2, 4, 8, 16, 32"));
}

TEST(Points, AxesInAnotherOrderAreRefused) {
  EXPECT_THAT(error_of(ExitCode::kUsage,
                       [] {
                         check_point({"radix_shared", {{"block", 64}, {"n", 1}}, {}});
                       }),
              HasSubstr("another order"));
}

TEST(Points, DefaultsAreLaidUnderTheGivenValues) {
  const Point point = default_point("norm_group", {{"d", 4}}, {Distribution::kSorted, 7});
  EXPECT_EQ(point.at("d"), 4);
  EXPECT_EQ(point.at("group"), find_program("norm_group").find_axis("group")->default_value);
  EXPECT_EQ(point.input.seed, 7u);
}

TEST(Points, DescribeNamesEverything) {
  EXPECT_EQ(describe(make_point("radix_shared", {{"n", 1024}, {"block", 256}},
                                {Distribution::kSorted, 7})),
            "radix_shared n=1024 block=256 sorted seed=7");
}

TEST(Points, TheirJsonKeepsTheOrderOfTheAxes) {
  const Point point = make_point("radix_shared", {{"n", 1024}, {"block", 256}});
  EXPECT_EQ(to_line(axes_json(point)), R"({"n":1024,"block":256})");
  EXPECT_EQ(to_line(input_json(point.input)), R"({"distribution":"uniform","seed":1})");
}

}  // namespace
}  // namespace pnsim::gpu
