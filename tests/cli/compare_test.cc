// Tests pnsim compare: two sides, and kernels by GPU.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;

json compared(const std::string& arguments, int expected_code = 0) {
  const ProgramResult result = run_program("compare " + arguments + " --json -q");
  EXPECT_EQ(result.code, expected_code) << result.err;
  return json::parse(result.out, nullptr, false);
}

double sum_of(const json& rows, std::size_t side) {
  double sum = 0;
  for (const json& row : rows) sum += row["us"][side].get<double>();
  return sum;
}

void expect_comparison_refused(const std::string& arguments, int code, const std::string& part) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, code) << arguments << result.err;
  EXPECT_NE(result.err.find(part), std::string::npos) << arguments << "\n" << result.err;
  EXPECT_EQ(result.out, "") << arguments;
}

TEST(PnsimCompare, TheSidesAreThoseOfRunAndTheReasonsAddUp) {
  const json report = compared("copy gather --set n=65536");
  for (const char* side : {"a", "b"}) {
    const std::string model = report[side]["model"];
    const ProgramResult alone =
        run_program("--model " + model + " --net sm --set n=65536 --json -q");
    EXPECT_EQ(report[side]["time_us"], json::parse(alone.out)["time_us"]["value"]);
  }
  EXPECT_NEAR(sum_of(report["reasons"], 0), report["a"]["time_us"].get<double>(), 1e-6);
  EXPECT_NEAR(sum_of(report["reasons"], 1), report["b"]["time_us"].get<double>(), 1e-6);
}

TEST(PnsimCompare, ASideMayDifferByItsSettingsOrDeviceAlone) {
  const json devices = compared("copy --a device=h200 --b device=h100");
  EXPECT_EQ(devices["a"]["device"], "NVIDIA H200");
  EXPECT_NE(devices["b"]["device"], "NVIDIA H200");
  EXPECT_EQ(devices["a"]["problem"], devices["b"]["problem"]);
  const json blocks = compared("copy --a block=64 --b block=96");
  EXPECT_EQ(blocks["a"]["what_if"], "");
  EXPECT_EQ(blocks["b"]["what_if"], "threads in a line");
  EXPECT_EQ(blocks["faster"].is_null() || blocks["faster"] == "a" || blocks["faster"] == "b", true);
}

TEST(PnsimCompare, EqualSidesHaveNoFasterOne) {
  const ProgramResult result = run_program("compare copy copy -q");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("no difference beyond 0.5 %"), std::string::npos) << result.out;
}

TEST(PnsimCompare, DifferentProblemsAreRefusedUnlessRequested) {
  expect_comparison_refused("compare radix_shared sobel_global", 2,
                            "no axis of the work in common");
  expect_comparison_refused("compare copy bitonic_block", 2,
                            "n differs; give both the same with --set n=");
  const json report = compared("copy --a n=65536 --b n=131072");
  EXPECT_EQ(report["other_work"], "n");
  EXPECT_NE(report["why"].get<std::string>().find("do different work (n)"), std::string::npos);
}

TEST(PnsimCompare, BadSidesAreErrors) {
  expect_comparison_refused("compare copy", 2, "expected a second side");
  expect_comparison_refused("compare copy gathr", 3, "did you mean \"gather\"?");
  expect_comparison_refused("compare copy --a block=64 --net wpnm", 2,
                            "expected a net with times and reasons");
  expect_comparison_refused("compare copy --b blok=64", 2, "did you mean \"block\"?");
  expect_comparison_refused("compare copy --device h200,h200", 2, "different devices");
  expect_comparison_refused("compare copy --device h200,h20", 3,
                            "h20: no profile of this GPU is shipped; known: a100, h100, ");
  expect_comparison_refused("compare copy gather --device h200,h100", 2, "remove the second side");
  const std::string folder = scratch_folder();
  expect_comparison_refused("compare " + folder + " --device h200,h100", 3, "no .json file");
  expect_comparison_refused("compare " + folder, 2, "name the GPUs");
}

