// The SM's address divergence unit: constant loads by the different addresses of their lanes.
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/engine/run.h"
#include "simulator/model/memory/traffic.h"
#include "simulator/model/template/instantiate.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

// 32 lanes with different addresses are served one after the other; requests that miss the constant
// cache wait for the cache behind it. Lanes that agree, and those that were not counted, have one.
TEST(AddressUnit, AConstantLoadTakesARequestForEachAddress) {
  DeviceProfile device = h200();
  device.facts["constant_miss_cycles"].value = 30;
  Segment loads;
  loads.classes = {{"constant_load", 4}};
  loads.last_producer_slots = {{LateResult::kConstant, 0}};
  Launch launch;
  launch.kernel = "one_segment";
  launch.grid = 1056;
  launch.block = 32;
  launch.resident_blocks = 2;
  launch.segments = {loads};
  launch.warp_kinds = {{1056, {item(0)}}};
  launch.block_kinds = {{1056, {{0, 1}}}};
  const double all = 4 * static_cast<double>(launch.grid * launch.warps_per_block()),
               request = 1 / device.value("constant_rate");
  const auto cost = [&] { return CostedLaunch(device, launch, 132).cost(std::size_t{0}); };
  const SegmentCost uncounted = cost();
  EXPECT_NEAR(uncounted.addresses, 4 * request, 1e-9);
  EXPECT_EQ(uncounted.slow, 0) << "special functions have a unit of their own";
  launch.counters["constant_requests"] = std::llround(32 * all);
  const SegmentCost different = cost();
  EXPECT_NEAR(different.addresses, 4 * 32 * request, 1e-9);
  EXPECT_EQ(different.slow, uncounted.slow);
  EXPECT_NEAR(different.quick_latency - uncounted.quick_latency, 4 * 31 * request, 1e-9);
  launch.counters["constant_misses"] = std::llround(16 * all);
  EXPECT_NEAR(cost().addresses, 4 * (16 * request + 16 * 30), 1e-9);
  device.facts.erase("constant_miss_cycles");
  EXPECT_NEAR(cost().addresses, 4 * 32 * request, 1e-9) << "a profile without the measurement";
}

// 32 warps load constants in a loop: each load takes the unit as long as was measured.
TEST(AddressUnit, LoadsOfManyWarpsTakeWhatWasMeasured) {
  for (const int addresses : {2, 8, 32}) {
    const double measured =
        h200().value("constant_" + std::to_string(addresses) + "_addresses_cycles");
    const auto cycles = [&](std::int64_t loads) {
      const double of_load = addresses / h200().value("constant_rate");
      const ParameterValues values{{"S", {4}},
                                   {"Wb", {32}},
                                   {"turn", {0}},
                                   {"trips", {loads}},
                                   {"addresses", {rounded_cycles(of_load)}},
                                   {"quick_latency", {30}}};
      const RunResult run = run_reference(instantiate(test::sm_net(), values), {}, 1'000'000);
      EXPECT_EQ(run.outcome, Outcome::kGoal);
      return static_cast<double>(run.steps);
    };
    EXPECT_NEAR((cycles(21) - cycles(1)) / (20 * 32), measured, 0.1) << addresses;
  }
}

}  // namespace
}  // namespace pnsim
