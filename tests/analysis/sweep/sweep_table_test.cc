// Tests the table, the CSV and the plot of a sweep's rows.
#include "simulator/analysis/sweep/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/analysis/sweep/sweep_plot.h"
#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string row_of(const std::string& axes, double steps, const std::string& us,
                   const std::string& measured = "null", const std::string& outcome = "goal") {
  return R"({"id":"0","axes":{)" + axes +
         R"(},"model":"m","net":"wpnm","device":"h200","seed":1,)" + R"("replicas":1,"outcome":")" +
         outcome + R"(","steps":{"mean":)" + std::to_string(steps) +
         R"(,"stddev":null,"ci95":null},"time_us":{"value":)" + us + R"(},"measured_us":)" +
         measured + "}\n";
}

SweepTable table_of(const std::vector<std::string>& names, const std::string& rows) {
  SweepTable table(names, names, true);
  table.add(rows, "rows");
  return table;
}

TEST(SweepTable, HasAColumnPerAxisAndOmitsEmptyOnes) {
  SweepTable table({"l1", "xg*"}, {"l1 (steps)", "xg* (factor)"}, true);
  table.add(
      row_of(R"("l1":20,"xg*":0.5)", 100, "null") + row_of(R"("l1":40,"xg*":0.5)", 110.5, "null"),
      "rows");
  EXPECT_THAT(table.text(), HasSubstr("m on net wpnm, h200; seed 1, 1 replica\n"));
  EXPECT_THAT(table.text(), HasSubstr("  l1 (steps)  xg* (factor)  steps\n"));
  EXPECT_THAT(table.text(), HasSubstr("          40           0.5  110.5\n"));
  EXPECT_THAT(table.text(), Not(HasSubstr("measured")));
  EXPECT_EQ(table.csv(),
            "l1_steps,xg_factor,steps,steps_stddev,predicted_us,measured_us,error_percent,"
            "outcome,steps_half_width_95\n20,0.5,100.000,,,,,goal,\n40,0.5,110.500,,,,,goal,\n");
  EXPECT_THAT(table.text(1), HasSubstr("... 1 more rows (--csv FILE has all)"));
}

TEST(SweepTable, ShowsTheErrorAndTheRunsThatDidNotEnd) {
  const SweepTable table = table_of({"n"}, row_of(R"("n":1)", 10, "11", R"({"value":10})") +
                                               row_of(R"("n":2)", 10, "null", "null", "limit"));
  EXPECT_THAT(table.text(), HasSubstr("+10.0"));
  EXPECT_THAT(table.text(), HasSubstr("limit"));
  EXPECT_THAT(table.csv(), HasSubstr("1,10.000,,11.000000,10.000000,10.000,goal,\n"));
}

// A row of the paper's net with the time of a scale, or without one (source "").
std::string row_with_scale(int l1, int l2, const std::string& source) {
  const std::string number1 = std::to_string(l1), number2 = std::to_string(l2);
  const std::string at = R"("l1":)" + number1 + R"(,"l2":)" + number2;
  const std::string time = source.empty() ? R"({"value":null,"source":null})"
                                          : R"({"value":10,"source":")" + source + R"("})";
  return R"({"id":"0","axes":{)" + at + R"(},"model":"m","net":"wpnm","device":"h200","seed":1,)" +
         R"("replicas":5,"parameters":{"S":4,"n":7,)" + at + R"(},"outcome":"goal",)" +
         R"("steps":{"mean":10,"stddev":1,"ci95":[8,12]},"time_us":)" + time +
         R"(,"measured_us":null})" + "\n";
}

SweepTable table_with_scales(const std::string& rows) {
  SweepTable table({"l1", "l2"}, {"l1", "l2"}, true, {"l1", "l2"});
  table.add(rows, "rows");
  return table;
}

TEST(SweepTable, NamesTheCommandThatFitsMissingScales) {
  const SweepTable table = table_with_scales(row_with_scale(20, 2, "a") +
                                             row_with_scale(40, 2, "") + row_with_scale(80, 2, ""));
  EXPECT_THAT(
      table.text(),
      HasSubstr("note: predicted us \"-\": no time scale for these parameters; this fits one "
                "for each: experiment calibrate --net wpnm --device h200 -a l1=[40,80] -a "
                "l2=2\nnote: That scale is refitted to the measured times of the h200"));
  EXPECT_THAT(table.text(), Not(HasSubstr("several time scales")));
  EXPECT_THAT(table_with_scales(row_with_scale(20, 2, "")).text(), Not(HasSubstr("note")))
      << "no row has a time";
}

