#include "experiments/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/report/report.h"
#include "experiments/run/earlier_run.h"
#include "experiments/spec/time_scale.h"
#include "simulator/base/error.h"
#include "simulator/base/rows.h"
#include "tests/base/error_of.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using test::error_of;
using testing::HasSubstr;

RunRequest request_in(const ToyRoot& root, const std::string& folder = "out") {
  RunRequest request;
  request.spec = load_spec("toy");
  request.compare = CompareMode::kRecorded;
  request.folder = root.path(folder);
  request.options.threads = 1;
  request.command = "experiment run toy";
  return request;
}

// A command of its own: what the test or an earlier command has read is no input of it.
RunResults run_as_command(const RunRequest& request) {
  forget_inputs();
  return run_experiment(request);
}

TEST(Runner, PredictsEveryPointAndFindsItsTime) {
  const ToyRoot root;
  const RunResults results = run_experiment(request_in(root));
  ASSERT_EQ(results.points.size(), 16u);
  EXPECT_EQ(results.points[0].point.program, "toy_a");
  EXPECT_NEAR(results.points[0].measured_us, 3.064, 1e-9);
  for (const PointResult& p : results.points) EXPECT_GT(p.steps, 0);
  EXPECT_EQ(results.info.parameters, (ParameterValues{{"S", {4}}, {"l1", {20}}, {"l2", {2}}}));
  EXPECT_EQ(results.cells.size(), 4u);
}

// n = 4096, block 64: 8 blocks on 2 SMs, 4 on the busiest, all resident: one wave of 8 warps.
// n = 8192: 8 blocks on the busiest SM, two full waves like the one before.
TEST(Runner, TwiceTheWavesAreTwiceTheSteps) {
  const ToyRoot root;
  const RunResults results = run_experiment(request_in(root));
  EXPECT_EQ(results.points[2].steps, 2 * results.points[0].steps);
}

// n = 4096, block 64: 8 warps on the busiest SM, with 4 + 1 instructions each in toy_a and 8 + 2 in
// toy_b.
TEST(Runner, CountsTheInstructionsOfTheBusiestSm) {
  const ToyRoot root;
  const RunResults results = run_experiment(request_in(root));
  EXPECT_EQ(results.points[0].instructions, 40);
  EXPECT_EQ(results.points[2].instructions, 80);  // twice as large an n
  EXPECT_EQ(results.points[8].instructions, 80);  // toy_b
  EXPECT_EQ(load_rows(root.path("out/points.jsonl"))[8]["busiest_sm_instructions"], 80);
  EXPECT_EQ(load_results(root.path("out")).points[8].instructions, 80);
}

TEST(Runner, TheScaleIsFittedOnTheTrainingPoints) {
  const ToyRoot root;
  const RunResults results = run_experiment(request_in(root));
  ASSERT_TRUE(results.info.scale.has_value());
  EXPECT_DOUBLE_EQ(results.info.scale->us_per_step, fit_us_per_step(results.points));
}

TEST(Runner, LeavesRowsThatGiveTheSameResults) {
  const ToyRoot root;
  const RunResults results = run_experiment(request_in(root));
  const RunResults loaded = load_results(root.path("out"));
  EXPECT_EQ(report_text(loaded, true), report_text(results, true));
  EXPECT_EQ(points_csv(loaded), points_csv(results));
  EXPECT_EQ(grid_csv(loaded), grid_csv(results));
}

