// Every shipped model is predicted for every shipped device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/stats.h"
#include "simulator/model/sm/sm_parameters.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

// The recorded point with the fewest threads, which is simulated fastest.
const RecordedPoint* smallest_point(const KernelModel& model) {
  const auto threads = [](const RecordedPoint& point) {
    std::int64_t sum = 0;
    for (const Launch& launch : point.launches) sum += launch.repeat * launch.grid * launch.block;
    return sum;
  };
  const RecordedPoint* smallest = nullptr;
  for (const RecordedPoint& point : model.points) {
    if (!has_programs(point)) continue;
    if (smallest == nullptr || threads(point) < threads(*smallest)) smallest = &point;
  }
  return smallest;
}

TEST(ShippedDevices, EveryShippedModelHasATimeOnEveryOne) {
  for (const std::string& name : shipped_names("models/devices")) {
    const DeviceProfile device = load_device_profile(name);
    std::vector<std::unique_ptr<KernelModel>> models;
    std::vector<PointRequest> requests;
    for (const std::string& model : shipped_names("models")) {
      models.push_back(std::make_unique<KernelModel>(
          load_kernel_model(data_root() + "/models/" + model + ".json")));
      const RecordedPoint* point = smallest_point(*models.back());
      // Its block needs the shared memory of an SM of compute capability 9.0.
      if (model == "gemm_wgmma" && device.value("shared_bytes_per_block_optin") < 220000) continue;
      if (point == nullptr) continue;
      requests.push_back({models.back().get(), &test::sm_net(), &device, point, {}, {}});
    }
    EXPECT_GE(requests.size(), 25u);
    const std::vector<Prediction> predictions = predict(requests, {});
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      const double us = predictions[i].mean_steps() / device.value("clock_mhz");
      EXPECT_EQ(predictions[i].outcome, Outcome::kGoal) << name << " " << requests[i].model->name;
      EXPECT_TRUE(us > 0.1 && us < 1e6) << name << " " << requests[i].model->name << ": " << us;
    }
  }
}

}  // namespace
}  // namespace pnsim
