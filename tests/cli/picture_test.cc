// Tests pictures of a run: Chrome traces and timelines.
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/golden.h"

namespace pnsim {
namespace {

using nlohmann::json;

// "track: name from-to, ..." of every track of a Chrome trace.
std::map<std::string, std::string> tracks_of(const std::string& path) {
  const json trace = json::parse(file_text(path));
  std::map<std::pair<int, int>, std::string> names;
  std::map<std::string, std::string> tracks;
  for (const json& event : trace["traceEvents"]) {
    const std::pair key(event["pid"].get<int>(), event["tid"].get<int>());
    if (event["ph"] == "M") {
      if (event["name"] == "thread_name") names[key] = event["args"]["name"];
      continue;
    }
    const int from = event["ts"], to = from + event["dur"].get<int>();
    std::string& track = tracks[names.at(key)];
    track += (track.empty() ? "" : ", ") + event["name"].get<std::string>() + " " +
             std::to_string(from) + "-" + std::to_string(to);
  }
  return tracks;
}

const std::string kLone = "run wpnm -q --set W=1 --set S=1 --set l1=3 --set l2=2 ";

TEST(PnsimPicture, ALoneWarpShowsEachInstructionAsTheNetHasIt) {
  const std::string path = scratch_folder() + "/t.json";
  ASSERT_EQ(run_program(kLone + "--set xs=0 --set xg=0 --trace " + path).code, 0);
  auto tracks = tracks_of(path);
  EXPECT_EQ(tracks["warp 0"],
            "selecting 0-1, waiting for a scheduler 1-2, arithmetic 2-4, "
            "selecting 4-5");
  EXPECT_EQ(tracks["scheduler 0"], "idle 0-2, warp 0: arithmetic 2-4, idle 4-5");
  ASSERT_EQ(run_program(kLone + "--set xa=0 --set xg=0 --trace " + path).code, 0);
  tracks = tracks_of(path);
  EXPECT_EQ(tracks["warp 0"],
            "selecting 0-1, waiting for a scheduler 1-2, shared 2-7, "
            "selecting 7-8");
  EXPECT_EQ(tracks["scheduler 0"], "idle 0-2, warp 0: shared 2-7, idle 7-8") << "stays held";
  ASSERT_EQ(run_program(kLone + "--set xa=0 --set xs=0 --trace " + path).code, 0);
  tracks = tracks_of(path);
  EXPECT_EQ(tracks["warp 0"],
            "selecting 0-1, waiting for a scheduler 1-2, global 2-8, "
            "selecting 8-9");
  EXPECT_EQ(tracks["scheduler 0"], "idle 0-2, warp 0: global 2-3, idle 3-9") << "given back";
}

TEST(PnsimPicture, SchedulersAreNeverHeldTwiceAndFitTheIdleStepsOfTheRun) {
  const std::string path = scratch_folder() + "/t.json";
  const std::string run = "run wpnm --set W=9 --set S=3 --set xa=6 --set xs=3 --set xg=2";
  ASSERT_EQ(run_program(run + " -q --trace " + path).code, 0);
  const json report = json::parse(run_program(run + " --json").out);
  const json trace = json::parse(file_text(path));
  std::map<std::pair<int, int>, int> covered;          // per track
  std::map<std::pair<int, std::string>, int> holders;  // (step, warp)
  int held = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const int dur = event["dur"];
    covered[{event["pid"], event["tid"]}] += dur;
    if (event["pid"] != 2 || event["cat"] == "idle") continue;
    held += dur;
    const std::string name = event["name"];
    for (int i = 0; i < dur; ++i) {
      ++holders[{event["ts"].get<int>() + i, name.substr(0, name.find(':'))}];
    }
  }
  const int steps = report["steps"]["mean"];
  EXPECT_EQ(covered.size(), 12u);
  for (const auto& [track, sum] : covered) EXPECT_EQ(sum, steps);
  for (const auto& [key, count] : holders) EXPECT_EQ(count, 1) << key.first << key.second;
  // Each instruction (11 per warp) acquires its scheduler by t1 one step before its bar begins.
  EXPECT_EQ(3 * steps - held - 9 * 11, report["idle_scheduler_steps"]["mean"].get<int>());
}

TEST(PnsimPicture, AWindowShowsThoseStepsAsTheWholeDoes) {
  const std::string folder = scratch_folder();
  const std::string run = "run wpnm -q --set W=3 --trace " + folder;
  ASSERT_EQ(run_program(run + "/a.json --trace-steps 5:9").code, 0);
  const json window = json::parse(file_text(folder + "/a.json"));
  EXPECT_EQ(window["otherData"]["steps"], json({5, 10}));
  for (const json& event : window["traceEvents"]) {
    if (event["ph"] != "X") continue;
    EXPECT_GE(event["ts"].get<int>(), 5);
    EXPECT_LE(event["ts"].get<int>() + event["dur"].get<int>(), 10);
  }
  ASSERT_EQ(run_program(run + "/w.jsonl --trace-steps 5:9").code, 0);
  ASSERT_EQ(run_program(run + "/a.jsonl").code, 0);
  const std::string whole = file_text(folder + "/a.jsonl"), part = file_text(folder + "/w.jsonl");
  EXPECT_EQ(std::count(part.begin(), part.end(), '\n'), 5);
  EXPECT_TRUE(part.starts_with("{\"step\":5,"));
  EXPECT_NE(whole.find(part), std::string::npos);
}

TEST(PnsimPicture, TheTimelineIsTheGoldenOne) {
  const std::string path = scratch_folder() + "/t.svg";
  const std::string run =
      "run wpnm -q --set W=4 --set S=2 --set l1=6 --set xa=2 --timeline " + path;
  ASSERT_EQ(run_program(run).code, 0);
  expect_golden("timeline.svg", file_text(path));
}

TEST(PnsimPicture, TheTimelineDrawsTheFirst200StepsAnd128Warps) {
  const std::string path = scratch_folder() + "/t.svg";
  ASSERT_EQ(run_program("run wpnm -q --set W=200 --set xa=9 --timeline " + path).code, 0);
  const std::string svg = file_text(path);
  EXPECT_NE(svg.find("steps 0 to 199"), std::string::npos);
  EXPECT_NE(svg.find("the first 128 of 200 warps"), std::string::npos);
  EXPECT_NE(svg.find(">warp 127<"), std::string::npos);
  EXPECT_EQ(svg.find(">warp 128<"), std::string::npos);
  EXPECT_NE(svg.find("scheduler 3"), std::string::npos);
}

TEST(PnsimPicture, ANetThatNamesNoStatesIsRefused) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("convert wpnm -o " + folder + "/n.json").code, 0);
  write_text(folder + "/t.json", R"({"kind": "net-template", "version": 1, "name": "n",
    "places": [{"name": "a", "tokens": 1}], "transitions": [{"name": "t", "takes": ["a"]}]})");
  for (const char* net : {"/n.json", "/t.json"}) {
    for (const char* flag : {" --trace ", " --timeline "}) {
      const std::string out = folder + (flag[4] == 'r' ? "/x.json" : "/x.svg");
      const ProgramResult result = run_program("run " + folder + net + flag + out);
      EXPECT_EQ(result.code, 3);
      EXPECT_NE(result.err.find("declares no states of its warps"), std::string::npos)
          << result.err;
      EXPECT_FALSE(std::filesystem::exists(out));
    }
  }
}

