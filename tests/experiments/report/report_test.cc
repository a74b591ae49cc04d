#include "experiments/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A run of 16 points and a grid of 4 cells, with all its reports. After an intended change, run
// `experiment report tests/data/experiment_run` and read the difference.
const std::string kGolden = PNSIM_TEST_DATA "/experiment_run";

// Copies only the rows into a folder of the running test.
std::string rows_only() {
  const std::string folder = testing::TempDir() + "report_" +
                             testing::UnitTest::GetInstance()->current_test_info()->name();
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const char* name : {"run.json", "points.jsonl", "grid.jsonl"}) {
    fs::copy(kGolden + "/" + name, folder + "/" + name);
  }
  return folder;
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(Report, IsRebuiltFromTheRowsByteByByte) {
  const std::string folder = rows_only();
  write_report(folder, load_results(folder));
  EXPECT_EQ(files_in(folder), files_in(kGolden));
  for (const std::string& name : files_in(kGolden)) {
    EXPECT_EQ(read_file(folder + "/" + name), read_file(kGolden + "/" + name)) << name;
  }
}

TEST(Report, SaysInTheFirstAndLastLineWhereTheTimesComeFrom) {
  const std::string text = report_text(load_results(kGolden), false);
  const std::string source = "measured times are RECORDED ones: results/toy";
  EXPECT_THAT(text, StartsWith("experiment toy: " + source + "\n"));
  EXPECT_THAT(text, EndsWith("\n" + source + "\n"));
}

TEST(Report, SaysInEveryTitleWhereTheTimesComeFrom) {
  const RunResults results = load_results(kGolden);
  const Analysis analysis = analyse(results);
  std::vector<Section> sections = summary_sections(results, analysis);
  sections.push_back(points_section(results, analysis, 3));
  sections.push_back(choices_section(results, analysis));
  EXPECT_EQ(sections.size(), 9u);
  for (const Section& section : sections) EXPECT_THAT(section.title, HasSubstr("(recorded, toy)"));
}

TEST(Report, SaysWhyItIsNotLive) {
  RunResults results = load_results(kGolden);
  results.info.comparison.reason = "no driver";
  EXPECT_THAT(report_text(results, false), HasSubstr("no live run: no driver"));
  results.info.comparison = {CompareMode::kLive, "toy", ""};
  EXPECT_THAT(report_text(results, false), HasSubstr("are LIVE"));
  EXPECT_THAT(report_text(results, false), HasSubstr("(live, toy)"));
}

// 4000 steps of 2.167 ns are 8.668 us, 35.4 % over the 6.4 us measured: the largest error.
TEST(Report, ShowsTheWorstPointsFirst) {
  const RunResults results = load_results(kGolden);
  const std::string text = points_section(results, analyse(results), 2).text;
  const std::size_t first = text.find("16384    128  training   4000         8.668");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_LT(first, text.find("32768"));
  EXPECT_THAT(text, HasSubstr("14 more in points.csv"));
}

TEST(Report, MarksTheChosenCellAndTheReference) {
  const RunResults results = load_results(kGolden);
  const Analysis analysis = analyse(results);
  ASSERT_NE(analysis.best_cell(), nullptr);
  ASSERT_NE(analysis.reference_cell(), nullptr);
  EXPECT_EQ(analysis.best_cell()->parameters, (ParameterValues{{"l1", {10}}, {"l2", {2}}}));
  EXPECT_EQ(analysis.reference_cell()->parameters, (ParameterValues{{"l1", {20}}, {"l2", {2}}}));
  const std::string text = report_text(results, false);
  EXPECT_THAT(text, HasSubstr("best on training points"));
  EXPECT_THAT(text, HasSubstr("the paper's"));
}

// The time lost by the predicted best block size: 25 % at two of four sizes.
TEST(Report, AddsUpWhatTheChoiceOfTheBlockCosts) {
  const Analysis analysis = analyse(load_results(kGolden));
  EXPECT_DOUBLE_EQ(analysis.programs[0].best.hit_share, 0.5);
  EXPECT_NEAR(analysis.programs[0].best.mean_time_lost, 0.125, 1e-12);
}

