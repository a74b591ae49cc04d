// Tests the built program as a user runs it: exit codes, streams and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <tuple>

#include "simulator/base/gpu_probe.h"
#include "simulator/base/json.h"
#include "tests/cli/program.h"
#include "tests/experiments/validate/own_pages.h"
#include "tests/experiments/validate/validation_root.h"

namespace pnsim::experiments {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ExperimentCli, ListsAndShowsItsExperiments) {
  const ToyRoot root;
  const ProgramResult list = run_program("list");
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.out, HasSubstr("toy"));
  EXPECT_EQ(list.err, "");
  const ProgramResult show = run_program("show toy");
  EXPECT_EQ(show.code, 0);
  EXPECT_THAT(show.out, HasSubstr("axes (16 points)"));
  EXPECT_THAT(show.out, HasSubstr("8 points with even log2 of n"));
  EXPECT_EQ(run_program("show toy --json").code, 0);
}

TEST(ExperimentCli, ListsThePrograms) {
  const ProgramResult list = run_program("list --programs");
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.out, HasSubstr("matmul_tiled"));
  EXPECT_THAT(list.out, HasSubstr("time_step_milli=[5 ... 200]"));
  const ProgramResult json = run_program("list --programs --json");
  EXPECT_EQ(json.code, 0);
  const InputJson programs = parse_json(json.out, "list");
  ASSERT_EQ(programs.size(), 41u);
  EXPECT_EQ(programs[0]["name"], "radix_global");
  EXPECT_EQ(programs[0]["default"]["n"], 1 << 20);
  EXPECT_EQ(programs[6]["runs"], "cpu");
}

TEST(ExperimentCli, BadPointsAreTwoWithTheNearestNameOrTheRange) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"measure -a program=matmul_tild", "did you mean \"matmul_tiled\"?"},
      {"measure -a tyle=8", "did you mean \"tile\"?"},
      {"measure -a program=norm_group -a group=3", "expected one of 1, 2, 4, 8, 16, 32"},
      {"measure -a program=stability -a final_time=0", "expected 1 to 100"},
      {"measure -a program=sobel_tiled -a width=wide", "expected a whole number"},
      {"counts -a program=cub_radix", "has no own kernels to profile"},
  };
  for (const auto& [arguments, said] : refusals) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr(said));
    EXPECT_EQ(result.out, "");
  }
}

TEST(ExperimentCli, HelpAndVersionSucceed) {
  EXPECT_EQ(run_program("--help").code, 0);
  EXPECT_THAT(run_program("--version").out, StartsWith("experiment "));
  EXPECT_THAT(run_program("--help").out, Not(HasSubstr("profile-target")));
}

TEST(ExperimentCli, UsageErrorsAreTwo) {
  EXPECT_EQ(run_program("").code, 2);
  EXPECT_EQ(run_program("-q").code, 2);
  EXPECT_EQ(run_program("run toy --no-such-flag").code, 2);
  EXPECT_EQ(run_program("show").code, 2);
  EXPECT_EQ(run_program("run toy -j many").code, 2);
}

TEST(ExperimentCli, BadTablesRepeatsAndSpecsAreRefusedOneByOne) {
  const std::string row =
      R"({"id":"a","kind":"time","program":"p","mode":"warm","median_us":2,"ci95_us":[1,3],)"
      R"("device":{"name":"Toy GPU","driver":"1"},"commit":"c","date":"d"})";
  const std::string file = testing::TempDir() + "times_of_repeat.jsonl";
  std::ofstream(file) << row << "\n";
  const std::vector<std::tuple<std::string, int, std::string>> refusals = {
      {"table", 2, "NAME is required"},
      {"radix", 2, "it is an experiment: experiment run radix"},
      {"sweep wpnm", 2, "the program pnsim has it: pnsim sweep"},
      {"calibrate --net sm", 2, "its step is a cycle of the clock"},
      {"table homewrk", 2, "did you mean \"homework\"?"},
      {"table resons", 2, "did you mean \"reasons\"?"},
      {"table reasons --csv", 2, "for the tables report, launch-shape and rank"},
      {"table atomics --csv", 2, "for the tables report, launch-shape and rank"},
      {"table report --device h300", 3, "h300"},
      {"table heuristics --device h100", 2, "and scaling, not for heuristics; remove it"},
      {"table homework --from h100", 2, "--from is for the table scaling, not for homework"},
      {"table modes --replicas 3", 2, "--replicas is for the tables report, launch-shape, rank, "},
      {"table sorting -j 1", 2, "--threads is for the tables report"},
      {"table report --out x", 2, "--out is for the table atomics, not for report; remove it"},
      {"table scaling", 2, "expected another measured GPU than h200"},
      {"table devices --net wpnm", 2, "use --net sm"},
      {"device --name a/b", 2, "--name: found \"a/b\", expected letters, digits"},
      {"repeat " + file, 2, "expected two files"},
      {"repeat nothing.jsonl " + file, 3, "nothing.jsonl"},
      {"repeat --device none", 4, "no repeat is recorded"},
      {"counts --import raw.csv", 2, "needs its --manifest"},
      {"counts --import r.csv --manifest m.jsonl --source a.csv --source b.csv", 2,
       "for every --import"},
      {"counts --spec sobl", 3, "sobel"},
      {"counts --spec matmul -a block=8", 2, "block"},
      {"measure --spec matmul --samples -1", 2, "--samples"},
      {"run radix --replicas 010", 2, "--replicas: found \"010\""},
      {"validate --top 0x10", 2, "--top: found \"0x10\""},
  };
  for (const auto& [arguments, code, said] : refusals) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, code) << arguments << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(said)) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  }
  const ProgramResult same = run_program("repeat " + file + " " + file);
  EXPECT_EQ(same.code, 0);
  EXPECT_THAT(same.out, HasSubstr("100.0"));
}

