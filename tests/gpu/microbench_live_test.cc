// Runs every microbenchmark on the GPU of this machine: each must give plausible values.
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/live.h"
#include "gpu/microbench.h"

namespace pnsim::gpu {
namespace {

class MicrobenchLive : public testing::TestWithParam<std::string> {};

TEST_P(MicrobenchLive, GivesPositiveNumbersWithSmallSpread) {
  if (const auto reason = unavailable_reason()) GTEST_SKIP() << *reason;
  const MicroRun run = run_microbenchmark(GetParam());
  const std::vector<MicroValue>& values = run.values;
  if (values.empty() && !run.skipped.empty()) GTEST_SKIP() << run.skipped;
  EXPECT_FALSE(values.empty());
  for (const MicroValue& value : values) {
    EXPECT_EQ(value.bench, GetParam());
    EXPECT_TRUE(std::isfinite(value.value) && value.value > 0) << value.value;
    EXPECT_GE(value.samples, 3);
    EXPECT_LT(value.rel_mad, 0.5);
    EXPECT_FALSE(value.unit.empty());
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Microbenchmark& bench : microbenchmarks()) out.push_back(bench.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, MicrobenchLive, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace pnsim::gpu
