// `experiment report` of folders that were damaged: exit 3 with file and line, never a crash or an
// endless loop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "simulator/base/json.h"
#include "tests/base/temp_folder.h"
#include "tests/cli/program.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

// A copy of a run that a report can be made of.
class DamagedFolder {
 public:
  DamagedFolder() {
    for (const char* file : {"run.json", "points.jsonl", "grid.jsonl"}) {
      folder_.write(file, file_text(std::string(PNSIM_TEST_DATA) + "/experiment_run/" + file));
    }
  }

  // `what` of the file, at its first place, becomes `by`.
  void replace(const std::string& file, const std::string& what, const std::string& by) const {
    std::string text = folder_.read(file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    folder_.write(file, text.replace(at, what.size(), by));
  }

  void expect_refused(const std::string& says) const {
    const ProgramResult result = run_program("report " + folder_.path());
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr(folder_.path() + "/" + says));
  }

  const test::TempFolder folder_;
};

TEST(DamagedFolder, AWholeOneHasAReport) {
  const DamagedFolder run;
  EXPECT_EQ(run_program("report " + run.folder_.path()).code, 0);
}

TEST(DamagedFolder, AScaleOfNothingIsRefused) {
  for (const char* scale : {"0", "1e-300", "-1", "1e300", "null"}) {
    const DamagedFolder run;
    std::string text = run.folder_.read("run.json");
    InputJson json = parse_json(text, "run.json");
    json["time_scale"]["us_per_step"] = InputJson::parse(scale);
    run.folder_.write("run.json", json.dump());
    run.expect_refused("run.json: /time_scale/us_per_step: found ");
  }
}

TEST(DamagedFolder, PointsWithoutAnAxisAreRefusedWithTheirLine) {
  const DamagedFolder run;
  run.replace("points.jsonl", "\"block\":64", "\"blok\":64");
  run.expect_refused("points.jsonl: line 1: /axes: no axis \"block\"");
  const DamagedFolder other;
  other.replace("points.jsonl", "\"block\":64", "\"block\":64,\"tile\":1");
  other.expect_refused("points.jsonl: line 1: /axes/tile: unknown axis \"tile\"");
}

TEST(DamagedFolder, CellsOfAnotherGridAreRefusedWithTheirLine) {
  const DamagedFolder renamed;
  renamed.replace("grid.jsonl", "\"l2\":", "\"l3\":");
  renamed.expect_refused("grid.jsonl: line 1: /parameters: no parameter \"l2\"");
  const DamagedFolder empty;
  empty.folder_.write("grid.jsonl", "\n" + empty.folder_.read("grid.jsonl"));
  empty.replace("grid.jsonl", "\"l1\":10,", "");
  empty.expect_refused("grid.jsonl: line 2: /parameters: no parameter \"l1\"");
}

TEST(DamagedFolder, AnotherGridInTheRunIsRefused) {
  const DamagedFolder renamed;
  renamed.replace("run.json", "l1=[10,20]", "l9=[10,20]");
  renamed.expect_refused("grid.jsonl: line 1: /parameters: no parameter \"l9\"");
  const DamagedFolder smaller;
  smaller.replace("run.json", "l1=[10,20]", "l1=[10]");
  smaller.expect_refused("grid.jsonl: line 3: /parameters: found l1=20 l2=1, which is no cell");
}

TEST(DamagedFolder, TimesBeyondReasonAreRefused) {
  const DamagedFolder run;
  InputJson row = parse_json(
      run.folder_.read("points.jsonl").substr(0, run.folder_.read("points.jsonl").find('\n')),
      "row");
  row["measured_us"]["value"] = 1e300;
  run.folder_.write("points.jsonl", row.dump() + "\n");
  run.expect_refused("points.jsonl: line 1: /measured_us/value");
}

TEST(DamagedFolder, ComparedPointsWithoutATimeAreRefusedWithTheirLine) {
  for (const char* time : {"null", "{\"value\":0,\"p05\":0,\"p95\":0,\"source\":\"x\"}",
                           "{\"value\":1e-308,\"p05\":0,\"p95\":0,\"source\":\"x\"}",
                           "{\"value\":null,\"p05\":0,\"p95\":0,\"source\":\"x\"}"}) {
    const DamagedFolder run;
    run.replace("points.jsonl",
                "{\"value\":2.0,\"p05\":1.98,\"p95\":2.02,\"source\":\"results/toy row t00\"}",
                time);
    run.expect_refused("points.jsonl: line 1: /measured_us");
  }
}

TEST(DamagedFolder, PointsInAnotherOrderAreRefusedWithTheirLine) {
  const DamagedFolder run;
  const std::string text = run.folder_.read("points.jsonl");
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  run.folder_.write("points.jsonl", text.substr(first, second - first) + text.substr(0, first) +
                                        text.substr(second));
  run.expect_refused(
      "points.jsonl: line 1: found the point program=toy_a block=128 n=4096, expected "
      "program=toy_a block=64 n=4096");
  run.folder_.write("points.jsonl", text.substr(0, second));
  run.expect_refused("points.jsonl: found 2 rows, expected the 16 points");
}