TEST(ExperimentCli, AnUnknownCommandIsReportedWithTheNearest) {
  const ProgramResult result = run_program("reporrt");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean \"report\"?"));
  EXPECT_EQ(result.out, "");
}

TEST(ExperimentCli, AnUnknownSpecIsReportedWithTheNearest) {
  const ToyRoot root;
  const ProgramResult result = run_program("run tory");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("did you mean \"toy\"?"));
}

TEST(ExperimentCli, AnUnknownAxisIsReportedWithTheNearest) {
  const ToyRoot root;
  const ProgramResult result = run_program("run toy -a blok=[64] --out " + root.path("out"));
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean \"block\"?"));
  EXPECT_EQ(run_program("run toy -a n=[5:1] --out " + root.path("out")).code, 2);
  EXPECT_EQ(run_program("run toy -a n=[1:1000000000000] --out " + root.path("out")).code, 2);
}

TEST(ExperimentCli, RunsAndReportsTheSame) {
  const ToyRoot root;
  const std::string out = root.path("out");
  const ProgramResult run = run_program("run toy --compare-gpu=recorded --out " + out);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("experiment toy: measured times are RECORDED"));
  EXPECT_THAT(run.err, HasSubstr(out));
  const std::string report_md = root.read("out/report.md");
  const std::string plot = root.read("out/toy_a.svg");
  const ProgramResult report = run_program("report " + out);
  EXPECT_EQ(report.code, 0);
  EXPECT_EQ(report.out, run.out);
  EXPECT_EQ(root.read("out/report.md"), report_md);
  EXPECT_EQ(root.read("out/toy_a.svg"), plot);
}

TEST(ExperimentCli, CompareGpuDoesNotEatTheSpec) {
  const ToyRoot root;
  const ProgramResult result = run_program("run --compare-gpu toy --out " + root.path("out"));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("experiment toy: measured times are "));
}

TEST(ExperimentCli, AllRunsEverySpecIntoAFolderOfItsOwn) {
  const ToyRoot root;
  EXPECT_EQ(run_program("run all -q --out " + root.path("out")).code, 0);
  EXPECT_TRUE(std::filesystem::exists(root.path("out/toy/report.md")));
}

// The specs run in the order of their names: one before and one after the one that fails.
TEST(ExperimentCli, AFailingSpecOfAllDoesNotKeepTheOthersFromRunning) {
  const ToyRoot root;
  root.write("experiments/specs/after.json",
             replaced(ToyRoot::spec(), "\"name\":\"toy\"", "\"name\":\"after\""));
  root.write("experiments/specs/middle.json", "{\"kind\":\"experiment\"}");
  const std::string out = root.path("out");
  const ProgramResult result = run_program("run all --out " + out);
  EXPECT_EQ(result.code, 3) << "that of the failure: bad input";
  for (const char* name : {"after", "toy"}) {
    EXPECT_TRUE(std::filesystem::exists(out + "/" + name + "/report.md")) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(out + "/middle"));
  EXPECT_THAT(result.out, HasSubstr("\nSummary: 2 experiments, 32 points, 1 failed\n"));
  EXPECT_THAT(result.out, HasSubstr("\nFailed:\n  middle: "));
  EXPECT_THAT(result.err, HasSubstr("middle: " + root.path("experiments/specs/middle.json")));
}

