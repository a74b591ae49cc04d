// Every file in models/ loads, and every net runs.
#include <gtest/gtest.h>

#include <filesystem>

#include "simulator/base/data_files.h"
#include "simulator/engine/run.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/paper/waves.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {
namespace {

std::string path_of(const std::string& folder, const std::string& name) {
  return data_root() + "/" + folder + "/" + name + ".json";
}

TEST(ShippedFiles, NetTemplatesRunToTheirGoalFromOneWarpTo1024) {
  for (const std::string& name : shipped_names("models/nets")) {
    const NetTemplate t = load_net_template(path_of("models/nets", name));
    EXPECT_EQ(t.name, name);
    // The net of an SM has its warps in blocks.
    const std::string warps = t.find_parameter("W") ? "W" : "Wb";
    const std::int64_t most = t.find_parameter("W") ? 1024 : 64;
    for (const ParameterValues& overrides :
         {ParameterValues{}, ParameterValues{{warps, {1}}}, ParameterValues{{warps, {64}}},
          ParameterValues{{warps, {most}}, {"S", {64}}}}) {
      const Net net = instantiate(t, overrides);
      EXPECT_TRUE(net.has_goal());
      EXPECT_EQ(run_reference(net, {}, 100'000).outcome, Outcome::kGoal) << name;
    }
  }
}

TEST(ShippedFiles, NetTemplatesExplainEveryParameterPlaceAndTransition) {
  for (const std::string& name : shipped_names("models/nets")) {
    const NetTemplate t = load_net_template(path_of("models/nets", name));
    EXPECT_FALSE(t.description.empty());
    for (const ParameterSpec& p : t.parameters) {
      EXPECT_FALSE(p.unit.empty() || p.meaning.empty() || p.source.empty())
          << name << " " << p.name;
    }
    for (const PlaceSpec& p : t.places) EXPECT_FALSE(p.meaning.empty()) << name << " " << p.name;
    for (const TransitionSpec& x : t.transitions)
      EXPECT_FALSE(x.meaning.empty()) << name << " " << x.name;
  }
}

TEST(ShippedFiles, DeviceProfilesHaveWhatASimulationNeeds) {
  const auto names = shipped_names("models/devices");
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    const DeviceProfile device = load_device_profile(path_of("models/devices", name));
    EXPECT_EQ(device.name, name);
    EXPECT_GE(device.count("sms"), 1);
    EXPECT_GE(device.count("schedulers_per_sm"), 1);
    for (const auto& [key, fact] : device.facts) {
      EXPECT_FALSE(fact.unit.empty() || fact.source.empty()) << name << " " << key;
    }
  }
}

// One set of names: a net that runs on one device runs on all.
TEST(ShippedFiles, DeviceProfilesHaveFactsByNamesOfTheMeasuredGpus) {
  DeviceProfile measured = load_device_profile("h200");
  measured.facts.merge(load_device_profile("h100").facts);
  for (const std::string& name : shipped_names("models/devices")) {
    for (const auto& [key, fact] : load_device_profile(name).facts) {
      ASSERT_TRUE(measured.facts.contains(key)) << name << " " << key;
      EXPECT_EQ(fact.unit, measured.facts.at(key).unit) << name << " " << key;
    }
  }
}

// A fact that is copied from another profile names that profile, and has its value.
TEST(ShippedFiles, FactsOfAnotherDeviceAreItsFacts) {
  const DeviceProfile h200 = load_device_profile("h200");
  std::size_t taken = 0;
  for (const auto& [key, fact] : load_device_profile("rtx2060super").facts) {
    if (fact.source.find("models/devices/h200.json") == std::string::npos) continue;
    ++taken;
    EXPECT_EQ(fact.value, h200.value(key)) << key;
  }
  EXPECT_GT(taken, 0u);
  EXPECT_LT(taken, 58u);
}

// The nets and devices of the models exist, the default point is recorded, every launch has waves.
TEST(ShippedFiles, KernelModelsAreComplete) {
  const auto names = shipped_names("models");
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const std::string path = path_of("models", name);
    EXPECT_LE(std::filesystem::file_size(path), 1'200'000u);
    const KernelModel model = load_kernel_model(path);
    EXPECT_EQ(model.name, name);
    EXPECT_FALSE(model.provenance.empty());
    EXPECT_NO_THROW(model.point({}));
    const NetTemplate net = load_net_template(path_of("models/nets", model.net));
    EXPECT_NO_THROW(resolve_parameters(net, model.parameters));
    const std::int64_t sms =
        load_device_profile(path_of("models/devices", model.device)).count("sms");
    for (const RecordedPoint& point : model.points) {
      for (const Launch& launch : point.launches) {
        const LaunchWaves waves = launch_waves(launch, sms);
        EXPECT_GE(waves.full_waves, 1);
        EXPECT_EQ(waves.full.warps.size(),
                  static_cast<std::size_t>(waves.full.blocks * launch.warps_per_block()));
      }
    }
  }
}

// A shipped model is byte for byte the text that the program writes for it.
TEST(ShippedFiles, KernelModelsAreAsTheProgramWritesThem) {
  for (const std::string& name : shipped_names("models")) {
    const std::string path = path_of("models", name);
    const std::string text = kernel_model_text(load_kernel_model(path));
    EXPECT_EQ(InputJson::parse(text), load_json(path)) << name;
  }
}

}  // namespace
}  // namespace pnsim