// 1000 instructions at n = 4096 in toy_a, twice as many in toy_b, growing with n: the scale is 2 ns
// (ratios 2, 2.5, 2 and 1.6). Held-out points with blocks of 64 are exact; with blocks of 128 their
// errors are 0.2 and 0.25.
TEST(Report, PutsTheInstructionsAloneBesideTheNet) {
  const Analysis analysis = analyse(load_results(kGolden));
  EXPECT_EQ(analysis.guesses.instructions.points, 8u);
  EXPECT_NEAR(analysis.guesses.instructions.mean, 0.1125, 1e-9);
  EXPECT_NEAR(analysis.guesses.instructions.median, 0.1, 1e-9);
  EXPECT_NEAR(analysis.programs[1].guesses.instructions.mean, 0.1125, 1e-9);
}

// The instructions make toy_b the faster one at n = 32768, block 64: one of 4 held-out problems.
TEST(Report, RanksTheProgramsByTheirInstructionsToo) {
  RunResults results = load_results(kGolden);
  EXPECT_EQ(analyse(results).instructions.all.order_share, 1.0);
  results.points[14].instructions = 1;
  const Agreements instructions = analyse(results).instructions;
  EXPECT_EQ(instructions.held_out.order_share, 0.75);
  EXPECT_EQ(instructions.training.order_share, 1.0);
}

// Means sqrt(10) at 4096 and sqrt(102.4) at 16384, so sqrt(32) at 8192 and sqrt(327.68) at 32768.
// Errors against 4, 5, 8, 10 (the others repeat them): 0.4142, 0.1314, 0.2929, 0.4343.
TEST(Report, PutsTheSizeAloneBesideTheNet) {
  const Analysis analysis = analyse(load_results(kGolden));
  EXPECT_NEAR(analysis.guesses.size.mean, 0.225 * std::sqrt(2), 1e-9);
  EXPECT_NEAR(analysis.programs[0].guesses.size.mean, (0.4142 + 0.1314) / 2, 1e-4);
  EXPECT_NEAR(analysis.programs[1].guesses.size.median, (0.2929 + 0.4343) / 2, 1e-4);
}

TEST(Report, WithoutInstructionsInTheRowsShowsNoneOfThem) {
  RunResults results = load_results(kGolden);
  results.points[3].instructions = 0;
  const Analysis analysis = analyse(results);
  EXPECT_EQ(analysis.guesses.instructions.points, 0u);
  EXPECT_EQ(analysis.instructions.all.problems, 0u);
  EXPECT_TRUE(summary_json(results)["held_out_guesses"]["instructions"]["mean"].is_null());
  EXPECT_EQ(summary_json(results)["held_out_guesses"]["size"]["points"], 8);
}

TEST(Report, ShowsTheGuessesInTheTables) {
  const std::string text = report_text(load_results(kGolden), false);
  EXPECT_THAT(text, HasSubstr("n only: mean %"));
  EXPECT_THAT(text, HasSubstr("one order: always toy_a < toy_b,\n   the commonest one measured"));
  EXPECT_THAT(text, HasSubstr("fewest instructions"));
  EXPECT_THAT(text, HasSubstr("of log n  of log instructions"));
  EXPECT_THAT(text, HasSubstr("Predicted / measured at each n"));
}

TEST(Report, ReferenceCellOfTheGridIsTheMainComparison) {
  const Analysis analysis = analyse(load_results(kGolden));
  EXPECT_DOUBLE_EQ(analysis.reference_cell()->us_per_step, analysis.us_per_step);
  EXPECT_DOUBLE_EQ(analysis.reference_cell()->held_out.mean, analysis.held_out.mean);
}

TEST(ReportCsv, HasALineAPoint) {
  const auto rows = parse_csv(points_csv(load_results(kGolden)), "points.csv");
  ASSERT_EQ(rows.size(), 17u);
  EXPECT_EQ(rows[0][0], "program");
  EXPECT_EQ(rows[1][0], "toy_a");
  EXPECT_EQ(rows[1][3], "1");         // training
  EXPECT_EQ(rows[1][4], "1100.000");  // steps
  EXPECT_EQ(rows[1][10], "results/toy row t00");
}

TEST(ReportCsv, HasALineACell) {
  const auto rows = parse_csv(grid_csv(load_results(kGolden)), "grid.csv");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[2][11], "1");  // best on training
  EXPECT_EQ(rows[4][12], "1");  // the reference
}