TEST(SweepTable, WarnsOfTimesByDifferentScalesAndOfSingleRuns) {
  const SweepTable table =
      table_with_scales(row_with_scale(20, 2, "a") + row_with_scale(40, 2, "b"));
  EXPECT_THAT(table.text(), HasSubstr("note: the times come from several time scales"));
  EXPECT_THAT(table.text(), Not(HasSubstr("one run of each point")));
  EXPECT_THAT(table.csv(), HasSubstr(",goal,2.000\n")) << "half of the interval";
  const std::string single = row_of(R"("n":1)", 10, "null") + row_of(R"("n":2)", 11, "null");
  EXPECT_THAT(table_of({"n"}, single).text(), HasSubstr("note: one run of each point"));
  EXPECT_THAT(table_of({"n"}, row_of(R"("n":1)", 10, "null")).text(), Not(HasSubstr("note")));
}

TEST(SweepTable, RefusesOtherLines) {
  SweepTable table({"n"}, {"n"}, true);
  const std::string error =
      test::error_of(ExitCode::kBadInput, [&] { table.add("{\"kind\":1}\n", "rows.jsonl"); });
  EXPECT_THAT(error, HasSubstr("rows.jsonl"));
  EXPECT_THAT(error, HasSubstr("run the sweep again into another file"));
}

TEST(SweepPlot, OneAxisIsALineWithTheMeasuredTimesBeside) {
  const std::vector<Axis> axes{parse_axis("n=[1,2]")};
  const std::string rows = row_of(R"("n":1)", 10, "11", R"({"value":10})") +
                           row_of(R"("n":2)", 20, "21", R"({"value":20})");
  const std::string svg = sweep_plot(axes, table_of({"n"}, rows));
  EXPECT_THAT(svg, HasSubstr("predicted time (us) over n"));
  EXPECT_THAT(svg, HasSubstr("measured"));
  EXPECT_THAT(svg, HasSubstr("<polyline"));
}

TEST(SweepPlot, WithoutATimeItShowsSteps) {
  const std::vector<Axis> axes{parse_axis("l1=[1,2]")};
  const std::string rows = row_of(R"("l1":1)", 10, "11") + row_of(R"("l1":2)", 20, "null");
  EXPECT_THAT(sweep_plot(axes, table_of({"l1"}, rows)), HasSubstr("steps over l1"));
}

TEST(SweepPlot, TwoAxesAreAHeatMapAndOneValueIsNoAxis) {
  const std::vector<Axis> axes{parse_axis("l1=[1,2]"), parse_axis("S=4"),
                               parse_axis("xg*=[0.5,1]")};
  check_plot(axes);
  std::string rows;
  for (const char* at : {R"("l1":1,"S":4,"xg*":0.5)", R"("l1":1,"S":4,"xg*":1.0)",
                         R"("l1":2,"S":4,"xg*":0.5)", R"("l1":2,"S":4,"xg*":1.0)"}) {
    rows += row_of(at, 12345, "7.25");
  }
  const std::string svg = sweep_plot(axes, table_of({"l1", "S", "xg*"}, rows));
  EXPECT_THAT(svg, HasSubstr("predicted time (us) over l1 and xg*"));
  EXPECT_THAT(svg, HasSubstr("S = 4"));
  EXPECT_THAT(svg, HasSubstr("7.250"));
  EXPECT_THAT(svg, Not(HasSubstr(">-<"))) << "no cell is empty";
}

TEST(SweepPlot, ThreeAxesAndTooManyValuesAreRefused) {
  const auto refused = [](const std::vector<Axis>& axes) {
    return test::error_of(ExitCode::kUsage, [&] { check_plot(axes); });
  };
  EXPECT_THAT(refused({parse_axis("l1=[1,2]"), parse_axis("l2=[1,2]"), parse_axis("S=[1,2]")}),
              HasSubstr("found 3 (l1, l2, S)"));
  EXPECT_THAT(refused({}), HasSubstr("--plot needs an axis"));
  EXPECT_THAT(refused({parse_axis("l1=[1:61]"), parse_axis("l2=[1,2]")}),
              HasSubstr("axis l1 has 61 values, expected at most 60 in a heat map"));
}

}  // namespace
}  // namespace pnsim