TEST(DamagedFolder, CellsInAnotherOrderGiveTheSameReport) {
  const DamagedFolder run;
  const std::string before = run_program("report " + run.folder_.path()).out;
  const std::string plot = run.folder_.read("grid.svg");
  const std::string text = run.folder_.read("grid.jsonl");
  const std::size_t first = text.find('\n') + 1;
  run.folder_.write("grid.jsonl", text.substr(first) + text.substr(0, first));
  EXPECT_EQ(run_program("report " + run.folder_.path()).out, before);
  EXPECT_EQ(run.folder_.read("grid.svg"), plot);
  run.folder_.write("grid.jsonl", text + text.substr(0, first));
  run.expect_refused("grid.jsonl: line 5: /parameters: a second row of l1=10 l2=1");
}

// Every form says so, and the plot of an earlier report goes.
TEST(DamagedFolder, AnIncompleteGridIsMarked) {
  const DamagedFolder run;
  ASSERT_EQ(run_program("report " + run.folder_.path()).code, 0);
  ASSERT_NE(run.folder_.read("grid.svg"), "");
  const std::string text = run.folder_.read("grid.jsonl");
  run.folder_.write("grid.jsonl", text.substr(text.find('\n') + 1));
  const ProgramResult result = run_program("report " + run.folder_.path());
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string says = "the run did not come to its end: 3 of 4 cells of the grid";
  EXPECT_THAT(result.out, HasSubstr(says));
  EXPECT_THAT(result.err, HasSubstr(says));
  EXPECT_THAT(run.folder_.read("report.md"), HasSubstr(says));
  EXPECT_THAT(run.folder_.read("summary.json"), HasSubstr(says));
  EXPECT_FALSE(std::filesystem::exists(run.folder_.path() + "/grid.svg"));
  run.folder_.write("grid.jsonl", "");
  EXPECT_THAT(run_program("report " + run.folder_.path()).out, HasSubstr("0 of 4 cells"));
  EXPECT_FALSE(std::filesystem::exists(run.folder_.path() + "/grid.csv"));
}

TEST(DamagedFolder, AReportAsHtmlLeavesTheFolderAsItIs) {
  const DamagedFolder run;
  run.folder_.write("report.md", "my notes");
  const test::TempFolder other;
  const ProgramResult result =
      run_program("report " + run.folder_.path() + " -q --html " + other.path() + "/r.html");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(other.read("r.html"), HasSubstr("<h2>"));
  EXPECT_EQ(run.folder_.read("report.md"), "my notes");
  EXPECT_FALSE(std::filesystem::exists(run.folder_.path() + "/summary.json"));
}

// A row of results with a value of another type.
TEST(DamagedRows, AreRefusedWithTheirLineByEveryReader) {
  const ToyRoot root;
  root.write("results/toy/zz.jsonl",
             "{\"id\":\"a\",\"kind\":\"time_scale\",\"net\":\"x\"}\n{\"id\":\"x\",\"kind\":5}\n");
  const std::string says = "zz.jsonl: line 2: /kind: found 5, expected a string";
  for (const char* command : {"table modes --device toy", "table sorting --device toy",
                              "repeat --device toy", "calibrate --profile --device toy"}) {
    const ProgramResult result = run_program(command + std::string(" --json=/dev/null"));
    EXPECT_EQ(result.code, 3) << command << result.err;
    EXPECT_THAT(result.err, HasSubstr(says)) << command;
  }
  const ProgramResult doctor = run_program("doctor");
  EXPECT_EQ(doctor.code, 0) << doctor.err;
  EXPECT_THAT(doctor.out, HasSubstr(says));
  root.write("own.jsonl", "{\"id\":\"x\",\"kind\":5}\n");
  const ProgramResult repeat =
      run_program("repeat " + root.path("own.jsonl") + " " + root.path("own.jsonl"));
  EXPECT_EQ(repeat.code, 3) << repeat.err;
  EXPECT_THAT(repeat.err, HasSubstr("own.jsonl: line 1: /kind"));
}

// The name of a spec is that of the folder of its results.
TEST(SpecNames, ThatLeaveTheFolderOfResultsAreRefused) {
  const ToyRoot root;
  for (const std::string name : {"../elsewhere", "a/b", "..", ""}) {
    InputJson spec = parse_json(ToyRoot::spec(), "spec");
    spec["name"] = name;
    root.write("own.json", spec.dump());
    const ProgramResult result = run_program("show " + root.path("own.json"));
    EXPECT_EQ(result.code, 3) << name;
    EXPECT_THAT(result.err, HasSubstr("own.json: /name: found "));
  }
}

TEST(DamagedFolder, ANameThatIsTooLongIsBadInput) {
  const std::string name(5000, 'n');
  for (const std::string command : {"report ", "run ", "show ", "validate "}) {
    const ProgramResult result = run_program(command + name);
    EXPECT_EQ(result.code, 3) << command << result.err.substr(0, 300);
    EXPECT_NE(result.err, "") << command;
  }
}

}  // namespace
}  // namespace pnsim::experiments
