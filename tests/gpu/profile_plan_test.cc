#include "gpu/profile_plan.h"

#include <gtest/gtest.h>

#include "simulator/base/json.h"

namespace pnsim::gpu {
namespace {

TEST(ProfilePlan, HasEveryPointOnceWithItsFirstAndLastPass) {
  for (const Program& program : catalogue()) {
    const auto plan = profile_plan(program, {});
    EXPECT_EQ(plan.size(), program.n.size() * program.block.size());
    for (const ProfileItem& item : plan) {
      EXPECT_EQ(item.point.program, program.name);
      EXPECT_EQ(item.passes.front(), 0u);
      EXPECT_EQ(item.passes.back(), program.passes - 1);
    }
  }
}

TEST(ProfilePlan, HasAllPassesOfTheDefaultPointOnly) {
  const Program& program = find_program("radix_shared");
  for (const ProfileItem& item : profile_plan(program, {})) {
    const bool is_default =
        item.point.n == program.default_n && item.point.block == program.default_block;
    EXPECT_EQ(item.passes.size(), is_default ? program.passes : 2u);
  }
}

TEST(Manifest, ALineIsOneJsonObjectInAFixedOrder) {
  EXPECT_EQ(manifest_line({"radix_shared", 4096, 128, {Distribution::kUniform, 1}},
                          {7, "radix_shared_scan", 1, 1024, 31}),
            R"({"index":7,"program":"radix_shared","n":4096,"block":128,"pass":31,)"
            R"("kernel":"radix_shared_scan","grid":1,"threads":1024,)"
            R"("input":{"distribution":"uniform","seed":1}})");
}

}  // namespace
}  // namespace pnsim::gpu
