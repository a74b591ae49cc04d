#include "simulator/model/device/device_names.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

TEST(DeviceNames, AreThoseOfTheProfilesWithTheDriversName) {
  EXPECT_EQ(profile_name_of("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(profile_name_of("NVIDIA H200"), "h200");
  EXPECT_EQ(profile_name_of("NVIDIA H300"), std::nullopt);
}

}  // namespace
}  // namespace pnsim
