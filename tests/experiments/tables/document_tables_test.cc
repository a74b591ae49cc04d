#include "experiments/tables/document_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "experiments/spec/spec.h"
#include "experiments/spec/suite.h"
#include "simulator/analysis/predict/prediction_warnings.h"
#include "simulator/base/error.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_profile.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

// Distributes vectors thread by thread, as the kernels do.
double counted_balance(int vectors, int group, int block, int blocks) {
  std::vector<int> of_block(static_cast<std::size_t>(blocks));
  const int at_once = block / group;
  for (int v = 0; v < vectors; ++v) ++of_block[static_cast<std::size_t>(v / at_once % blocks)];
  const int most = *std::max_element(of_block.begin(), of_block.end());
  return static_cast<double>(vectors) / blocks / most;
}

TEST(WorkloadBalance, IsThatOfVectorsDealtOutOneByOne) {
  for (const int vectors : {1, 31, 1024, 4608, 100'003}) {
    for (const int group : {1, 8, 32}) {
      for (const int block : {32, 384, 1024}) {
        for (const int blocks : {1, 7, 132}) {
          EXPECT_DOUBLE_EQ(workload_balance(vectors, group, block, blocks),
                           counted_balance(vectors, group, block, blocks));
        }
      }
    }
  }
}

TEST(PredictedReport, StandsBesideThePublishedTimesWithItsErrors) {
  const DeviceProfile device = load_device_profile("rtx2060super");
  EXPECT_TRUE(is_the_reports_device(device));
  EXPECT_FALSE(is_the_reports_device(load_device_profile("h200")));
  const Rendered table = predicted_report_table(device, load_net("sm"), {});
  const InputJson rows = parse_json(table.json, "table");
  ASSERT_EQ(rows.size(), 15u);
  for (const InputJson& row : rows) {
    const double published = row["published_us"], predicted = row["predicted_us"];
    EXPECT_GT(predicted, 0);
    EXPECT_GE(row["streamed_us"].get<double>(), predicted);
    EXPECT_NEAR(row["error"].get<double>(), std::abs(predicted - published) / published, 1e-9);
    EXPECT_NEAR(row["rest_us_a_launch"].get<double>(), (published - predicted) / 96, 1e-9);
  }
  EXPECT_EQ(rows[0]["published_us"], 1044.05);
  EXPECT_THAT(table.text, HasSubstr("another GPU's, as their sources say"));
  EXPECT_THAT(table.text, HasSubstr("sm_90"));
}

TEST(PredictedReport, StepsWithoutAUnitAreNoTimes) {
  const DeviceProfile device = load_device_profile("rtx2060super");
  EXPECT_THAT(test::error_of(ExitCode::kUsage,
                             [&] { predicted_report_table(device, load_net("wpnm"), {}); }),
              HasSubstr("no unit"));
}

InputJson micro(const std::string& bench, const Json& axes, double value) {
  const Json row = {{"id", bench + axes.dump()},
                    {"kind", "micro"},
                    {"bench", bench},
                    {"axes", axes},
                    {"value", value}};
  return InputJson(row);
}

std::vector<InputJson> atomic_rows() {
  std::vector<InputJson> rows;
  for (const int warps : {8, 1}) {
    rows.push_back(micro(
        "memory_operations",
        {{"op", "red"}, {"pattern", "conflict"}, {"between", "nothing"}, {"warps_per_sm", warps}},
        100.0 * warps));
  }
  for (const int offset : {0, 4, 128}) {
    rows.push_back(micro("atomic_width", {{"op", "atomic"}, {"offset_bytes", offset}},
                         offset < 128 ? 800 : 300));
  }
  rows.push_back(micro("clock_cost", {{"clock", "clock64"}}, 2));
  return rows;
}

TEST(AtomicsReport, ReportsTimesWidthAndClock) {
  const AtomicsReport report = atomics_report(RowIndex(atomic_rows()), "Toy GPU");
  EXPECT_EQ(report.plots.size(), 7u);
  EXPECT_THAT(report.plots.back().second, HasSubstr("atomic lock"));
  EXPECT_THAT(report.rendered.text, HasSubstr("conflict  nothing  red"));
  EXPECT_THAT(report.rendered.text, testing::ContainsRegex("atomic +800.0 +300.0 +128"));
  EXPECT_THAT(report.rendered.json, HasSubstr("\"x\": [\n   1.0,"));
}

TEST(AtomicsReport, ABenchThatWasNotRecordedIsError4) {
  for (const char* bench : {"memory_operations", "atomic_width", "clock_cost"}) {
    std::vector<InputJson> rows = atomic_rows();
    std::erase_if(rows, [&](const InputJson& row) { return row["bench"] == bench; });
    EXPECT_THAT(
        test::error_of(ExitCode::kUnavailable, [&] { atomics_report(RowIndex(rows), "Toy GPU"); }),
        HasSubstr(std::string("experiment microbench ") + bench));
  }
}

TEST(RowIndex, FindsByKindProgramAxesAndMode) {
  const Json row = {
      {"id", "1"}, {"kind", "time"}, {"program", "p"}, {"mode", "cold"}, {"axes", {{"n", 4}}}};
  const RowIndex rows(std::vector<InputJson>{InputJson(row)});
  EXPECT_EQ(rows.at("time", "p", {{"n", 4}}, "cold", "measure")["id"], "1");
  EXPECT_EQ(rows.at("time", "p", {{"n", 4}}, "", "measure")["id"], "1");
  const auto missing = [&](const std::string& kind, const Problem& axes, const std::string& mode) {
    return test::error_of(ExitCode::kUnavailable,
                          [&] { rows.at(kind, "p", axes, mode, "measure it"); });
  };
  EXPECT_THAT(missing("time", {{"n", 4}}, "warm"), HasSubstr("no warm time is recorded"));
  EXPECT_THAT(missing("counts", {{"n", 4}}, ""), HasSubstr("measure it"));
  EXPECT_THAT(missing("time", {{"n", 5}}, "cold"), HasSubstr("n=5"));
  EXPECT_THAT(missing("time", {{"n", 4}, {"block", 1}}, "cold"), HasSubstr("block=1"));
}

InputJson time_in(const std::string& mode, int n, double us) {
  const Json row = {{"id", mode + std::to_string(n)},
                    {"kind", "time"},
                    {"program", "p"},
                    {"axes", {{"n", n}}},
                    {"mode", mode},
                    {"median_us", us}};
  return InputJson(row);
}

TEST(ModesTable, ComparesPointsThatHaveBothModes) {
  const RowIndex rows(std::vector<InputJson>{time_in("warm", 1, 10), time_in("cold", 1, 9),
                                             time_in("warm", 2, 10), time_in("cold", 2, 30),
                                             time_in("single", 3, 5)});
  EXPECT_THAT(modes_table(rows).text, testing::ContainsRegex("cold / warm +p +2 +1 +0.900 +1.950"));
  EXPECT_THAT(modes_table(rows).text, testing::Not(HasSubstr("single")));
  test::error_of(ExitCode::kUnavailable,
                 [] { modes_table(RowIndex(std::vector<InputJson>{time_in("warm", 1, 1)})); });
}

TEST(ModesTable, ShowsWhatThePointsOfOneLaunchTakeOfTheirTimeUnderTheProfiler) {
  const auto counts_of = [](int n, std::vector<std::vector<double>> profiled) {
    Json row = {{"id", "c" + std::to_string(n)},
                {"kind", "counts"},
                {"program", "p"},
                {"axes", {{"n", n}}},
                {"kernels", Json::array()}};
    for (const auto& times : profiled) row["kernels"].push_back({{"profiled_us", times}});
    return InputJson(row);
  };
  const std::string text =
      modes_table(RowIndex(std::vector<InputJson>{
                      time_in("warm", 1, 10), counts_of(1, {{12.5}}), time_in("warm", 2, 100),
                      counts_of(2, {{100}}), time_in("warm", 3, 50), counts_of(3, {{40, 40}}),
                      time_in("warm", 4, 50), counts_of(4, {{40}, {40}}), counts_of(5, {{3}})}))
          .text;
  EXPECT_THAT(text, HasSubstr("warm / profiled  under 20 us           1           0     0.800"));
  EXPECT_THAT(text, HasSubstr("warm / profiled  100 us and more       1           1     1.000"));
  EXPECT_THAT(text, testing::Not(HasSubstr("20 to 100 us"))) << "more than one launch";
}

// The message of `far` names the smallest and the largest share of both GPUs.
TEST(ModesTable, HasTheSharesThatTheWarningOfAFarPredictionNames) {
  std::map<std::string, std::pair<double, double>> ranges;  // by length
  for (const char* device : {"h200", "h100"}) {
    for (const Json& row : Json::parse(modes_table(RowIndex(device)).json)) {
      if (row["ratio"] != "warm / profiled") continue;
      const double least = row["least"], most = row["most"];
      const auto [it, is_new] = ranges.try_emplace(row["program"].get<std::string>(), least, most);
      it->second = {std::min(it->second.first, least), std::max(it->second.second, most)};
    }
  }
  ASSERT_EQ(ranges.size(), 3u);
  for (const auto& [length, range] : ranges) {
    EXPECT_THAT(profiled_shares_text(),
                HasSubstr(" take " + fixed(range.first, 2) + " to " + fixed(range.second, 2)))
        << length;
  }
}

// Tables of the shipped rows and documents must print without a GPU.
TEST(DocumentTables, PrintFromWhatIsRecorded) {
  const DeviceProfile device = load_device_profile("h200");
  const RowIndex rows(device.name);
  EXPECT_THAT(report_table(rows).text, HasSubstr("0.00104405"));
  EXPECT_THAT(homework_table(rows, device).text, HasSubstr("norm_group<32>, d = 1024"));
  EXPECT_THAT(imbalance_table(rows).text, HasSubstr("points 120"));
  EXPECT_EQ(atomics_report(rows, device.title).plots.size(), 7u);
}

TEST(AxesOfSpecs, AreASpecsOrAllOrTheOverridesAlone) {
  EXPECT_EQ(axes_of_specs("", {"n=5"}).at(0).at(0).name, "n");
  const auto one = axes_of_specs("matmul", {"tile=8"});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].back().values, (std::vector<std::string>{"8"}));
  EXPECT_GE(axes_of_specs("all", {}).size(), 7u);
  test::error_of(ExitCode::kUsage, [] { axes_of_specs("matmul", {"block=8"}); });
  EXPECT_THAT(test::input_error_of([] { axes_of_specs("matmull", {}); }), HasSubstr("matmul"));
}

