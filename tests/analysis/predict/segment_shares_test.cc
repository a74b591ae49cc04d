// The segments' shares of the cycles of resident warps, on programs whose shares are known.
#include <gtest/gtest.h>

#include <numeric>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/model/sm/row_segments.h"
#include "simulator/model/template/unit_states_of.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/shipped.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

using test::sm_net;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Steps in each row, its waits included, and steps in which a warp exists.
struct RowTimes {
  StateTimes states;  // of row_states()
  StateTimes rows;    // [number], then those in no row with a number
  std::uint64_t resident = 0;
};

RowTimes row_times(ParameterValues values, const std::vector<std::uint32_t>& numbers,
                   EngineKind engine = EngineKind::kFast) {
  values["blocks"] = {0, 1};
  std::vector<UnitStates> units = unit_states_of(sm_net(), values);
  units = {units[1], row_states(sm_net(), values, numbers)};
  RunOptions options;
  options.units = units;
  options.engine = engine;
  const std::vector<StateTimes> times =
      run_replicas(instantiate(sm_net(), values), options).runs.at(0).state_times;
  RowTimes out{times[1], {}, 0};
  const std::size_t count = (times[1].size() - 1) / 3;
  for (std::size_t n = 0; n < count; ++n)
    out.rows.push_back(times[1][n] + times[1][count + n] + times[1][2 * count + n]);
  out.rows.push_back(times[1].back());
  for (std::size_t s = 0; s + 1 < times[0].size(); ++s) out.resident += times[0][s];
  return out;
}

const ParameterValues kTwoRows{
    {"S", {1}}, {"K", {2}}, {"next", {1, -1}}, {"issue", {10, 10}}, {"work", {30, 40}}};

TEST(SegmentShares, ARowTakesItsWork) {
  const RowTimes times = row_times(kTwoRows, {0, 1});
  EXPECT_EQ(times.rows.at(0), 30u);
  EXPECT_EQ(times.rows.at(1), 40u);
  EXPECT_EQ(times.rows.at(0) + times.rows.at(1), times.resident);
}

TEST(SegmentShares, TheRowThatWaitsForDramTakesTheWait) {
  ParameterValues values = kTwoRows;
  values["port"] = values["memory"] = {1, 0};
  values["latency"] = {5000, 0};
  values["waits"] = {0, 2};
  const RowTimes times = row_times(values, {0, 1});
  EXPECT_EQ(times.rows.at(0), 30u);
  EXPECT_GT(static_cast<double>(times.rows.at(1)), 0.98 * static_cast<double>(times.resident));
  EXPECT_EQ(times.rows.at(0) + times.rows.at(1), times.resident);
  EXPECT_EQ(row_times(values, {0, 1}, EngineKind::kReference).rows, times.rows);
}

TEST(SegmentShares, TheWaitAtABarrierBelongsToTheRowBeforeIt) {
  const RowTimes times = row_times({{"Wb", {2}},
                                    {"K", {2}},
                                    {"next", {1, -1, 1, -1}},
                                    {"joins", {1, 0, 1, 0}},
                                    {"work", {400, 5, 5, 5}}},
                                   {0, 2, 1, 2});
  EXPECT_GE(times.rows.at(0), 400u);
  EXPECT_NEAR(static_cast<double>(times.rows.at(1)), static_cast<double>(times.rows.at(0)), 8);
  EXPECT_EQ(times.rows.at(2), 2 * 5u);
}

TEST(SegmentShares, RowsWithOneNumberAddUpAndOthersHaveNone) {
  EXPECT_EQ(row_times(kTwoRows, {0, 0}).rows.at(0), 70u);
  const StateTimes second = row_times(kTwoRows, {kNoNumber, 0}).rows;
  EXPECT_EQ(second.at(0), 40u);
  EXPECT_GE(second.at(1), 30u);
}

