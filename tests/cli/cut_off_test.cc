// Runs that are cut off or reach a deadlock: every output format and a line on stderr report it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const char* const kLong = "wpnm --set xa=1000 --max-steps 500";
const char* const kSaid = "not every run came to its end";

TEST(CutOff, SensitivitiesAreMarkedInEveryForm) {
  const std::string command = std::string("sensitivity ") + kLong;
  const ProgramResult text = run_program(command), csv = run_program(command + " --csv"),
                      as_json = run_program(command + " --json");
  for (const ProgramResult* result : {&text, &csv, &as_json}) {
    EXPECT_EQ(result->code, 5);
    EXPECT_THAT(result->err, HasSubstr(kSaid));
  }
  EXPECT_THAT(text.out, HasSubstr("outcome limit: not every run came to its end"));
  EXPECT_THAT(text.out,
              HasSubstr("l1 was not varied: not every run at these values came to its end"));
  EXPECT_THAT(csv.out, HasSubstr(",elasticity,elasticity_stderr,outcome,replicas,told\n"));
  EXPECT_THAT(csv.out, HasSubstr("l1,20,,,,,,,,,limit,,\n"));
  const json report = json::parse(as_json.out);
  EXPECT_EQ(report["outcome"], "limit");
  for (const json& row : report["sensitivities"]) {
    EXPECT_TRUE(row["elasticity"].is_null());
    EXPECT_THAT(row["why_not"].get<std::string>(),
                HasSubstr("not every run at these values came to its end"));
  }
}

// An arithmetic instruction takes 4 steps, the end one: more instructions exceed the step limit.
TEST(CutOff, AMovedValueThatIsCutOffHasNoNumbers) {
  const ProgramResult result = run_program(
      "sensitivity wpnm --set W=1 --set xa=10 --set xs=0 --set xg=0 --max-steps 42 --json");
  EXPECT_EQ(result.code, 5);
  const json report = json::parse(result.out);
  ASSERT_EQ(report["sensitivities"].size(), 7u);
  for (const json& row : report["sensitivities"]) {
    const std::string name = row["parameter"];
    EXPECT_EQ(row["elasticity"].is_null(), name == "xa" || name == "xs" || name == "xg") << row;
  }
}

TEST(CutOff, ModelsAndTracesAreMarked) {
  const ProgramResult csv = run_program("--model radix_shared --max-steps 50 --csv");
  EXPECT_EQ(csv.code, 5);
  EXPECT_THAT(csv.out, HasSubstr(",mode,outcome,net\n"));
  EXPECT_THAT(csv.out, HasSubstr(",warm,limit,wpnm\n"));
  EXPECT_THAT(csv.out, HasSubstr(",warm,limit,sm\n"));
  EXPECT_THAT(csv.err, HasSubstr(kSaid));
  const ProgramResult trace = run_program(std::string("run --trace - ") + kLong);
  EXPECT_THAT(trace.out, HasSubstr(",\"outcome\":\"limit\"}\n"));
  EXPECT_THAT(trace.err, HasSubstr(kSaid));
  const ProgramResult whole = run_program("run wpnm --trace -");
  EXPECT_THAT(whole.out, Not(HasSubstr("\"outcome\"")));
  EXPECT_EQ(whole.err.find("warning"), std::string::npos) << whole.err;
}

TEST(CutOff, AFolderSaysItOnceForAllItsModels) {
  const std::string folder = scratch_folder();
  for (const char* name : {"/a.json", "/b.json"})
    std::filesystem::copy_file(std::string(PNSIM_TEST_DATA) + "/../../models/sobel_tiled.json",
                               folder + name);
  for (const char* form : {"", " --csv", " --json"}) {
    const ProgramResult result = run_program("--model " + folder + " --max-steps 50" + form);
    EXPECT_EQ(result.code, 5);
    const std::size_t first = result.err.find(kSaid);
    ASSERT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(kSaid, first + 1), std::string::npos) << result.err;
  }
}

TEST(CutOff, ASweepSaysItOnceForAllItsRows) {
  const std::string rows = scratch_folder() + "/rows.jsonl";
  for (const std::string& to : {std::string(), " -o " + rows, " --resume -o " + rows}) {
    const ProgramResult result =
        run_program("sweep wpnm -a l1=[1,2,3] --set xa=1000 --max-steps 500" + to);
    EXPECT_EQ(result.code, 5);
    const std::size_t first = result.err.find(kSaid);
    ASSERT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(kSaid, first + 1), std::string::npos) << result.err;
  }
}

TEST(CutOff, ARunThatGotStuckBeforeItsGoalIsSaid) {
  const std::string net = scratch_folder() + "/stuck.json";
  write_text(net, R"({"kind": "net", "name": "stuck", "places": [{"name": "a", "tokens": 1},
    {"name": "b"}], "transitions": [{"name": "t", "takes": {"a": 1}, "gives": {"b": 1}}],
    "until": ["a=0", "b=0"]})");
  const ProgramResult result = run_program("run " + net + " --csv");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr(",dead,"));
  EXPECT_THAT(result.err, HasSubstr("warning: not every run reached its goal"));
}

}  // namespace
}  // namespace pnsim
