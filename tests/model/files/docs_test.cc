// The examples of the documentation run, and their output is the one on the page.
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/base/data_files.h"
#include "simulator/engine/draws.h"
#include "simulator/engine/run.h"
#include "simulator/model/derive/derive.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/paper/waves.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/net_json.h"

namespace pnsim {
namespace {

std::string page(const std::string& name) {
  return read_file(std::string(PNSIM_TEST_DATA) + "/../../docs/" + name + ".md");
}

// All blocks of JSON of a page.
std::vector<InputJson> examples_of(const std::string& name) {
  const std::string text = page(name), start = "```json\n";
  std::vector<InputJson> examples;
  for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    const std::size_t begin = at + start.size(), end = text.find("\n```", begin);
    examples.push_back(parse_json(text.substr(begin, end - begin), name));
    at = end;
  }
  EXPECT_FALSE(examples.empty()) << name;
  return examples;
}

InputJson example_of(const std::string& name) { return examples_of(name).at(0); }

TEST(Docs, TheWorkersTakeTheStepsOfThePage) {
  const InputJson json = example_of("net_template");
  const NetTemplate t = read_net_template(JsonReader(json, "net_template.md"));
  const auto steps = [&](const ParameterValues& overrides, std::uint64_t seed) {
    const RunResult result = run_reference(instantiate(t, overrides), {.seed = seed});
    EXPECT_EQ(result.outcome, Outcome::kGoal);
    return result.steps;
  };
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    EXPECT_EQ(steps({}, seed), 20u);
    EXPECT_EQ(steps({{"W", {3}}, {"jobs", {1, 2, 3}}}, seed), 30u);
  }
}

TEST(Docs, TheKernelModelHasTheWavesOfThePage) {
  const InputJson json = example_of("kernel_model");
  const KernelModel model = read_kernel_model(JsonReader(json, "kernel_model.md"));
  const Launch& launch = model.point({}).launches.at(0);
  EXPECT_EQ(total_counts(launch.warp_kinds.at(0).program, "t"), (InstructionCounts{20, 8, 1}));
  const auto sms = load_device_profile(model.device).count("sms");
  EXPECT_EQ(sms, 132);
  const LaunchWaves waves = launch_waves(launch, sms);
  EXPECT_EQ(waves.full_waves, 2);
  EXPECT_EQ(waves.full.blocks, 3);
  EXPECT_EQ(waves.tail.value().blocks, 2);
  EXPECT_NO_THROW(load_net_template(find_data_file(model.net, {"models/nets"})));
}

TEST(Docs, TheKernelModelsOtherExamplesAreSegments) {
  const std::vector<InputJson> examples = examples_of("kernel_model");
  ASSERT_GE(examples.size(), 2u);
  for (std::size_t i = 1; i < examples.size(); ++i) {
    EXPECT_GT(instructions_of(read_segment(JsonReader(examples[i], "kernel_model.md"))), 0);
  }
}

TEST(Docs, TheDeviceProfileIsOne) {
  const InputJson json = example_of("device_profile");
  const DeviceProfile device = read_device_profile(JsonReader(json, "device_profile.md"));
  EXPECT_EQ(device.count("sms"), 8);
  const NetTemplate wpnm = load_net_template(find_data_file("wpnm", {"models/nets"}));
  EXPECT_EQ(device.count(wpnm.find_parameter("S")->device), 4);
}

TEST(Docs, TheExampleOfTheLawRunsAsThePageSays) {
  const InputJson json = example_of("law");
  const Net net = read_net_json(JsonReader(json, "law.md"));
  double mean = 0;
  constexpr std::uint32_t kRuns = 2000;
  for (std::uint32_t replica = 0; replica < kRuns; ++replica) {
    const RunId id{.seed = 1, .replica = replica};
    std::uint64_t expected = 1;  // steps until the draw says a
    while (Draws(run_key(id), PlaceId{0}, expected - 1).next_below(2) == 1) ++expected;
    const RunResult result = run_reference(net, id);
    ASSERT_EQ(result.steps, expected);
    mean += static_cast<double>(result.steps) / kRuns;
  }
  EXPECT_NEAR(mean, 2, 5 * std::sqrt(2.0 / kRuns));  // geometric: the variance is 2
}

TEST(Docs, TheDerivePageNamesEveryColumnThatIsRead) {
  const std::string text = page("derive");
  for (const char* column :
       {"smsp__inst_executed.sum", "launch__grid_size", "launch__block_size",
        "launch__registers_per_thread", "launch__shared_mem_per_block_static",
        "launch__shared_mem_per_block_dynamic", "launch__occupancy_limit_blocks",
        "launch__occupancy_limit_registers", "launch__occupancy_limit_shared_mem",
        "launch__occupancy_limit_warps", "smsp__sass_inst_executed_op_global_ld.sum",
        "smsp__sass_inst_executed_op_global_st.sum", "smsp__sass_inst_executed_op_shared_ld.sum",
        "smsp__sass_inst_executed_op_shared_st.sum", "gpu__time_duration.sum",
        "device__attribute_display_name"}) {
    EXPECT_NE(text.find(column), std::string::npos) << column;
  }
}

TEST(Docs, TheSharesOfTheDerivePageAreThoseOfTheVectors) {
  const std::string raw = read_file(PNSIM_TEST_DATA "/vectors/ncu_raw.csv");
  const auto launches = read_ncu_raw(raw, "raw.csv");
  const auto& add = launches[0].launch.warp_kinds;
  ASSERT_EQ(add.size(), 1u);
  EXPECT_EQ(total_counts(add[0].program, "t"), (InstructionCounts{17, 0, 3}));
  std::int64_t with_two_global = 0, with_six_shared = 0;
  for (const WarpKind& kind : launches[1].launch.warp_kinds) {
    const InstructionCounts c = total_counts(kind.program, "t");
    with_two_global += c.global == 2 ? kind.warps : 0;
    with_six_shared += c.shared == 6 ? kind.warps : 0;
  }
  EXPECT_EQ(with_two_global, 256);
  EXPECT_EQ(with_six_shared, 1280);
}

}  // namespace
}  // namespace pnsim
