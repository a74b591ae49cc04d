// Tests of gpu/live.h. Those of GpuLive need a device and are skipped without one.
#include "gpu/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/input_cache.h"
#include "gpu/radix_shape.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"

// Read by AddressSanitizer at start: CUDA maps memory in the shadow gap, which must stay
// accessible.
extern "C" const char* __asan_default_options() { return "protect_shadow_gap=0"; }

namespace pnsim::gpu {
namespace {

using testing::HasSubstr;

// Sizes that are no multiple of any block size, and sizes just below and above each block's part.
constexpr std::uint32_t kOddSizes[] = {0, 1, 31, 33, 511, 512, 513, 1000, 8191, 8193, 100003};
constexpr std::uint32_t kLargeOddSize = 1000007;

class GpuLive : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = unavailable_reason()) GTEST_SKIP() << *reason;
  }

  // Fails the test with the first difference.
  void expect_right(const Point& point) {
    if (missing_capability(find_program(point.program))) return;
    const Verification verification = verify(point, inputs_);
    EXPECT_TRUE(verification.ok()) << describe(point) << ": " << verification.wrong_elements
                                   << " wrong elements; " << verification.first_difference;
    EXPECT_EQ(verification.passes, find_program(point.program).passes);
  }

  void expect_sorts_everywhere(const Program& program, std::uint32_t n,
                               std::span<const Distribution> distributions) {
    for (const Distribution distribution : distributions) {
      for (const std::int64_t block : program.find_axis("block")->values) {
        expect_right(default_point(program.name, {{"n", n}, {"block", block}}, {distribution, 1}));
      }
    }
  }

  static std::vector<Program> radix_sorts() {
    std::vector<Program> sorts;
    for (const Program& program : catalogue()) {
      if (program.passes == kPasses) sorts.push_back(program);
    }
    return sorts;
  }

  InputCache inputs_;
};

TEST(GpuRefusal, WithoutADeviceEveryCallIsError4WithTheRemedy) {
  const auto reason = unavailable_reason();
  if (!reason) GTEST_SKIP() << "there is a device";
  InputCache inputs;
  try {
    verify(default_point("radix_shared"), inputs);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUnavailable);
    EXPECT_EQ(error.what(), *reason);
    EXPECT_THAT(error.what(), HasSubstr("recorded measurements"));
  }
  EXPECT_THROW(query_device(), Error);
  EXPECT_THROW(kernel_facts(default_point("radix_shared")), Error);
  EXPECT_THROW(measure(default_point("radix_shared"), Mode::kWarm, {}, inputs), Error);
  EXPECT_THROW(run_for_profiler({}, "/dev/null", inputs), Error);
}

TEST_F(GpuLive, EveryProgramIsRightAtItsDefaultPoint) {
  for (const Program& program : catalogue()) expect_right(default_point(program.name));
}

TEST_F(GpuLive, EveryProgramIsRightAtItsOddSizesWithEveryBlockAndTile) {
  for (const Program& program : catalogue()) {
    for (const auto& sizes : program.odd_sizes) {
      expect_right(default_point(program.name, sizes));
      for (const ProgramAxis& axis : program.axes) {
        if (!axis.only_listed) continue;
        for (const std::int64_t value : axis.values) {
          auto values = sizes;
          values[axis.name] = value;
          expect_right(default_point(program.name, values));
        }
      }
    }
  }
}

TEST_F(GpuLive, EveryPassOfEverySortIsTheStablePartitionAtOddSizes) {
  for (const Program& program : radix_sorts()) {
    for (const std::uint32_t n : kOddSizes) {
      expect_sorts_everywhere(program, n, all_distributions());
    }
  }
}

TEST_F(GpuLive, EveryPassOfEverySortIsTheStablePartitionAtALargeOddSize) {
  constexpr Distribution kTwo[] = {Distribution::kUniform, Distribution::kAdversarial};
  for (const Program& program : radix_sorts()) {
    expect_sorts_everywhere(program, kLargeOddSize, kTwo);
  }
}

TEST_F(GpuLive, MeasuresWithinTheRules) {
  const SamplingRules rules = {
      .min_samples = 5, .max_samples = 20, .time_limit_s = 2.0, .warm_up_s = 0.01};
  for (Mode mode : {Mode::kWarm, Mode::kCold}) {
    const Measurement measurement =
        measure(default_point("radix_shared", {{"n", 100003}}), mode, rules, inputs_);
    EXPECT_GT(measurement.time.median_us, 0);
    EXPECT_LE(measurement.time.p05_us, measurement.time.median_us);
    EXPECT_LE(measurement.time.median_us, measurement.time.p95_us);
    EXPECT_LE(measurement.time.samples + measurement.time.rejected, 20);
  }
}

TEST_F(GpuLive, MeasuresWhatALibraryLaunches) {
  const SamplingRules rules = {
      .min_samples = 5, .max_samples = 20, .time_limit_s = 2.0, .warm_up_s = 0.01};
  const Measurement measurement = measure(default_point("cub_radix"), Mode::kWarm, rules, inputs_);
  EXPECT_GT(measurement.time.median_us, 0);
}

TEST_F(GpuLive, DeviceFactsAreWhole) {
  const DeviceFacts device = query_device();
  EXPECT_FALSE(device.name.empty());
  EXPECT_EQ(device.fact("sms").value, device.sms);
  for (const char* name :
       {"max_sm_clock", "l2_bytes", "memory_bus_width", "shared_memory_per_sm", "registers_per_sm",
        "max_threads_per_sm", "max_warps_per_sm", "max_blocks_per_sm", "schedulers_per_sm"}) {
    EXPECT_GT(device.fact(name).value, 0) << name;
  }
}

TEST_F(GpuLive, KernelFactsNameEveryLaunch) {
  for (const Program& program : catalogue()) {
    if (missing_capability(program)) continue;
    for (const KernelFacts& facts : kernel_facts(default_point(program.name))) {
      EXPECT_THAT(facts.kernel, HasSubstr(program.name));
      EXPECT_GT(facts.registers_per_thread, 0u);
      EXPECT_GT(facts.resident_blocks_per_sm, 0u);
      EXPECT_EQ(facts.local_bytes_per_thread, 0u) << "registers spill";
    }
  }
}

TEST_F(GpuLive, TheManifestNamesTheWantedPassesInOrder) {
  const std::string path = testing::TempDir() + "manifest.jsonl";
  std::vector<ProfileItem> plan(1);
  plan[0].point = make_point("radix_shared", {{"n", 1000}, {"block", 64}});
  plan[0].passes = {0, 31};
  run_for_profiler(plan, path, inputs_);
  std::ifstream lines(path);
  std::vector<std::string> kernels;
  for (std::string line; std::getline(lines, line);) {
    const InputJson row = parse_json(line, path);
    EXPECT_EQ(row.at("index"), kernels.size());
    EXPECT_EQ(row.at("pass"), kernels.size() < 3 ? 0 : 31);
    kernels.push_back(row.at("kernel"));
  }
  EXPECT_THAT(kernels, testing::ElementsAre("radix_shared_count", "radix_shared_scan",
                                            "radix_shared_scatter", "radix_shared_count",
                                            "radix_shared_scan", "radix_shared_scatter"));
}

}  // namespace
}  // namespace pnsim::gpu
