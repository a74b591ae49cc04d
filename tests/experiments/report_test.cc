#include "experiments/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// A run of 16 points and a grid of 4 cells, with all that was made of it. After a change that is
// meant: `experiment report tests/data/experiment_run`, and read the difference.
const std::string kGolden = PNSIM_TEST_DATA "/experiment_run";

// A copy of the rows alone, in a folder of the running test.
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
  EXPECT_EQ(sections.size(), 7u);
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

// The time lost by the predicted best block: 25 % at two of four sizes.
TEST(Report, AddsUpWhatTheChoiceOfTheBlockCosts) {
  const Analysis analysis = analyse(load_results(kGolden));
  EXPECT_DOUBLE_EQ(analysis.programs[0].best.hit_share, 0.5);
  EXPECT_NEAR(analysis.programs[0].best.mean_time_lost, 0.125, 1e-12);
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
