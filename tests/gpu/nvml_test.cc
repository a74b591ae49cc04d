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

TEST(OtherProcesses, AreTheListWithoutWhatThisProcessAdded) {
  EXPECT_EQ(other_processes(1, {0, 1}), 0u) << "alone";
  EXPECT_EQ(other_processes(2, {0, 2}), 0u) << "alone, with two entries or one under another id";
  EXPECT_EQ(other_processes(2, {1, 2}), 1u) << "another one was there before";
  EXPECT_EQ(other_processes(3, {0, 1}), 2u) << "two came later";
  EXPECT_EQ(other_processes(0, {0, 0}), 0u) << "a list that the driver hides";
  EXPECT_EQ(other_processes(0, {0, 1}), 0u) << "an entry that is gone";
}

}  // namespace
}  // namespace pnsim::gpu