TEST(ExperimentCli, TheCodeOfAllIsThatOfTheFirstFailure) {
  const ToyRoot root;
  root.write("experiments/specs/a_model.json",
             replaced(replaced(ToyRoot::spec(), "\"name\":\"toy\"", "\"name\":\"a_model\""),
                      "[toy_a,toy_b]", "[toy_gone]"));
  root.write("experiments/specs/b_broken.json", "{");
  const ProgramResult result = run_program("run all --out " + root.path("out"));
  EXPECT_THAT(result.out, HasSubstr("2 failed"));
  EXPECT_EQ(result.code, run_program("run a_model --out " + root.path("alone")).code);
  EXPECT_NE(result.code, 0);
  EXPECT_TRUE(std::filesystem::exists(root.path("out/toy/report.md")));
}

TEST(ExperimentCli, JsonAndCsvTakeThePlaceOfTheText) {
  const ToyRoot root;
  const std::string run = "run toy -q --compare-gpu=recorded --out " + root.path("out");
  const ProgramResult json = run_program(run + " --json");
  EXPECT_EQ(parse_json(json.out, "stdout")["points"], 16);
  EXPECT_EQ(json.err, "");
  const ProgramResult csv = run_program(run + " --csv");
  EXPECT_THAT(csv.out, StartsWith("program,n,block,training,steps"));
  EXPECT_EQ(run_program(run + " --json --csv").code, 2);
  const ProgramResult file = run_program(run + " --json=" + root.path("s.json"));
  EXPECT_EQ(parse_json(root.read("s.json"), "s.json")["points"], 16);
  EXPECT_THAT(file.out, StartsWith("experiment toy:"));
}

TEST(ExperimentCli, VerboseShowsAllPoints) {
  const ToyRoot root;
  const std::string run = "run toy -q --compare-gpu=recorded --out " + root.path("out");
  EXPECT_THAT(run_program(run).out, HasSubstr("6 more in points.csv"));
  EXPECT_THAT(run_program(run + " -v").out, Not(HasSubstr("more in points.csv")));
}

TEST(ExperimentCli, LiveWithoutAGpuIsFour) {
  if (cuda_device_count() > 0) GTEST_SKIP() << "there is a GPU here";
  const ToyRoot root;
  for (const char* command : {"run toy --compare-gpu=live --out ", "measure --out ", "counts -o ",
                              "devices --save -o ", "device --out "}) {
    const ProgramResult result = run_program(command + root.path("out"));
    EXPECT_EQ(result.code, 4) << command;
    EXPECT_THAT(result.err, HasSubstr("experiment: error: ")) << command;
    EXPECT_EQ(result.out, "");
  }
}

TEST(ExperimentCli, APointThatWasNotRecordedIsFour) {
  const ToyRoot root;
  const ProgramResult result = run_program("run toy -a n=[4096,5000] --out " + root.path("out"));
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("n=5000 was not recorded; the nearest one is block=64 n=4096"));
}

TEST(ExperimentCli, AFolderThatCannotBeWrittenIsSeventyFour) {
  const ToyRoot root;
  EXPECT_EQ(run_program("run toy --compare-gpu=recorded --out /dev/null/out").code, 74);
  root.write("file", "");
  EXPECT_EQ(run_program("run toy --out " + root.path("file")).code, 74);
  EXPECT_EQ(run_program("list --json=/dev/full").code, 74);
}

TEST(ExperimentCli, AReaderThatGoesAwayIsNotAnError) {
  const ToyRoot root;
  const std::string command = "(sleep 0.5; " + std::string(PNSIM_PROGRAM) + " list 2>" +
                              root.path("err") + "; echo $? >" + root.path("code") + ") | true";
  EXPECT_EQ(std::system(("bash -c '" + command + "'").c_str()), 0);  // waits for both processes
  EXPECT_EQ(root.read("code"), "141\n");
  EXPECT_EQ(root.read("err"), "");
}

TEST(ExperimentCli, CalibrateAppendsARowThatRunsThenUse) {
  const ToyRoot root;
  const ProgramResult first = run_program("calibrate toy");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("S=4 l1=20 l2=2"));
  EXPECT_THAT(root.read("results/toy/time_scale.jsonl"), HasSubstr("\"points\":8"));
  const ProgramResult run = run_program("run toy -q --out " + root.path("out"));
  EXPECT_THAT(run.out, HasSubstr("results/toy row "));
  EXPECT_THAT(run.out, HasSubstr("not compared with a GPU"));
}

TEST(ExperimentCli, AMissingTimeScaleIsNamedWithItsCommand) {
  const ToyRoot root;
  const ProgramResult run = run_program("run toy --out " + root.path("out"));
  EXPECT_THAT(run.out, HasSubstr("no time scale is recorded"));
  EXPECT_THAT(run.out, Not(HasSubstr("calibrate")));
  EXPECT_THAT(run.err, HasSubstr("this fits one: experiment calibrate --net wpnm --device toy -a "
                                 "S=4 -a l1=20 -a l2=2"));
  EXPECT_THAT(run.err, HasSubstr("stores it in results/toy/time_scale.jsonl"));
}