TEST(Runner, ARowOfAPointIsWhatARunPrintsWithIdAndAxes) {
  const ToyRoot root;
  run_experiment(request_in(root));
  const InputJson row = load_rows(root.path("out/points.jsonl"))[3];
  for (const char* key : {"id", "kind", "axes", "training", "model", "net", "device", "engine",
                          "seed", "replicas", "parameters", "outcome", "steps", "firings",
                          "launches", "time_us", "measured_us", "error"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_EQ(row["axes"].dump(), R"({"block":128,"n":8192,"program":"toy_a"})");
  EXPECT_EQ(row["measured_us"]["source"], "results/toy row toy_a8192-128");
}

TEST(Runner, RowsDoNotDependOnTheThreads) {
  const ToyRoot root;
  RunRequest request = request_in(root, "one");
  run_experiment(request);
  request.folder = root.path("three");
  request.options.threads = 3;
  run_experiment(request);
  for (const char* name : {"points.jsonl", "grid.jsonl"}) {
    EXPECT_EQ(root.read(std::string("one/") + name), root.read(std::string("three/") + name));
  }
}

TEST(Runner, ResumeKeepsCellsAndEndsWithTheSameRows) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  run_as_command(request);
  const std::string whole = root.read("out/grid.jsonl");
  const std::vector<InputJson> rows = load_rows(root.path("out/grid.jsonl"));
  // Simulates an interruption: only the third cell exists. Changed steps show that it is kept.
  InputJson third = rows[2];
  third["steps"][0] = 12345.0;
  root.write("out/grid.jsonl", third.dump() + "\n");
  request.resume = true;
  const RunResults results = run_as_command(request);
  EXPECT_EQ(results.cells[2].steps[0], 12345.0);
  EXPECT_EQ(results.cells[1].steps[0], rows[1]["steps"][0].get<double>());
  request.resume = false;
  run_as_command(request);
  EXPECT_EQ(root.read("out/grid.jsonl"), whole);
}

TEST(Runner, LiveTimesAreNotDiscarded) {
  const ToyRoot root;
  std::filesystem::create_directories(root.path("out"));
  root.write("out/times.jsonl", ToyRoot::times("toy_a", 3.0));
  NewRun run{"toy", true, true, false};
  EXPECT_THAT(error_of(ExitCode::kUsage, [&] { check_earlier_run(root.path("out"), run); }),
              HasSubstr("times.jsonl: found 8 live times of an earlier run"));
  run.is_resumed = true;
  EXPECT_NO_THROW(check_earlier_run(root.path("out"), run));
  EXPECT_NO_THROW(check_earlier_run(root.path("out"), {"toy", true, false, false}));
}

TEST(Runner, ResumeRefusesARowOfTooFewStepsAndDropsOneOfOtherParameters) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  run_as_command(request);
  const std::string whole = root.read("out/grid.jsonl");
  InputJson row = load_rows(root.path("out/grid.jsonl"))[0];
  request.resume = true;
  InputJson edited = row;
  edited["parameters"].begin().value() = 21;
  root.write("out/grid.jsonl", edited.dump() + "\n" + whole.substr(0, 30));
  run_as_command(request);
  EXPECT_EQ(root.read("out/grid.jsonl"), whole) << "neither the edited nor the cut-off row is kept";
  row["steps"] = {1};
  root.write("out/grid.jsonl", row.dump() + "\n");
  EXPECT_THAT(error_of(ExitCode::kBadInput, [&] { run_as_command(request); }),
              HasSubstr("expected one for each of"));
}

TEST(Runner, RowsOfAnotherSeedAreNotKept) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  run_as_command(request);
  const std::string first = load_rows(root.path("out/grid.jsonl"))[0]["id"];
  request.resume = true;
  request.options.seed = 2;
  run_as_command(request);
  const std::vector<InputJson> rows = load_rows(root.path("out/grid.jsonl"));
  EXPECT_EQ(rows.size(), 4u);
  EXPECT_NE(rows[0]["id"], first);
}

TEST(Runner, ReplicasGiveTheirMean) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  request.spec.grid.clear();
  request.options.replicas = 3;
  const RunResults results = run_experiment(request);
  const InputJson row = load_rows(root.path("out/points.jsonl"))[0];
  EXPECT_NEAR(row["steps"]["mean"].get<double>(), results.points[0].steps, 1e-9);
  EXPECT_TRUE(row["steps"]["stddev"].is_number());
  EXPECT_TRUE(results.cells.empty());
}

TEST(Runner, APointWithoutARecordedTimeEndsWithItsName) {
  const ToyRoot root;
  root.write("results/toy/times.jsonl", ToyRoot::times("toy_a", 3.0));
  EXPECT_THAT(error_of(ExitCode::kUnavailable, [&] { run_experiment(request_in(root)); }),
              HasSubstr("toy_b block=64 n=4096: no warm time is recorded in results/toy"));
}

TEST(Runner, APointThatWasNotProfiledEndsWithTheNearest) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  override_axes(request.spec, {parse_axis("block=[64,96]")});
  EXPECT_THAT(error_of(ExitCode::kUnavailable, [&] { run_experiment(request); }),
              HasSubstr("block=96"));
}

