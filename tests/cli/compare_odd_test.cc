// Tests pnsim compare and rank where a side has no time, where factors are set, and where a
// prediction or a device deserves a word of caution.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;

json asked(const std::string& arguments, int expected_code = 0) {
  const ProgramResult result = run_program(arguments + " --json -q");
  EXPECT_EQ(result.code, expected_code) << arguments << result.err;
  return json::parse(result.out, nullptr, false);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A shipped model whose profile lacked a column.
std::string model_with_gap(const std::string& folder, const std::string& name) {
  json model =
      json::parse(file_text(std::string(PNSIM_TEST_DATA) + "/../../models/" + name + ".json"));
  model["provenance"]["missing"] = {"dram__sectors_read.sum"};
  write_text(folder + "/" + name + ".json", model.dump());
  return folder + "/" + name + ".json";
}

TEST(PnsimCompare, FactorsCountAsInRun) {
  const json factor = asked("compare copy --set n=65536 --b 'xg*=4'");
  const json run = asked("--model copy --net sm --set n=65536 --set 'xg*=4'");
  EXPECT_EQ(factor["b"]["time_us"], run["time_us"]["value"]);
  EXPECT_NE(factor["a"]["time_us"], factor["b"]["time_us"]);
  const json block = asked("compare copy --b 'block*=0.5'");
  EXPECT_EQ(block["b"]["problem"], "block=128 n=1048576 words=4");
  EXPECT_EQ(block["b"]["what_if"], "threads in a line");
  EXPECT_EQ(run_program("compare copy --b 'n*=0.3'").code, 3) << "no whole number";
}

TEST(PnsimRank, FactorsCountAsInRun) {
  const json all = asked("rank copy -a block=[64,256] --set n=65536");
  const json more = asked("rank copy -a block=[64,256] --set n=65536 --set 'xg*=4'");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(more["configurations"][i]["time_us"].get<double>(),
              all["configurations"][i]["time_us"].get<double>());
  }
  const ProgramResult both = run_program("rank copy -a block=[64,256] --set 'block*=2'");
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(says(both.err, "is an axis and set")) << both.err;
}

void expect_limit(const std::string& arguments) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, 5) << arguments << result.err;
  EXPECT_TRUE(says(result.err, "raise it with --max-steps N")) << arguments << result.err;
  EXPECT_TRUE(says(result.out, "  limit")) << arguments << result.out;
  const std::string forms[] = {" --json -q", " --csv -q"};
  for (const std::string& form : forms) EXPECT_EQ(run_program(arguments + form).code, 5);
}

TEST(PnsimCompare, ASideThatReachesTheLimitHasNoTime) {
  expect_limit("compare copy --set n=65536 --b xg=1000000 --max-steps 20000");
  expect_limit("compare copy --device h200,h100 --max-steps 500");
  const json report = asked("compare copy --set n=65536 --b xg=1000000 --max-steps 20000", 5);
  EXPECT_TRUE(report["a"]["time_us"].is_number());
  EXPECT_TRUE(report["b"]["time_us"].is_null());
  EXPECT_EQ(report["b"]["outcome"], "limit");
  EXPECT_TRUE(report["faster"].is_null());
  EXPECT_TRUE(says(report["why"], "Side b reached the limit of steps")) << report["why"];
}

TEST(PnsimRank, AConfigurationThatReachesTheLimitComesLast) {
  expect_limit("rank copy -a block=[64,256] --set n=65536 --max-steps 500");
  // Blocks of 64 threads need 7069 steps, those of 1024 need 4148.
  const json report = asked("rank copy -a block=[64,1024] --max-steps 5500", 5);
  const json& rows = report["configurations"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0]["time_us"].is_number()) << rows;
  EXPECT_TRUE(rows[1]["time_us"].is_null()) << rows;
}

TEST(PnsimCompare, WarningsOfAModelAreRepeated) {
  const std::string folder = scratch_folder();
  const std::string model = model_with_gap(folder, "copy");
  const ProgramResult sides = run_program("compare " + model + " --b block=64 -q");
  EXPECT_EQ(sides.code, 0) << sides.err;
  EXPECT_TRUE(says(sides.out, "warning: missing")) << sides.out;
  EXPECT_EQ(asked("compare " + model + " --b block=64")["a"]["warnings"][0]["kind"], "missing");
  const ProgramResult table = run_program("compare " + folder + " --device h200,h100 -q");
  EXPECT_TRUE(says(table.out, "missing (1 model)")) << table.out;
  EXPECT_TRUE(says(run_program("rank " + model + " -a block=[64,256] -q").out, "warnings"));
}