TEST(ExperimentCli, CalibrateKeepsOneRowOfEachId) {
  const ToyRoot root;
  const std::string file = "results/toy/time_scale.jsonl";
  ASSERT_EQ(run_program("calibrate toy").code, 0);
  const std::string first = root.read(file);
  ASSERT_EQ(run_program("calibrate toy -a l1=30").code, 0);
  ASSERT_EQ(run_program("calibrate toy --replicas 2").code, 0);
  const std::string rows = root.read(file);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2) << rows;
  EXPECT_THAT(rows, Not(HasSubstr(first)));
  EXPECT_THAT(rows, HasSubstr("\"replicas\":2"));
}

TEST(ExperimentCli, CalibrateTakesOtherParameters) {
  const ToyRoot root;
  const ProgramResult result =
      run_program("calibrate toy -a l1=[10,30] --json --out " + root.path("rows.jsonl"));
  const InputJson rows = parse_json(result.out, "stdout");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["parameters"].dump(), R"({"S":4,"l1":30,"l2":2})");
  EXPECT_THAT(root.read("rows.jsonl"), HasSubstr("\"l1\":10"));
}

TEST(ExperimentCli, DoctorAlwaysSucceeds) {
  const ToyRoot root;
  const ProgramResult result = run_program("doctor");
  EXPECT_EQ(result.code, 0);
  for (const char* what : {"CUDA in this build", "GPU", "profiler", "recorder", "kernel models",
                           "results/toy", "experiment calibrate"}) {
    EXPECT_THAT(result.out, HasSubstr(what));
  }
}

TEST(ExperimentCli, DevicesListsShippedProfilesWithoutTheirFacts) {
  const ToyRoot root;
  const ProgramResult result = run_program("devices");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, ContainsRegex("device +title +profile +last source +facts +recorded"));
  EXPECT_THAT(result.out, ContainsRegex("toy +Toy GPU +measured +[-0-9]+ +[0-9]+ +16"));
  EXPECT_THAT(result.out, Not(HasSubstr("schedulers_per_sm")));
  EXPECT_THAT(result.out, HasSubstr("The facts of one, each with its source: pnsim show toy"));
  EXPECT_EQ(parse_json(run_program("devices --json").out, "stdout")["profiles"].size(), 1u);
}

TEST(ExperimentCli, CountsNeedsAManifestForEveryPage) {
  const ToyRoot root;
  const ProgramResult result = run_program("counts --import raw.csv");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("--manifest"));
  EXPECT_EQ(run_program("counts --import raw.csv --manifest none.jsonl").code, 3);
}

TEST(ExperimentCli, ValidatesAllByEveryPredictor) {
  const ValidationRoot files;
  const std::string out = files.root.path("out");
  const ProgramResult text = run_program("validate --ablation --out " + out);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("experiment validate: measured times are RECORDED"));
  EXPECT_THAT(text.out, HasSubstr("sm without barrier"));
  EXPECT_THAT(text.err, HasSubstr(out));
  const ProgramResult json =
      run_program("validate toy -q -j 2 --mode warm,cold --json --out " + out);
  EXPECT_EQ(parse_json(json.out, "stdout")["points"].size(), 10u);
  EXPECT_EQ(json.err, "");
  EXPECT_EQ(files.root.read("out/summary.json"), json.out);
}

TEST(ExperimentCli, ValidateRefusesWhatItDoesNotKnow) {
  const ValidationRoot files;
  const std::string out = " --out " + files.root.path("out");
  const std::vector<std::tuple<std::string, int, std::string>> refusals = {
      {"validate tory", 3, "did you mean \"toy\"?"},
      {"validate toy --mode hot", 2, "--mode: unknown \"hot\""},
      {"validate toy --mode warm,warm", 2, "warm is given twice"},
      {"validate toy --nets sm,wpmn", 3, "did you mean \"wpnm\"?"},
      {"validate toy --device h300", 3, "h300"},
      {"validate toy --json --csv", 2, "--json"},
      {"validate toy --out /dev/null/out", 74, "/dev/null/out"},
  };
  for (const auto& [arguments, code, said] : refusals) {
    const ProgramResult result = run_program(arguments + (code == 74 ? "" : out));
    EXPECT_EQ(result.code, code) << arguments << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(said)) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  }
  files.root.write("results/toy/times.jsonl", "");
  const ProgramResult none = run_program("validate toy" + out);
  EXPECT_EQ(none.code, 4);
  EXPECT_THAT(none.err, HasSubstr("toy_a: no warm time is recorded"));
  EXPECT_THAT(none.err, HasSubstr("experiment measure"));
}

TEST(ExperimentCli, AReportOfNothingIsBadInput) {
  EXPECT_EQ(run_program("report /nowhere").code, 3);
}

}  // namespace
}  // namespace pnsim::experiments