TEST(SegmentShares, ALoopTakesNearlyAllCycles) {
  const ParameterValues loop{{"S", {1}},      {"K", {1}},     {"turn", {0}},
                             {"trips", {20}}, {"issue", {2}}, {"work", {30}}};
  const RowTimes times = row_times(loop, {0});
  EXPECT_GE(times.rows.at(0) + 2, times.resident);
  EXPECT_LE(times.rows.at(0), times.resident);
}

TEST(SegmentShares, AJoinedRowIsDividedByWorkAndItsFirstSegmentWaits) {
  const RowParts parts{{{0, 10}, {2, 30}}, {{1, 7}}, {{0, 0}, {1, 0}}};
  EXPECT_EQ(segment_cycles(parts, {400, 70, 6, 0, 0, 0, 0, 0, 0, 9}, 3),
            (std::vector<double>{103, 73, 300}))
      << "work; the last state is no row";
  EXPECT_EQ(segment_cycles(parts, {0, 0, 0, 8, 0, 0, 0, 0, 0, 9}, 3),
            (std::vector<double>{8, 0, 0}))
      << "before it";
  EXPECT_EQ(segment_cycles(parts, {0, 0, 0, 0, 0, 0, 8, 0, 0, 9}, 3),
            (std::vector<double>{0, 0, 8}))
      << "at a barrier at its end";
}

// The second segment only computes and joins the first; the third one waits for DRAM.
KernelModel model_of_three() {
  Launch launch = toy_launch();
  launch.grid = 10'000;
  Segment use = arithmetic(1, 0);
  use.waits_for = {LateResult::kGlobal};
  use.end = SegmentEnd::kExit;
  launch.segments = {launch.segments[0], arithmetic(4, 4), use};
  launch.warp_kinds = {{2 * launch.grid, {item(0), item(1), item(2)}}};
  const std::int64_t sectors = 4 * 2 * launch.grid;
  launch.counters = {{"l1_load_sectors", sectors},
                     {"l1_load_hit_sectors", 0},
                     {"l2_read_sectors", sectors},
                     {"dram_read_bytes", 32 * sectors}};
  KernelModel model;
  model.name = "toy";
  model.device = "h200";
  model.problem = {{"n", 1}};
  for (ProgramItem& each : launch.warp_kinds[0].program)
    each.counts = launch.segments[*each.segment].counts();
  model.points = {{model.problem, {launch}}};
  return model;
}

TEST(SegmentShares, TheSharesOfALaunchAddUpAndTheWaitForDramHasMost) {
  const KernelModel model = model_of_three();
  PointOptions options;
  options.run.count_reasons = true;
  options.run.replicas = 2;
  const PointRequest request{&model, &sm_net(), &test::h200(), &model.points[0], {}, {}, {}, {}};
  const ModelRunReport report =
      run_model_point(request, options, {"h200", std::vector<InputJson>{}});
  const LaunchPrediction& launch = report.prediction.launches[0];
  ASSERT_EQ(launch.segment_cycles.size(), 3u);
  EXPECT_EQ(launch.reasons.size(), 2 + sm_net().reasons.units.size()) << "rows are no units";
  double resident = 0;
  for (std::size_t s = 0; s + 1 < launch.reasons[1].size(); ++s) resident += launch.reasons[1][s];
  EXPECT_NEAR(sum(launch.segment_cycles), resident, 1e-6 * resident);
  EXPECT_GT(launch.segment_cycles[1], 0) << "it was joined to the first";

  const Json segments = to_json(report)["launches"][0]["breakdown"]["segments"];
  ASSERT_EQ(segments.size(), 3u);
  double all = 0;
  for (const Json& segment : segments) all += segment["share"].get<double>();
  EXPECT_NEAR(all, 1, 1e-12);
  EXPECT_EQ(segments[2]["segment"], 2);
  EXPECT_GT(segments[2]["share"].get<double>(), 0.8);

  options.run.count_reasons = false;
  const Prediction plain =
      run_model_point(request, options, {"h200", std::vector<InputJson>{}}).prediction;
  EXPECT_TRUE(plain.launches[0].segment_cycles.empty());
}

}  // namespace
}  // namespace pnsim
