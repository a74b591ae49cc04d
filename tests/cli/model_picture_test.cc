// Tests timelines and Chrome traces of kernel models.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/program.h"
#include "tests/support/svg_check.h"

namespace pnsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> shipped_models() {
  std::vector<std::string> out;
  const std::filesystem::path root = std::filesystem::path(PNSIM_TEST_DATA) / "../../models";
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.path().extension() == ".json") out.push_back(entry.path().stem());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The processes of a Chrome trace, and how many bars they have that are not light.
std::map<std::string, int> bars_of(const json& trace) {
  std::map<int, std::string> names;
  std::map<std::string, int> bars;
  const std::set<std::string> light{"idle", "no warp", "empty", "free"};
  for (const json& event : trace["traceEvents"]) {
    const int process = event["pid"];
    if (event["ph"] == "M" && event["name"] == "process_name")
      names[process] = event["args"]["name"];
    if (event["ph"] == "X" && !light.contains(event["cat"].get<std::string>())) {
      ++bars[names.at(process)];
    }
  }
  return bars;
}

// Runs stop soon after the first warps start (cycle 1574 on net sm, step 0 on the paper's net): the
// pictures need no more than their window.
void expect_all_drawn(const std::string& net, int steps) {
  const std::string folder = scratch_folder();
  const std::vector<std::string> models = shipped_models();
  ASSERT_GE(models.size(), 25u);
  for (const std::string& model : models) {
    const std::string svg = folder + "/a.svg", trace = folder + "/a.json";
    const ProgramResult result =
        run_program("--model " + model + " -q --net " + net + " --max-steps " +
                    std::to_string(steps) + " --timeline " + svg + " --trace " + trace);
    EXPECT_TRUE(result.code == 0 || result.code == 5) << model << " " << result.err;
    const std::string text = file_text(svg);
    for (const std::string& fault : SvgCheck(text).faults()) {
      ADD_FAILURE() << model << " " << net << ": " << fault;
    }
    EXPECT_THAT(text, HasSubstr(model + " ("));
    EXPECT_THAT(text, HasSubstr("on net " + net));
    EXPECT_LT(text.size(), 6'000'000u) << model << " " << net;
    auto bars = bars_of(json::parse(file_text(trace)));
    EXPECT_GT(bars["warps"], 0) << model << " " << net;
    EXPECT_GT(bars["schedulers"], 0) << model << " " << net;
    EXPECT_EQ(bars["units"] > 0, net == "sm") << model;
  }
}

TEST(ModelPicture, EveryShippedModelIsDrawnOnTheSmNet) { expect_all_drawn("sm", 3500); }

TEST(ModelPicture, EveryShippedModelIsDrawnOnThePapersNet) { expect_all_drawn("wpnm", 1500); }

TEST(ModelPicture, TheDefaultLaunchAndTheDefaultWindowAreStated) {
  const std::string folder = scratch_folder(), svg = folder + "/a.svg";
  const ProgramResult result = run_program("--model radix_shared --timeline " + svg);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("a.svg: net sm, launch 3 of 3 (radix_shared_scatter), cycles "));
  const std::string text = file_text(svg);
  for (const char* said :
       {"on net sm: launch radix_shared_scatter, cycles ", "Launch 3 of 3 has 66 % of the",
        "and no other has more. Choose another one with --launch 1 to 3.",
        "The default window: 1000 cycles from the first warp's start", "--trace-steps"}) {
    EXPECT_THAT(text, HasSubstr(said));
  }
  EXPECT_THAT(text, HasSubstr("shared memory and L1 port"));
  EXPECT_THAT(text, HasSubstr("way to L2 and DRAM"));
  EXPECT_THAT(text, Not(HasSubstr("cut off")));
}

