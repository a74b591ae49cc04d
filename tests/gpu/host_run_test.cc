// Programs that run on the CPU: they work in every build.
#include "gpu/host_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/checked_point.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/live_device.h"
#include "gpu/radix_cpu.h"
#include "tests/base/error_of.h"

namespace pnsim::gpu {
namespace {

constexpr SamplingRules kShort = {
    .min_samples = 5, .max_samples = 10, .time_limit_s = 1.0, .warm_up_s = 0, .min_sample_us = 10};

TEST(SequentialRadixSort, SortsEveryDistributionAndLeavesTheInput) {
  for (const Distribution distribution : all_distributions()) {
    for (const std::uint32_t n : {0u, 1u, 2u, 1001u}) {
      const Words keys = make_keys({distribution, 5}, n);
      Words expected = keys;
      std::sort(expected.begin(), expected.end());
      SequentialRadixSort sort(keys);
      sort.run();
      EXPECT_EQ(sort.result(), expected);
      sort.run();  // again, from the same input
      EXPECT_EQ(sort.result(), expected);
    }
  }
}

TEST(HostRun, IsVerifiedWithoutAGpu) {
  InputCache inputs;
  const Verification verification = verify(default_point("radix_cpu"), inputs);
  EXPECT_TRUE(verification.ok()) << verification.first_difference;
  EXPECT_EQ(verification.passes, 1u);
}

TEST(HostRun, IsMeasuredWithoutAGpu) {
  InputCache inputs;
  for (const Mode mode : {Mode::kWarm, Mode::kCold}) {
    const Measurement found =
        measure(default_point("radix_cpu", {{"n", 100}}), mode, kShort, inputs);
    EXPECT_GT(found.time.median_us, 0);
    EXPECT_GE(found.time.samples, 1);
    EXPECT_EQ(found.time.rejected, 0);
    EXPECT_EQ(found.time.sm_clock_mhz, 0u);
  }
}

TEST(HostRun, ItsDeviceIsTheCpu) {
  EXPECT_FALSE(host_facts().name.empty());
  EXPECT_EQ(device_of_program("radix_cpu").name, host_facts().name);
  EXPECT_EQ(host_facts().sms, 0u);
}

TEST(HostRun, AWrongOutputIsACheckThatFailed) {
  EXPECT_THAT(test::error_of(ExitCode::kCheckFailed,
                             [] {
                               check_output(default_point("radix_cpu"), {2}, {{1}, {}});
                             }),
              testing::HasSubstr("1 elements are wrong; position 0: found 2, expected 1"));
}

}  // namespace
}  // namespace pnsim::gpu