TEST(ReportJson, HasProvenanceAndEveryFigure) {
  const Json json = summary_json(load_results(kGolden));
  EXPECT_EQ(json["provenance"]["commit"], "0123456789ab");
  EXPECT_EQ(json["comparison"]["source"], "recorded");
  EXPECT_EQ(json["points"], 16);
  EXPECT_EQ(json["programs"].size(), 2u);
  EXPECT_EQ(json["grid"].size(), 4u);
  EXPECT_EQ(json["worst"].size(), 10u);
  EXPECT_NEAR(json["worst"][0]["error"].get<double>(), 0.354, 0.001);
  EXPECT_EQ(json["ranking"]["all"]["order_share"], 1.0);
  EXPECT_EQ(json["ranking"]["constant"]["order"], (Json{"toy_a", "toy_b"}));
  EXPECT_EQ(json["ranking"]["constant"]["agreement"]["held_out"]["order_share"], 1.0);
  EXPECT_EQ(json["programs"][0]["best"]["held_out"]["fixed"]["value"], 64);
  EXPECT_EQ(json["programs"][0]["best"]["held_out"]["random"]["mean_time_lost"], 0.125);
  // log n against log time of block 64: both grow twofold.
  EXPECT_NEAR(json["programs"][0]["over_size"]["block=64"]["pearson_log_size"].get<double>(), 1,
              1e-12);
  // At 4096 with blocks of 64 and 128: 1100 and 1000 steps of 2.167 ns against 2 and 2.5 us.
  EXPECT_NEAR(json["bias"][0]["programs"]["toy_a"].get<double>(),
              2.167e-3 * std::sqrt(1100 * 1000 / 5.0), 1e-3);
  EXPECT_EQ(json["bias"].size(), 4u);
}

TEST(ReportPlots, AreOneAProgramAndTheGrid) {
  std::vector<std::string> names;
  for (const auto& [name, svg] : plots(load_results(kGolden))) {
    names.push_back(name);
    EXPECT_THAT(svg, HasSubstr("recorded, toy"));
  }
  EXPECT_THAT(names, testing::ElementsAre("toy_a.svg", "toy_b.svg", "grid.svg"));
}

TEST(ReportPlots, AGridThatWasInterruptedHasNone) {
  RunResults results = load_results(kGolden);
  results.cells.pop_back();
  EXPECT_EQ(plots(results).size(), 2u);
  EXPECT_EQ(analyse(results).grid.size(), 3u);
}

TEST(Report, WithoutMeasuredTimesListsThePoints) {
  RunResults results = load_results(kGolden);
  results.info.comparison = {CompareMode::kNone, "toy", ""};
  results.info.scale.reset();
  for (PointResult& p : results.points) p.measured_us = 0;
  const std::string text = report_text(results, false);
  EXPECT_THAT(text, HasSubstr("not compared with a GPU"));
  EXPECT_THAT(text, HasSubstr("no time scale is recorded"));
  EXPECT_THAT(text, Not(HasSubstr("Error of the predicted time")));
  EXPECT_TRUE(plots(results).empty());
  EXPECT_THAT(points_csv(results), HasSubstr("toy_a,4096,64,1,1100.000,,,,,,"));
}

using test::input_error_of;

TEST(LoadingResults, AFolderThatIsNoRunIsRefused) {
  EXPECT_THAT(input_error_of([] { load_results("/nowhere"); }), HasSubstr("no such folder"));
  const std::string folder = rows_only();
  fs::remove(folder + "/run.json");
  EXPECT_THAT(input_error_of([&] { load_results(folder); }), HasSubstr("run.json"));
}

TEST(LoadingResults, ARunWithoutPointsIsRefused) {
  const std::string folder = rows_only();
  fs::remove(folder + "/points.jsonl");
  EXPECT_THAT(input_error_of([&] { load_results(folder); }), HasSubstr("did not get that far"));
}

TEST(LoadingResults, ACellWithTheWrongNumberOfStepsIsRefused) {
  const std::string folder = rows_only();
  std::ofstream(folder + "/grid.jsonl")
      << R"({"id":"g","kind":"grid_cell","parameters":{"l1":1},"steps":[1,2]})"
      << "\n";
  EXPECT_THAT(input_error_of([&] { load_results(folder); }),
              HasSubstr("found 2 numbers, expected one for each of the 16 points"));
}

TEST(LoadingResults, ABadSeedIsRefused) {
  const std::string folder = rows_only();
  InputJson run = load_json(folder + "/run.json");
  run["seed"] = "one";
  std::ofstream(folder + "/run.json") << run.dump();
  EXPECT_THAT(input_error_of([&] { load_results(folder); }), HasSubstr("/seed"));
}

}  // namespace
}  // namespace pnsim::experiments
