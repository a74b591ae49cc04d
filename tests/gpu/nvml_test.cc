#include "gpu/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pnsim::gpu {
namespace {

using testing::HasSubstr;

TEST(Nvml, AMissingLibraryIsNoErrorAndIsSaid) {
  std::string why;
  EXPECT_EQ(Nvml::open("0000:01:00.0", &why, "libno-such-nvml.so.1"), nullptr);
  EXPECT_THAT(why, HasSubstr("libno-such-nvml.so.1"));
}

TEST(Nvml, ALibraryWithoutItsFunctionsIsNoErrorAndIsSaid) {
  std::string why;
  EXPECT_EQ(Nvml::open("0000:01:00.0", &why, "libm.so.6"), nullptr);
  EXPECT_THAT(why, HasSubstr("lacks a required function"));
}

}  // namespace
}  // namespace pnsim::gpu