TEST(PnsimCompare, EstimatedDevicesAreMarked) {
  const char* commands[] = {"compare copy --b device=a100 -q", "compare copy --device h200,a100 -q",
                            "rank copy -a device=[h200,a100] -q",
                            "rank copy --device a100 -a block=[64,256] -q"};
  for (const std::string command : commands) {
    EXPECT_TRUE(says(run_program(command).out, "estimate")) << command;
  }
  EXPECT_EQ(asked("compare copy --b device=a100")["b"].count("device_estimate"), 1u);
  EXPECT_FALSE(says(run_program("compare copy --b device=h100 -q").out, "estimate"));
}

TEST(PnsimCompare, TheNetOfComparisonsIsSaid) {
  for (const std::string command : {"compare", "rank"}) {
    EXPECT_TRUE(says(run_program(command + " --help").out, "default: sm")) << command;
  }
  EXPECT_TRUE(says(run_program("compare copy --b block=64 -q").out, "Net sm")) << "in the output";
}

TEST(PnsimCompare, SettingsOfASideAreGivenOnce) {
  const std::pair<const char*, const char*> refused[] = {
      {"--b device=", "expected the name of a device"},
      {"--a block=64 --a block=128", "block is given twice"},
      {"--a device=h200 --a device=h100", "device is given twice"},
      {"--a xg=4 --a 'xg*=2'", "xg is given twice"}};
  for (const auto& [flags, part] : refused) {
    const ProgramResult result = run_program(std::string("compare copy ") + flags);
    EXPECT_EQ(result.code, 2) << flags;
    EXPECT_TRUE(says(result.err, part)) << flags << result.err;
  }
}

// A copy of a profile with another clock that kept the name.
std::string edited_h200(const std::string& file) {
  json device =
      json::parse(file_text(std::string(PNSIM_TEST_DATA) + "/../../models/devices/h200.json"));
  device["facts"]["clock_mhz"]["value"] = 1000;
  write_text(file, device.dump());
  return file;
}

TEST(PnsimCompare, EqualMeasuredTimesAreNoOrder) {
  const std::string device = edited_h200(scratch_folder() + "/slow.json");
  const ProgramResult result =
      run_program("compare norm_group --a device=h200 --b device=" + device);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(says(result.out, "Measured: 3.633 us and 3.633 us, which is no order."))
      << result.out;
}

TEST(DeviceName, AnEditedCopyThatKeptTheNameIsWarnedOf) {
  const std::string folder = scratch_folder(), device = edited_h200(folder + "/slow.json");
  const std::string warning = device +
                              " has the name \"h200\" of a shipped profile but other facts (the "
                              "first is clock_mhz): measured times and time scales that are shown "
                              "with it are those of h200. Change \"name\" in the file, for example "
                              "to \"slow\"";
  for (const std::string& command :
       {"--model norm_group --device " + device, "compare norm_group --b device=" + device,
        "rank norm_group --axis device=[h200," + device + "]",
        "sweep norm_group --net sm -a device=[h200," + device + "]"}) {
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.code, 0) << command << result.err;
    const std::size_t first = result.err.find(warning);
    EXPECT_NE(first, std::string::npos) << command << result.err;
    EXPECT_EQ(result.err.find("has the name", first + warning.size()), std::string::npos)
        << "once: " << result.err;
  }
  write_text(folder + "/moved.json",
             file_text(std::string(PNSIM_TEST_DATA) + "/../../models/devices/h200.json"));
  EXPECT_FALSE(says(run_program("--model norm_group --device " + folder + "/moved.json").err,
                    "has the name"));
}

TEST(PnsimRank, TheKnownAxesAreNamedOnce) {
  const ProgramResult result = run_program("rank copy --axis zzzzzzz=[64,256]");
  const std::size_t first = result.err.find("block");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("block", first + 1), std::string::npos) << result.err;
}

}  // namespace
}  // namespace pnsim