TEST(SortingTable, TheFastestOfTheSortsStandsBesideCub) {
  const auto row = [](const char* program, int n, int block, double us) {
    Json out = {{"id", std::string(program) + std::to_string(n + block)},
                {"kind", "time"},
                {"program", program},
                {"mode", "warm"},
                {"median_us", us},
                {"axes", {{"n", n}}}};
    if (block > 0) out["axes"]["block"] = block;
    return InputJson(out);
  };
  const DeviceProfile device{
      "toy", "Toy", "", {{"dram_copy_bandwidth", {36e9, "byte/s", "s", 0}}}, ""};
  const RowIndex rows(
      std::vector<InputJson>{row("cub_radix", 1000, 0, 2), row("radix_global", 1000, 64, 30),
                             row("radix_shared", 1000, 128, 10), row("cub_radix", 5, 0, 1),
                             row("radix_shared", 7, 64, 1)});
  const Json table = Json::parse(sorting_table(rows, device).json);
  ASSERT_EQ(table.size(), 1u) << "sizes that both have";
  EXPECT_EQ(table[0]["ours"], "radix_shared, block 128");
  EXPECT_EQ(table[0]["ours_us"], 10);
  EXPECT_NEAR(table[0]["of_dram_bound"], 0.5, 1e-12) << "36 bytes a key at 36 GB/s: 1 us of 2";
  EXPECT_THROW(sorting_table(RowIndex(std::vector<InputJson>{}), device), Error);
}

}  // namespace
}  // namespace pnsim::experiments