TEST(Runner, LiveWithoutAGpuIsRefusedWithTheWayOut) {
  if (!gpu::unavailable_reason()) GTEST_SKIP() << "there is a GPU here";
  const ToyRoot root;
  RunRequest request = request_in(root);
  request.compare = CompareMode::kLive;
  EXPECT_THAT(error_of(ExitCode::kUnavailable, [&] { run_experiment(request); }),
              HasSubstr("--compare-gpu=recorded"));
}

TEST(Runner, AutoWithoutAGpuTakesRecordedTimesAndSaysWhy) {
  if (!gpu::unavailable_reason()) GTEST_SKIP() << "there is a GPU here";
  const ToyRoot root;
  RunRequest request = request_in(root);
  request.compare = CompareMode::kAuto;
  const RunResults results = run_experiment(request);
  EXPECT_EQ(results.info.comparison.source, CompareMode::kRecorded);
  EXPECT_EQ(results.info.comparison.reason, *gpu::unavailable_reason());
}

TEST(Runner, WithoutComparingThereIsNoGridAndNoTime) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  request.compare = CompareMode::kNone;
  const RunResults results = run_experiment(request);
  EXPECT_TRUE(results.cells.empty());
  EXPECT_FALSE(results.info.scale.has_value());
  EXPECT_TRUE(load_rows(root.path("out/points.jsonl"))[0]["measured_us"].is_null());
}

TEST(Runner, AnUnknownParameterOfTheGridIsNamed) {
  const ToyRoot root;
  RunRequest request = request_in(root);
  request.spec.grid = {parse_axis("l3=[1,2]")};
  EXPECT_THAT(error_of(ExitCode::kUsage, [&] { run_experiment(request); }), HasSubstr("l3"));
}

TEST(Runner, ProgramsMustAgreeOnTheNetsParameters) {
  const ToyRoot root;
  InputJson model = parse_json(root.read("models/toy_b.json"), "toy_b");
  model["parameters"]["S"] = 2;
  root.write("models/toy_b.json", model.dump());
  EXPECT_THAT(error_of(ExitCode::kBadInput, [&] { run_experiment(request_in(root)); }),
              HasSubstr("one time scale needs equal ones"));
}

Json scale_row(const ParameterValues& setting) {
  const Suite suite(load_spec("toy"));
  RunOptions options;
  options.threads = 1;
  return time_scale_row(suite, setting, RecordedResults("toy"), options, "experiment calibrate");
}

TEST(TimeScaleRow, IsFoundAgainByNetAndParameters) {
  const ToyRoot root;
  const Json row = scale_row({{"l1", {20}}, {"l2", {2}}});
  root.write("results/toy/time_scale.jsonl", to_line(row) + "\n");
  const RecordedResults recorded("toy");
  const auto scale = recorded.scale("wpnm", {{"S", {4}}, {"l1", {20}}, {"l2", {2}}});
  ASSERT_TRUE(scale.has_value());
  EXPECT_DOUBLE_EQ(scale->us_per_step, row["us_per_step"].get<double>());
  EXPECT_FALSE(recorded.scale("wpnm", {{"S", {4}}, {"l1", {21}}, {"l2", {2}}}).has_value());
}

TEST(TimeScaleRow, IsTheScaleThatARunFits) {
  const ToyRoot root;
  const RunResults results = run_experiment(request_in(root));
  const Json row = scale_row({{"l1", {20}}, {"l2", {2}}});
  EXPECT_DOUBLE_EQ(row["us_per_step"].get<double>(), results.info.scale->us_per_step);
  EXPECT_EQ(row["points"], 8);  // n = 2^12 and 2^14
}

TEST(TimeScaleRow, ItsIdIsOfNetDeviceAndParameters) {
  const ToyRoot root;
  const Json row = scale_row({{"l1", {20}}, {"l2", {2}}});
  EXPECT_EQ(scale_row({{"l1", {20}}, {"l2", {2}}})["id"], row["id"]);
  EXPECT_NE(scale_row({{"l1", {10}}, {"l2", {2}}})["id"], row["id"]);
  for (const char* key : {"id", "kind", "net", "device", "parameters", "us_per_step", "points",
                          "rule", "seed", "replicas", "commit", "date", "command"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
}

}  // namespace
}  // namespace pnsim::experiments