TEST(ModelPicture, ShowsTheChosenLaunchAndWindow) {
  const std::string folder = scratch_folder(), svg = folder + "/a.svg";
  ASSERT_EQ(
      run_program("--model radix_shared --launch 2 --trace-steps 2000:2099 --timeline " + svg).code,
      0);
  EXPECT_THAT(file_text(svg), HasSubstr("launch radix_shared_scan, cycles 2000 to 2099"));
  EXPECT_THAT(file_text(svg), Not(HasSubstr("no other has more")));
  ASSERT_EQ(run_program("--model radix_shared --net wpnm --trace-steps 0:49 --trace " + folder +
                        "/a.jsonl")
                .code,
            0);
  const std::string lines = file_text(folder + "/a.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 51);
}

TEST(ModelPicture, AnExecutedWaveOfTheModelsNetIsTheOneThatIsPredicted) {
  const std::string folder = scratch_folder(), trace = folder + "/a.json";
  const ProgramResult run = run_program(
      "--model radix_shared --set n=4096 --set block=64 --net sm --all-blocks --json --launch 1 "
      "--trace-steps 0:1000000 --trace " +
      trace);
  ASSERT_EQ(run.code, 0) << run.err;
  const json launches = json::parse(run.out)["launches"];
  const json drawn = json::parse(file_text(trace))["otherData"];
  EXPECT_EQ(drawn["steps"], json({0, launches[0]["steps"]["mean"].get<int>()}));
  EXPECT_EQ(drawn["outcome"], "goal");
  EXPECT_EQ(drawn["cut_off"], false);
}

TEST(ModelPicture, LinesOnStdoutStandAlone) {
  const std::string run = "--model radix_shared --net wpnm --trace - --trace-steps 0:9";
  const ProgramResult lines = run_program(run + " -q");
  EXPECT_EQ(lines.code, 0);
  EXPECT_THAT(lines.out, testing::StartsWith("{\"step\":null,"));
  EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'), 11);
  EXPECT_EQ(run_program(run + " --json").code, 2);
}

TEST(ModelPicture, InvalidUsageIsReported) {
  const std::string out = scratch_folder() + "/t";
  const auto err = [&](const std::string& arguments) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    return result.err;
  };
  EXPECT_THAT(err("--model radix_shared --launch 4 --timeline " + out + ".svg"),
              HasSubstr("radix_shared has the launches 1 to 3: 1 radix_shared_count, 2 "));
  EXPECT_THAT(err("--model radix_shared --launch 1"), HasSubstr("--launch needs --trace or"));
  EXPECT_THAT(err("run wpnm --launch 1 --timeline " + out + ".svg"),
              HasSubstr("--launch needs a kernel model"));
  EXPECT_THAT(err("--model radix_shared --trace " + out + ".jsonl"),
              HasSubstr("need --trace-steps FIRST:LAST"));
  EXPECT_THAT(err("--model radix_shared --trace-steps 9:5 --timeline " + out + ".svg"),
              HasSubstr("expected FIRST:LAST"));
}

// The last event of a cut-off run is a line over all tracks.
json last_event(const std::string& path) {
  return json::parse(file_text(path))["traceEvents"].back();
}

TEST(CutOffPicture, ARunThatReachesItsLimitIsMarked) {
  const std::string folder = scratch_folder(), svg = folder + "/a.svg", trace = folder + "/a.json";
  const std::string outputs = " -q --timeline " + svg + " --trace " + trace;
  ASSERT_EQ(run_program("run wpnm --set W=8 --set xa=9 --max-steps 60" + outputs).code, 5);
  EXPECT_THAT(file_text(svg), HasSubstr("The run was cut off here: it reached the limit"));
  EXPECT_EQ(last_event(trace)["ph"], "i");
  EXPECT_EQ(last_event(trace)["ts"], 60);
  const json data = json::parse(file_text(trace))["otherData"];
  EXPECT_EQ(data["outcome"], "limit");
  EXPECT_EQ(data["cut_off"], true);
  ASSERT_EQ(run_program("--model radix_shared --max-steps 2000" + outputs).code, 5);
  EXPECT_THAT(file_text(svg), HasSubstr("The run was cut off here"));
  EXPECT_EQ(last_event(trace)["ts"], 2000);
  EXPECT_THAT(file_text(svg), HasSubstr("so its share of the steps is not known"));
}

TEST(CutOffPicture, ALimitBehindTheWindowIsToldToo) {
  const std::string folder = scratch_folder(), svg = folder + "/a.svg";
  ASSERT_EQ(run_program("run wpnm -q --set xa=99 --max-steps 300 --timeline " + svg).code, 5);
  EXPECT_THAT(file_text(svg), HasSubstr("The run was cut off after this window"));
  ASSERT_EQ(run_program("run wpnm -q --set xa=99 --timeline " + svg).code, 0);
  EXPECT_THAT(file_text(svg), Not(HasSubstr("cut off")));
}

TEST(CutOffPicture, ARunThatGetsStuckIsMarked) {
  const std::string folder = scratch_folder(), svg = folder + "/a.svg", trace = folder + "/a.json";
  // Nothing moves the token of the goal's place.
  write_text(folder + "/t.json", R"({"kind": "net-template", "version": 1, "name": "n",
    "parameters": [{"name": "W", "default": 2, "unit": "warps", "meaning": "m", "source": "s"}],
    "scopes": [{"name": "warp", "count": "W"}],
    "places": [{"name": "a", "scope": "warp", "tokens": 3}, {"name": "b", "scope": "warp"}],
    "transitions": [{"name": "t", "scope": "warp", "takes": ["a"], "gives": ["b"]}],
    "until": ["b=0", "a=0"],
    "observables": {"warp_states": {"states": [{"name": "left", "places": ["a"]}]}}})");
  const ProgramResult run =
      run_program("run " + folder + "/t.json -q --timeline " + svg + " --trace " + trace);
  ASSERT_EQ(run.code, 1) << run.err;
  EXPECT_THAT(file_text(svg), HasSubstr("The run got stuck here"));
  EXPECT_EQ(json::parse(file_text(trace))["otherData"]["outcome"], "dead");
  EXPECT_EQ(last_event(trace)["cat"], "cut off");
}

}  // namespace
}  // namespace pnsim