TEST(PnsimPicture, InvalidUsageIsReported) {
  const std::string out = scratch_folder() + "/t";
  const auto code = [&](const std::string& flags) { return run_program("run wpnm " + flags).code; };
  EXPECT_EQ(code("--trace " + out + ".txt"), 2);
  EXPECT_EQ(code("--timeline " + out + ".png"), 2);
  EXPECT_EQ(code("--trace-steps 1:2"), 2);
  for (const char* window : {"5", "9:5", "a:b", "1:2:3", ":4"}) {
    EXPECT_EQ(code("--trace " + out + ".json --trace-steps " + window), 2) << window;
  }
  EXPECT_EQ(code("--set xa=5000 --timeline " + out + ".svg --trace-steps 0:9000"), 2);
  EXPECT_EQ(code("--set W=64 --set S=64 --set xa=8000 --trace " + out + ".json"), 5)
      << "too many bars";
}

TEST(PnsimPicture, AWindowAfterTheEndIsSaid) {
  const std::string out = scratch_folder() + "/t";
  // The last number that fits, and an ordinary one.
  for (const std::string window : {"18446744073709551615:18446744073709551615", "5000:5001"}) {
    for (const std::string& flag :
         {"--timeline " + out + ".svg", "--trace " + out + ".json", "--trace " + out + ".jsonl"}) {
      const ProgramResult result =
          run_program("run wpnm --set W=1 --set xa=2 " + flag + " --trace-steps " + window);
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_NE(result.err.find("--trace-steps " + window + ": the run ended"), std::string::npos)
          << flag << result.err;
    }
  }
  EXPECT_EQ(run_program("run wpnm --set W=1 --set xa=2 -q --timeline " + out +
                        ".svg --trace-steps 0:5000")
                .err,
            "")
      << "a window that only ends later is complete";
}

}  // namespace
}  // namespace pnsim
