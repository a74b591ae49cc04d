// Tests pnsim device, and what commands say of a GPU that is unknown, estimated, or another one
// than the profiled one.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "simulator/base/json.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kShippedModels = std::string(PNSIM_TEST_DATA) + "/../../models";

// A shipped model whose GPU has this name.
std::string model_on(const std::string& device) {
  InputJson report = load_json(kShippedModels + "/histogram.json");
  report["device"] = device;
  const std::string file = scratch_folder() + "/model.json";
  write_text(file, report.dump());
  return file;
}

// A copy of the profile of the H200 after `change`.
template <class Change>
std::string changed_profile(Change change) {
  InputJson report = load_json(kShippedModels + "/devices/h200.json");
  change(report);
  const std::string file = scratch_folder() + "/device.json";
  write_text(file, report.dump());
  return file;
}

TEST(DeviceCommand, ScalesAProfileThatPredictionsAcceptAndMark) {
  const std::string file = scratch_folder() + "/half.json";
  const ProgramResult made = run_program(
      "device scale h200 --set memory_bandwidth=2.4e12 --cite "
      "'memory_bandwidth=a data sheet' --title 'Half an H200' -o " +
      file);
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, StartsWith("Half an H200 (estimate: scaled from h200, never compared with "
                                   "hardware)\nfacts: 1 given, "));
  EXPECT_THAT(made.err, HasSubstr("not given, so as on h200: sms 132"));
  EXPECT_EQ(run_program("device scale h200 --set sms=100 -q -o " + file + ".quiet").err, "");
  const ProgramResult run = run_program("--model copy --net sm --device " + file);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Half an H200 (estimate: scaled from h200"));
  const ProgramResult report = run_program("--model copy --net sm --json --device " + file);
  EXPECT_EQ(parse_json(report.out, "stdout")["device_estimate"],
            "scaled from h200, never compared with hardware");
  const ProgramResult sweep =
      run_program("sweep copy --net sm -a block=[64] -o " + scratch_folder() +
                  "/rows.jsonl "
                  "--device " +
                  kShippedModels + "/devices/a100.json");
  EXPECT_THAT(sweep.err, HasSubstr("estimate: scaled from h200"));
}

TEST(DeviceCommand, ListsTheShippedProfilesAndWhichAreEstimates) {
  const ProgramResult list = run_program("device list");
  EXPECT_EQ(list.code, 0);
  for (const char* name : {"h100", "h200", "a100", "rtx4090", "l40s"})
    EXPECT_THAT(list.out, HasSubstr(name));
  EXPECT_THAT(list.out, HasSubstr("measured"));
  EXPECT_THAT(list.out, HasSubstr("scaled from h200, never compared with hardware"));
}

TEST(DeviceCommand, BadFiguresAreRefused) {
  const std::string out = " -o " + scratch_folder() + "/x.json";
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"device", "expected a command behind it"},
      {"device scale h200" + out, "expected figures of a data sheet"},
      {"device scale h200 --set sms=-4" + out, "expected a number over 0"},
      {"device scale h200 --set sm=108" + out, "did you mean \"sms\"?"},
      {"device scale h200 --set sms" + out, "expected FACT=NUMBER"},
      {"device scale h200 --set sms=many" + out, "expected a number such as"},
      {"device scale h200 --set sms=1 --set sms=2" + out, "given twice"},
      {"device scale h200 --set sms=108 --cite smss=x" + out, "did you mean \"sms\"?"},
      {"device scale h200 --set sms=108", "-o is required"},
      {"device scale h200 --set sms=108 -o " + kShippedModels + "/devices/h200.json", "h200.json"},
  };
  for (const auto& [arguments, said] : refusals) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(said)) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  }
  EXPECT_EQ(run_program("device scale h300 --set sms=108" + out).code, 3);
}

TEST(UnknownGpu, TheErrorSaysWhatAProfileIsAndTheCommands) {
  const ProgramResult result = run_program("--model " + model_on("geforce-rtx-4080"));
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("model.json: /device: the kernel was profiled on "
                                    "\"geforce-rtx-4080\", and there is no device profile"));
  EXPECT_THAT(result.err, HasSubstr("`experiment device --name geforce-rtx-4080`"));
  EXPECT_THAT(result.err, HasSubstr("`pnsim device scale h200 --set sms="));
  EXPECT_THAT(result.err, HasSubstr("add --device NAME: a100, h100, h200"));
  EXPECT_EQ(run_program("--model " + model_on("geforce-rtx-4080") + " --device h200").code, 0);
}

