#include "gpu/profile_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/checked_point.h"
#include "simulator/base/json.h"
#include "tests/base/error_of.h"

namespace pnsim::gpu {
namespace {

TEST(ProfilePlan, HasEveryPointOnceWithItsFirstAndLastPass) {
  for (const Program& program : catalogue()) {
    const auto plan = profile_plan(program, {});
    std::size_t points = 1;
    for (const ProgramAxis& axis : program.axes) points *= axis.values.size();
    EXPECT_EQ(plan.size(), points);
    for (const ProfileItem& item : plan) {
      EXPECT_EQ(item.point.program, program.name);
      EXPECT_EQ(item.passes.front(), 0u);
      EXPECT_EQ(item.passes.back(), program.passes - 1);
    }
  }
}

TEST(ProfilePlan, AllPassesAreOfTheDefaultPointOnlyAndOnlyWhenAskedFor) {
  const Program& program = find_program("radix_shared");
  for (const ProfileItem& item : profile_plan(program, {})) {
    EXPECT_EQ(item.passes.size(), 2u);
    const bool is_default = item.point.at("n") == 1 << 20 && item.point.at("block") == 256;
    EXPECT_EQ(profile_item(item.point, true).passes.size(), is_default ? program.passes : 2u);
  }
}

TEST(ProfilePlan, AProgramOfOnePassIsProfiledOnce) {
  for (const ProfileItem& item : profile_plan(find_program("matmul_tiled"), {})) {
    EXPECT_THAT(item.passes, testing::ElementsAre(0u));
  }
}

TEST(ProfilePlan, WhatHasNoKernelsOfOursIsRefused) {
  EXPECT_NO_THROW(check_profiled("stability"));
  for (const char* name : {"cub_radix", "radix_cpu"}) {
    EXPECT_THAT(test::error_of(ExitCode::kUsage, [&] { check_profiled(name); }),
                testing::HasSubstr("experiment measure"));
  }
}

TEST(Manifest, EveryAxisIsAKey) {
  const Point point = make_point("sobel_tiled", {{"width", 64}, {"height", 32}, {"tile", 16}});
  EXPECT_EQ(manifest_line(point, {0, "sobel_tiled", 15, 256, 0}),
            R"({"index":0,"program":"sobel_tiled","width":64,"height":32,"tile":16,"pass":0,)"
            R"("kernel":"sobel_tiled","grid":15,"threads":256,)"
            R"("input":{"distribution":"uniform","seed":1}})");
}

TEST(Manifest, ALineIsOneJsonObjectInAFixedOrder) {
  EXPECT_EQ(manifest_line(make_point("radix_shared", {{"n", 4096}, {"block", 128}}),
                          {7, "radix_shared_scan", 1, 1024, 31}),
            R"({"index":7,"program":"radix_shared","n":4096,"block":128,"pass":31,)"
            R"("kernel":"radix_shared_scan","grid":1,"threads":1024,)"
            R"("input":{"distribution":"uniform","seed":1}})");
}

}  // namespace
}  // namespace pnsim::gpu
