// Replicas on a GPU compared with the same code on the host and with the fast engine. Skipped
// without a GPU.
#include "simulator/engine/gpu_replicas.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/base/parallel.h"
#include "simulator/model/template/instantiate.h"
#include "tests/engine/compare_lanes.h"
#include "tests/engine/same_run.h"
#include "tests/support/random_lanes.h"

// Read by AddressSanitizer at start: CUDA maps memory in the shadow gap, which must stay
// accessible.
extern "C" const char* __asan_default_options() { return "protect_shadow_gap=0"; }

namespace pnsim {
namespace {

using test::expect_same_run;

class GpuReplicasLive : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = why_not_on_gpu();
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

Net wpnm_net(const ParameterValues& overrides) {
  return instantiate(load_net_template(data_root() + "/models/nets/wpnm.json"), overrides);
}

// Runs on the GPU; all runs are compared with those of the host.
GpuReplicas::Runs compare_gpu(const Net& net, GpuReplicas::Request request) {
  const FastRunner runner(net);
  const GpuReplicas replicas(runner);
  EXPECT_EQ(replicas.why_not(), "");
  ConflictLog found_log(net), expected_log(net);
  const GpuReplicas::Runs found = replicas.run(request, &found_log);
  EXPECT_EQ(found.fault, "");
  request.on_gpu = false;
  const GpuReplicas::Runs expected = replicas.run(request, &expected_log);
  EXPECT_EQ(found.left, expected.left);
  EXPECT_EQ(found.runs.size(), expected.runs.size());
  if (testing::Test::HasFailure()) return found;
  for (std::size_t i = 0; i < found.runs.size() && !testing::Test::HasFailure(); ++i) {
    expect_same_run(found.runs[i], expected.runs[i], net.name() + " run " + std::to_string(i));
  }
  test::expect_same_conflicts(found_log, expected_log, net.name());
  return found;
}

TEST_F(GpuReplicasLive, RunAsTheFastEngineFor2To128Warps) {
  for (const std::int64_t warps : {2, 7, 16, 32, 33, 64, 65, 128}) {
    for (const std::int64_t l1 : {0, 20, 150}) {
      const Net net =
          wpnm_net({{"W", {warps}}, {"l1", {l1}}, {"xa", {9}}, {"xs", {3}}, {"xg", {4}}});
      const auto count = static_cast<std::uint32_t>(warps > 64 ? 70 : 300);
      const auto found =
          compare_gpu(net, {.seed = 5, .stream = 2, .first = 10, .count = count, .kept = 100});
      EXPECT_TRUE(found.left.empty());
      FastRunner runner(net);
      for (std::uint32_t i = 0; i < 5; ++i) {
        expect_same_run(found.runs[i], runner.run({5, 10 + i, 2}), std::to_string(warps));
      }
      if (HasFailure()) return;
    }
  }
}

TEST_F(GpuReplicasLive, UnequalWarpsAndRunsThatAreCutOff) {
  compare_gpu(wpnm_net({{"W", {5}}, {"xa", {9, 0, 3, 3, 1}}, {"xg", {0, 2, 1, 4, 0}}}),
              {.count = 200, .kept = 200});
  const auto cut = compare_gpu(wpnm_net({{"W", {20}}, {"xa", {50}}}),
                               {.count = 100, .max_steps = 77, .kept = 9});
  EXPECT_FALSE(cut.left.empty());
}

// Threads of a sweep launch the same kernels for nets of different sizes.
TEST_F(GpuReplicasLive, NetsOfManySizesAtATime) {
  parallel_for(12, 12, [](std::size_t i) {
    const Net net = wpnm_net(
        {{"W", {40 + static_cast<std::int64_t>(i)}}, {"l1", {static_cast<std::int64_t>(30 * i)}}});
    const FastRunner runner(net);
    const GpuReplicas replicas(runner);
    for (int round = 0; round < 5; ++round)
      EXPECT_EQ(replicas.run({.count = 100}, nullptr).fault, "");
  });
}

TEST_F(GpuReplicasLive, TooLargeForSharedMemoryIsAFaultInWords) {
  const Net net = wpnm_net({{"W", {1024}}, {"l1", {40}}});
  const GpuReplicas replicas{FastRunner(net)};
  ASSERT_EQ(replicas.why_not(), "");
  EXPECT_NE(replicas.run({.count = 3}, nullptr).fault.find("shared memory"), std::string::npos);
}

TEST_F(GpuReplicasLive, RandomNetsOfLanes) {
  std::uint64_t fit = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    const Net net = test::random_lanes(seed);
    if (!GpuReplicas(FastRunner(net)).why_not().empty()) continue;
    ++fit;
    compare_gpu(net, {.seed = seed, .count = 40, .max_steps = 500, .kept = 40});
  }
  EXPECT_GT(fit, 40u);
}

TEST(GpuReplicasAnywhere, SayWhatIsMissing) {
  const Net net = wpnm_net({{"W", {3}}});
  const GpuReplicas replicas{FastRunner(net)};
  if (why_not_on_gpu().empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_NE(replicas.run({.count = 3}, nullptr).fault, "");
}

}  // namespace
}  // namespace pnsim
