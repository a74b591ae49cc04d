// Tests profiles made of the driver's facts, and the check before something is measured for one.
#include "experiments/spec/device_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/spec/suite.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

// A GPU whose driver was asked and that was never measured.
DeviceProfile unmeasured() {
  DeviceProfile device;
  device.name = "l4";
  device.title = "NVIDIA L4";
  device.facts["sms"] = {58, "SM", "driver", 0};
  device.facts["schedulers_per_sm"] = {4, "scheduler", "guide", 0};
  return device;
}

TEST(NeedProfile, AGpuWithoutOneIsRefusedBeforeAnythingIsMeasured) {
  const std::string error =
      test::error_of(ExitCode::kUnavailable, [] { need_profile(load_net("sm"), unmeasured()); });
  EXPECT_THAT(error, HasSubstr("the GPU here, NVIDIA L4, has no device profile, and net sm needs "
                               "one: nothing was measured."));
  EXPECT_THAT(error, HasSubstr("`experiment device --name l4` measures it"));
}

TEST(NeedProfile, AnIncompleteOneIsRefusedWithTheFactsThatItLacks) {
  DeviceProfile half = load_device_profile("h100");
  half.facts.erase("l1_load_31_lines_cycles");
  half.facts.erase("fp64_rate");
  const std::string error = test::input_error_of([&] { need_profile(load_net("sm"), half); });
  EXPECT_THAT(error, HasSubstr("2 facts are missing: \"fp64_rate\", \"l1_load_31_lines_cycles\"."));
}

TEST(NeedProfile, ThePapersNetTakesTheDriversFacts) {
  EXPECT_NO_THROW(need_profile(load_net("wpnm"), unmeasured()));
  EXPECT_NO_THROW(need_profile(load_net("sm"), load_device_profile("h200")));
}

TEST(DeviceFolder, IsTheProfileWithThisTitleOrMadeFromIt) {
  EXPECT_EQ(device_folder("NVIDIA H200"), "h200");
  EXPECT_EQ(device_folder("NVIDIA GeForce RTX 4080 Laptop GPU"), "geforce-rtx-4080-laptop-gpu");
}

}  // namespace
}  // namespace pnsim::experiments