TEST(UnknownGpu, TheNearestProfileIsAdvisedOncePerFolder) {
  const std::string first = file_text(model_on("NVIDIA A100-SXM4-80GB"));
  const std::string folder = scratch_folder();  // empty again
  for (const char* name : {"a", "b"}) write_text(folder + "/" + name + ".json", first);
  const ProgramResult result = run_program("--model " + folder);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, StartsWith("pnsim: error: " + folder + "/a.json: /device: "));
  EXPECT_THAT(result.err, HasSubstr("The nearest shipped profile is a100: add --device a100."));
  EXPECT_THAT(result.err, HasSubstr("`pnsim device scale a100 --set "));
  EXPECT_THAT(result.err, HasSubstr("; and likewise for b.json\n"));
  EXPECT_EQ(result.err.find("pnsim: error:", 1), std::string::npos) << result.err;
}

TEST(AnotherGpu, TheReportSaysWhoseCountsAndWhoseTimesItShows) {
  const ProgramResult own = run_program("--model histogram");
  EXPECT_THAT(own.out, Not(HasSubstr("profiled elsewhere")));
  const std::string line =
      "counts are those of h200, where the kernel was profiled; the predicted and the measured "
      "time are those of h100";
  for (const char* net : {"", " --net sm"}) {
    const ProgramResult other = run_program("--model histogram --device h100" + std::string(net));
    EXPECT_EQ(other.code, 0);
    EXPECT_THAT(other.out, HasSubstr(line)) << net;
    const ProgramResult none = run_program("--model histogram --device a100" + std::string(net));
    EXPECT_THAT(none.out, HasSubstr("profiled; the predicted time is that of a100\n"))
        << "nothing was measured on it";
  }
  const ProgramResult report = run_program("--model histogram --device h100 --json");
  EXPECT_EQ(parse_json(report.out, "stdout")["profiled_on"], "h200");
}

TEST(IncompleteProfile, AllMissingFactsAreNamedWithTheCommand) {
  const std::string half = changed_profile([](InputJson& report) {
    for (const char* fact : {"l2_slices", "fp64_rate", "kernel_copy_ns"})
      report["facts"].erase(fact);
  });
  const ProgramResult result = run_program("--model histogram --net sm --device " + half);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("device.json: /facts: 3 facts are missing: \"l2_slices\", "
                                    "\"fp64_rate\", \"kernel_copy_ns\"."));
  EXPECT_THAT(result.err, HasSubstr("`experiment device --name h200` measures it"));
}

TEST(IncompleteProfile, AMisspeltFactIsShownBesideTheMissingOne) {
  const std::string file = changed_profile([](InputJson& report) {
    report["facts"]["l1_latency_cycle"] = report["facts"]["l1_latency_cycles"];
    report["facts"].erase("l1_latency_cycles");
  });
  const ProgramResult result = run_program("--model histogram --net sm --device " + file);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err,
              HasSubstr("the fact \"l1_latency_cycles\" (is \"l1_latency_cycle\" meant?) is "
                        "missing."));
}

TEST(IncompleteProfile, AnotherVersionIsRefusedWithTheCommand) {
  const std::string file = changed_profile([](InputJson& report) { report["version"] = 2; });
  const ProgramResult result = run_program("--model histogram --device " + file);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("/version: found 2, expected 1, the version of profiles that "
                                    "this program reads."));
  EXPECT_THAT(result.err, HasSubstr("`experiment device --name h200`"));
}

TEST(IncompleteProfile, ANegativeFactIsRefused) {
  const std::string file = changed_profile(
      [](InputJson& report) { report["facts"]["l1_latency_cycles"]["value"] = -3; });
  const ProgramResult result = run_program("--model histogram --net sm --device " + file);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("/facts/l1_latency_cycles/value: found -3, expected 0.01 to "
                                    "100000 (cycle), "));
}

TEST(DeviceCommand, TheResultReplacesNoInput) {
  const std::string file = changed_profile([](InputJson&) {});
  const std::string before = file_text(file);
  for (const std::string& output : {file, file.substr(0, file.rfind('/')) + "/./device.json"}) {
    const ProgramResult result = run_program("device scale " + file + " --set sms=66 -o " + output);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("is an input"));
    EXPECT_EQ(file_text(file), before);
  }
}

TEST(DeviceCommand, FiguresOutOfRangeAndUnknownFactsAreExplained) {
  const std::pair<const char*, const char*> refused[] = {
      {"sms=1e9", "a hundredth to a hundred times the 132"},
      {"sms=inf", "expected 1.32 to 13200"},
      {"sms=1e400", "which a floating-point number holds"},
      {"smss=4", "did you mean \"sms\"?"},
      {"zzzzzz=4", "pnsim show h200 lists its facts"}};
  for (const auto& [setting, part] : refused) {
    const ProgramResult result = run_program(std::string("device scale h200 --set ") + setting +
                                             " -o " + scratch_folder() + "/x.json");
    EXPECT_EQ(result.code, 2) << setting;
    EXPECT_THAT(result.err, HasSubstr(part)) << setting;
  }
}

}  // namespace
}  // namespace pnsim
