// The clock while tensor cores work.
#include "simulator/model/cost/tensor_clock.h"

#include <gtest/gtest.h>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

DeviceProfile with_clocks() {
  DeviceProfile device = load_device_profile("h100");
  const double mhz[] = {1800, 1790, 1750, 1710, 1670};
  const char* share[] = {"10", "20", "40", "60", "80"};
  for (int i = 0; i < 5; ++i) {
    device.facts["tensor_clock_mma_" + std::string(share[i]) + "_mhz"].value = mhz[i];
    device.facts["tensor_clock_wgmma_" + std::string(share[i]) + "_mhz"].value = mhz[i] - 10;
  }
  device.facts["clock_mhz"].value = 1980;
  return device;
}

double clock_at(double warps, double groups, const DeviceProfile& device = with_clocks()) {
  return clock_with_products({warps, groups}, 1000, read_device_facts(device));
}

TEST(TensorClock, IsInterpolatedBetweenTheMeasuredShares) {
  EXPECT_EQ(clock_at(0, 0), 1980) << "no products";
  EXPECT_NEAR(clock_at(100, 0), 1800, 1e-9);
  EXPECT_NEAR(clock_at(50, 0), 1890, 1e-9) << "half way to the device's clock";
  EXPECT_NEAR(clock_at(300, 0), 1770, 1e-9);
  EXPECT_NEAR(clock_at(0, 300), 1760, 1e-9);
  EXPECT_NEAR(clock_at(150, 150), 1765, 1e-9) << "both kinds of products";
  EXPECT_NEAR(clock_at(900, 0), 1650, 1e-9) << "beyond the last one as between the last two";
  EXPECT_NEAR(clock_at(3000, 0), clock_at(1000, 0), 1e-9) << "not busier than always";
}

TEST(TensorClock, StaysWhereTheProfileHasNoSuchClocks) {
  DeviceProfile device = with_clocks();
  device.facts.erase("tensor_clock_mma_40_mhz");
  EXPECT_FALSE(knows_tensor_clocks(device));
  EXPECT_EQ(clock_at(300, 0, device), 1980);
}

TEST(TensorClock, CountsTheProductsOfAllWarpsButNotDoubles) {
  const DeviceFacts facts = read_device_facts(with_clocks());
  Launch launch;
  launch.grid = 132;
  launch.block = 32;
  launch.segments.resize(2);
  launch.segments[0].tensor_products = {{"mma_k32_bytes", 10}, {"dmma_16x8x16", 5}};
  launch.segments[1].tensor_products = {{"wgmma_columns", 128}};
  launch.warp_kinds = {{132, {item(0), item(0), item(1)}}};
  const ProductCycles busy = product_cycles(launch, facts);
  EXPECT_NEAR(busy.of_warps, 2 * 10 * facts.tensor->hmma_m16n8k16_f16_cycles / 4, 1e-9);
  EXPECT_NEAR(busy.of_groups, facts.tensor->hgmma_m64n128k16_f16_cycles / 4, 1e-9);
}

// A launch with half of its arithmetic has half of its products.
TEST(TensorClock, FollowsChangedCounts) {
  const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  const KernelModel model = load_kernel_model(data_root() + "/models/gemm_wgmma.json");
  const DeviceProfile device = with_clocks();
  PointRequest request{&model, &net, &device, &model.points.front(), {}, {}, {}, {}};
  const double whole = predict({request}, {}).front().launches.front().slowdown;
  request.factors = {{"xa", 0.1}};
  const double tenth = predict({request}, {}).front().launches.front().slowdown;
  EXPECT_LT(tenth, whole);
}

// Steps are cycles; a lower clock makes them longer.
TEST(TensorClock, TurnsStepsIntoTime) {
  const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  const KernelModel model = load_kernel_model(data_root() + "/models/gemm_wgmma.json");
  const KernelModel plain = load_kernel_model(data_root() + "/models/copy.json");
  const DeviceProfile device = with_clocks();
  const auto predicted = [&](const KernelModel& of) {
    return predict({{&of, &net, &device, &of.points.front(), {}, {}, {}, {}}}, {}).front();
  };
  const Prediction products = predicted(model), copy = predicted(plain);
  const LaunchPrediction& launch = products.launches.front();
  EXPECT_LT(launch.clock_mhz, 1800);
  EXPECT_NEAR(launch.slowdown, 1980 / launch.clock_mhz, 1e-12);
  EXPECT_NEAR(products.mean_steps_at_device_clock(), products.mean_steps() * launch.slowdown, 1e-6);
  EXPECT_EQ(copy.launches.front().clock_mhz, 1980);
  EXPECT_EQ(copy.mean_steps_at_device_clock(), copy.mean_steps());
}

}  // namespace
}  // namespace pnsim