TEST(PnsimCompare, KernelsByGpuHaveTotalsAndBottlenecks) {
  const std::string folder = scratch_folder();
  const std::string models = std::string(PNSIM_TEST_DATA) + "/../../models/";
  for (const char* name : {"copy", "gather"}) {
    std::filesystem::copy_file(models + name + ".json", folder + "/" + name + ".json");
  }
  const std::string command = folder + " --device h200,h100";
  const json report = compared(command);
  ASSERT_EQ(report["kernels"].size(), 2u);
  double total = 0;
  for (const json& kernel : report["kernels"]) {
    ASSERT_EQ(kernel["on"].size(), 2u);
    EXPECT_NE(kernel["on"][1]["bottleneck"], "");
    total += kernel["on"][1]["time_us"].get<double>();
  }
  EXPECT_NEAR(report["total_us"][1].get<double>(), total, 1e-9);
  EXPECT_EQ(run_program("compare " + command + " -q -j 1").out,
            run_program("compare " + command + " -q -j 2").out);
  write_text(folder + "/broken.json", "{");
  const ProgramResult result = run_program("compare " + command + " --csv");
  EXPECT_EQ(result.code, 3) << "the other rows are written";
  EXPECT_NE(result.err.find("broken.json"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("gather.json,gather,h100,"), std::string::npos) << result.out;
}

// The measured time, or on a GPU where none is recorded that of the first, scaled as the
// predictions are.
TEST(PnsimCompare, KernelsByGpuHaveTheTimeToExpect) {
  const json on = compared("copy --device h200,h100,a100")["kernels"][0]["on"];
  for (const std::size_t device : {0, 1}) {
    const std::string name = device == 0 ? "h200" : "h100";
    const ProgramResult run = run_program("--model copy --json -q --net sm --device " + name);
    EXPECT_EQ(on[device]["expected_us"], json::parse(run.out)["measured_us"]["value"]) << name;
  }
  const auto number = [&](std::size_t device, const char* key) {
    return on[device][key].get<double>();
  };
  EXPECT_NEAR(number(2, "expected_us"),
              number(0, "expected_us") * number(2, "time_us") / number(0, "time_us"), 1e-9);
  const std::string csv = run_program("compare copy --device h200,h100 --csv -q").out;
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "file,kernel,device,predicted_us,bottleneck,outcome,warnings,expected_us,"
            "template_arguments,stands_for");
}

// The profile is of the second GPU.
TEST(PnsimCompare, AProfiledTimeIsScaledToTheOtherGpu) {
  const json on = compared(std::string(PNSIM_TEST_DATA) +
                           "/../../experiments/others/hecbench_h100/models/0003-fpc_kernel.json "
                           "--device h200,h100")["kernels"][0]["on"];
  const auto number = [&](std::size_t device, const char* key) {
    return on[device][key].get<double>();
  };
  EXPECT_NEAR(number(1, "expected_us"), 22.688 - 1.28, 1e-3);
  EXPECT_NEAR(number(0, "expected_us"),
              number(1, "expected_us") * number(0, "time_us") / number(1, "time_us"), 1e-9);
}

TEST(PnsimCompare, SaysHowToStartFromTheProfiledTimes) {
  const std::string folder = std::string(PNSIM_TEST_DATA) +
                             "/../../experiments/others/hecbench_h100/models/0003-fpc_kernel.json ";
  const std::string without = run_program("compare " + folder + "--device h200,a100 -q").out;
  EXPECT_THAT(without,
              testing::HasSubstr("name the profiled GPU, too: --device h100,h200,a100.\n"));
  EXPECT_THAT(without, testing::HasSubstr("predicted by net sm, each launch in its program;"));
  for (const char* named : {"--device h100,a100 -q", "--device h200,a100 --set 'xg*=0.5' -q"}) {
    EXPECT_THAT(run_program("compare " + folder + named).out,
                testing::Not(testing::HasSubstr("name the profiled GPU")))
        << named;
  }
}

TEST(PnsimCompare, KernelsWithoutAKnownTimeHaveNoneToExpect) {
  const auto has_expected = [](const std::string& arguments) {
    const ProgramResult result = run_program("compare " + arguments + " -q");
    return (result.out + result.err).find("expected") != std::string::npos;
  };
  EXPECT_TRUE(has_expected("copy --device h200,h100"));
  EXPECT_FALSE(has_expected("copy --set 'xg*=0.5' --device h200,h100"));
  const ProgramResult cut = run_program("compare copy --device h200,h100 --max-steps 10 --csv -q");
  EXPECT_NE(cut.out.find("total,,h200,0.000000,,,,,,\n"), std::string::npos) << cut.out;
  const json totals = compared("copy --device h200,h100");
  EXPECT_EQ(totals["total_expected_us"][1], totals["kernels"][0]["on"][1]["expected_us"]);
}

json ranked(const std::string& arguments) {
  const ProgramResult result = run_program("rank " + arguments + " --json -q");
  EXPECT_EQ(result.code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

TEST(PnsimRank, ConfigurationsComeInTheOrderOfTheirTimes) {
  const json report = ranked("copy --axis block=[64,96,256,1024]");
  const json& rows = report["configurations"];
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LE(rows[i - 1]["time_us"].get<double>(), rows[i]["time_us"].get<double>());
  }
  for (const json& row : rows) {
    const bool is_what_if = row["configuration"] == "block=96";
    EXPECT_EQ(row["measured_us"].is_null(), is_what_if);
    EXPECT_EQ(row["how_sure"], is_what_if ? "what-if: threads in a line" : "recorded");
  }
  ASSERT_EQ(report["kept_of_best"].size(), 3u) << "of the measured ones";
  EXPECT_EQ(report["kept_of_best"][2], 1.0);
}

TEST(PnsimRank, SquareTilesAreNotSure) {
  const json report = ranked("sobel_global --axis block=[64,144]");
  for (const json& row : report["configurations"]) {
    if (row["configuration"] != "block=144") continue;
    EXPECT_EQ(row["how_sure"], "what-if: not sure: square tiles");
  }
}

TEST(PnsimRank, DevicesAndVariantsAreConfigurations) {
  EXPECT_EQ(ranked("copy -a device=[h200,h100]")["configurations"].size(), 2u);
  EXPECT_EQ(ranked("block_scan -a shuffle=[0,1] -a block=[64,256]")["configurations"].size(), 4u);
}

TEST(PnsimRank, ABlockThatDoesNotFitDoesNotCostTheOthers) {
  const json report = ranked("copy --axis block=[64,128,2048]");
  EXPECT_EQ(report["configurations"].size(), 2u);
  ASSERT_EQ(report["not_predicted"].size(), 1u);
  EXPECT_EQ(report["not_predicted"][0]["configuration"], "block=2048");
  const ProgramResult text = run_program("rank copy -q --axis block=[64,128,2048]");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("Not ranked: block=2048: a block of 2048 threads"), std::string::npos);
}

TEST(PnsimRank, WhatIsNoOrderIsRefused) {
  expect_comparison_refused("rank copy --axis n=[65536,131072]", 2,
                            "the axis n changes the work of copy");
  expect_comparison_refused("rank copy --axis blok=[64,256]", 2, "did you mean \"block\"?");
  expect_comparison_refused("rank copy --axis block=64", 2, "found one configuration (block=64)");
  expect_comparison_refused("rank copy -a block=[64,256] --set block=64", 2, "is an axis and set");
  expect_comparison_refused("rank copy -a block=[64,256] -a block=[64]", 2, "is given twice");
  expect_comparison_refused("rank copy", 2, "expected an axis of configurations");
  expect_comparison_refused("rank wpnm -a block=[64,128]", 2, "is not a kernel model");
  expect_comparison_refused("rank copy --axis block=[64,2048]", 3,
                            "a block of 2048 threads (a block has at most 1024) does not fit");
  expect_comparison_refused("rank copy -a block=[64,256] --net wpnm", 2,
                            "expected a net with times");
}

TEST(PnsimRank, AFolderIsOrderedWhereItsModelsDoTheSameWork) {
  const std::string folder = scratch_folder();
  const std::string models = std::string(PNSIM_TEST_DATA) + "/../../models/";
  expect_comparison_refused("rank " + folder, 3, "no .json file");
  std::filesystem::copy_file(models + "radix_shared.json", folder + "/radix_shared.json");
  expect_comparison_refused("rank " + folder, 2, "found one configuration (radix_shared.json)");
  std::filesystem::copy_file(models + "radix_global.json", folder + "/radix_global.json");
  const json report = ranked(folder);
  ASSERT_EQ(report["configurations"].size(), 2u);
  EXPECT_EQ(report["configurations"][0]["configuration"], "radix_shared.json");
  EXPECT_EQ(report["kept_of_best"][0], 1.0);
  expect_comparison_refused("rank " + folder + " -a block=[64,128]", 2, "is a folder");
  std::filesystem::copy_file(models + "sobel_global.json", folder + "/sobel_global.json");
  expect_comparison_refused("rank " + folder, 2, "are different problems");
}

}  // namespace
}  // namespace pnsim
