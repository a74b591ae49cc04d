// Tests the comparison of the reasons for waiting warps by the profiler and by the net.
#include "experiments/tables/reasons_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/spec/suite.h"
#include "experiments/tables/reason_groups.h"
#include "gpu/counter_list.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/template/unit_states_of.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/validation_root.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

TEST(ReasonGroups, HaveEveryStallOfTheProfilerOnceAndNoOther) {
  std::multiset<std::string> counted, grouped;
  for (const gpu::Counter& counter : gpu::counter_list()) {
    if (counter.use == gpu::CounterUse::kStall) counted.insert(gpu::stall_reason(counter));
  }
  for (const ReasonGroup& group : reason_groups()) {
    grouped.insert(group.profiler.begin(), group.profiler.end());
  }
  EXPECT_EQ(grouped, counted);
}

// Runs in which warps are in every state once: launches limited by L2 and by DRAM, with counters
// and without, so that every possible row occurs.
std::set<std::string> rows_of_warps(const NetTemplate& net) {
  const DeviceProfile device = load_device_profile("h200");
  const KernelModel model = load_kernel_model(find_data_file("copy", {"models"}));
  ReasonTimes times;
  for (const UnitSpec& spec : {*net.reasons.schedulers, net.reasons.warps}) {
    times.push_back(std::vector(state_names(spec).size(), 1e9));
  }
  times.resize(2 + net.reasons.units.size(), {0, 0});
  std::set<std::string> names;
  for (const RecordedPoint& point : model.points) {
    Launch bare = point.launches[0];
    bare.counters.clear();
    for (const Launch& launch : {point.launches[0], bare}) {
      const LaunchReasons of{&launch, &device, times, 1};
      for (const ReasonRow& row : reasons_of(net, std::vector{of}).rows) names.insert(row.name);
    }
  }
  const std::vector<std::string> of_warps = state_names(net.reasons.warps);
  for (const std::string& name : state_names(*net.reasons.schedulers)) {
    if (std::find(of_warps.begin(), of_warps.end(), name) == of_warps.end()) names.erase(name);
  }
  return names;
}

TEST(ReasonGroups, HaveEveryRowOfTheNetOfAnSmAndNoOther) {
  std::multiset<std::string> grouped;
  for (const ReasonGroup& group : reason_groups()) {
    grouped.insert(group.rows.begin(), group.rows.end());
  }
  const std::set<std::string> rows = rows_of_warps(load_net("sm"));
  EXPECT_EQ(grouped, (std::multiset<std::string>{rows.begin(), rows.end()}));
}

GroupShares stalls(const std::string& json) {
  const InputJson value = parse_json(json, "row");
  return shares_of_stalls(JsonReader(value, "row"));
}

TEST(ReasonGroups, TheFirstReasonIsWhatMostWaitingGoesTo) {
  const GroupShares shares =
      stalls(R"({"selected": 0.5, "long_scoreboard": 0.1, "lg_throttle": 0.15, "drain": 0.2,
                 "not_selected": 0.05})");
  EXPECT_EQ(reason_name(first_reason(shares)), "loads");
  EXPECT_EQ(reason_name(first_reason(stalls(R"({"drain": 0.3, "wait": 0.2})"))), "drain");
  EXPECT_EQ(reason_name(first_reason(stalls(R"({"selected": 1})"))), "-");
  EXPECT_DOUBLE_EQ(misplaced(shares, shares), 0);
  EXPECT_DOUBLE_EQ(misplaced(stalls(R"({"wait": 1})"), stalls(R"({"drain": 1})")), 1);
  EXPECT_DOUBLE_EQ(misplaced(shares, stalls(R"({"selected": 1})")), 0.5);
}

TEST(ReasonGroups, WhatIsNoShareOfAReasonIsRefusedByName) {
  EXPECT_THAT(test::input_error_of([] { stalls(R"({"lunch": 0.5})"); }), HasSubstr("row: /lunch"));
  EXPECT_THAT(test::input_error_of([] { stalls(R"({"wait": 1.5})"); }), HasSubstr("row: /wait"));
  const Reasons reasons{{{"launch", 1, 0}, {"lunch", 0, 1}}, {}};
  EXPECT_THAT(test::error_of(ExitCode::kUsage, [&] { shares_of_rows("mine", reasons); }),
              HasSubstr("net mine: its warps go to \"lunch\""));
}

// A row of one point of toy_a or toy_b, with blocks of 64 threads.
InputJson counted(const std::string& program, int n, const std::string& stalls) {
  const Json row = {
      {"id", program + std::to_string(n)},
      {"kind", "counts"},
      {"program", program},
      {"axes", {{"n", n}, {"block", 64}}},
      {"kernels", Json::array({{{"kernel", program}, {"grid", n / 512}, {"block", 64}}})}};
  InputJson out(row);
  if (!stalls.empty()) out["kernels"][0]["stalls"] = parse_json(stalls, "stalls");
  return out;
}

Rendered table_of(std::vector<InputJson> rows, const std::string& net = "sm") {
  return reasons_table(RowIndex(std::move(rows)), load_device_profile("toy"), load_net(net), {});
}

// Its warps load, wait for the result, synchronise at a barrier and store.
TEST(ReasonsTable, HoldsTheFirstReasonsAndTheSharesOfEveryLaunch) {
  const ValidationRoot root;
  const Rendered table = table_of({counted("toy_a", 4096, R"({"long_scoreboard": 1})"),
                                   counted("toy_a", 8192, R"({"drain": 0.9, "wait": 0.1})"),
                                   counted("toy_a", 16384, R"({"tex_throttle": 0.6, "wait": 0.4})"),
                                   counted("toy_a", 32768, "")});
  const InputJson json = parse_json(table.json, "table");
  ASSERT_EQ(json["launches"].size(), 3u);
  for (const InputJson& launch : json["launches"]) {
    EXPECT_EQ(launch["net_first"], "loads");
    double sum = 0;
    for (const auto& [group, share] : launch["net"].items()) sum += share.get<double>();
    EXPECT_NEAR(sum, 1, 1e-9);
  }
  const double loads = json["launches"][0]["net"]["loads"];
  EXPECT_NEAR(json["launches"][0]["misplaced"].get<double>(), 1 - loads, 1e-9);
  ASSERT_EQ(json["kernels"].size(), 1u);
  EXPECT_EQ(json["kernels"][0]["agree"], 2);
  EXPECT_EQ(json["kernels"][0]["profiler_first"], "loads");
  EXPECT_NEAR(json["kernels"][0]["profiler"]["loads"].get<double>(), 1.6 / 3, 1e-9);
  EXPECT_EQ(json["all"]["kernels_agree"], 1);
  EXPECT_THAT(table.text, HasSubstr("agrees in 2 of 3 launches, in 1 of 1 kernels"));
  EXPECT_THAT(table.text, HasSubstr("always naming \"loads\" would agree in 2 launches"));
  EXPECT_THAT(table.text, testing::ContainsRegex("drain +30.0 +0.0 +1 +0 +0"));
  EXPECT_THAT(table.text, testing::Not(HasSubstr("Skipped")));
}

// A program of two kernels. Each kernel with recorded stalls has its own row.
TEST(ReasonsTable, KernelsOfAProgramAreJudgedOneByOne) {
  const ValidationRoot root;
  InputJson model = parse_json(root.root.read("models/toy_a.json"), "toy_a");
  for (InputJson& point : model["points"]) {
    InputJson second = point["launches"][0];
    second["kernel"] = "second";
    point["launches"].push_back(second);
  }
  root.root.write("models/toy_a.json", model.dump());
  const auto row = [](const std::string& first, const std::string& second) {
    InputJson out = counted("toy_a", 4096, first);
    InputJson kernel = counted("toy_a", 4096, second)["kernels"][0];
    kernel["kernel"] = "second";
    out["kernels"].push_back(kernel);
    return out;
  };
  const std::string waits = R"({"wait": 1})", loads = R"({"long_scoreboard": 1})";
  const InputJson both = parse_json(table_of({row(waits, loads)}).json, "table");
  ASSERT_EQ(both["kernels"].size(), 2u);
  EXPECT_EQ(both["kernels"][0]["kernel"], "second");
  EXPECT_EQ(both["kernels"][0]["agree"], 1);
  EXPECT_EQ(both["kernels"][1]["kernel"], "toy_a");
  EXPECT_EQ(both["kernels"][1]["agree"], 0);
  EXPECT_EQ(parse_json(table_of({row("", loads)}).json, "table")["kernels"].size(), 1u);
  EXPECT_THAT(test::error_of(ExitCode::kUnavailable,
                             [] { table_of({counted("toy_a", 4096, R"({"wait": 1})")}); }),
              HasSubstr("toy_a: its model has other launches"));
}

TEST(ReasonsTable, UnpredictablePointsAreSkippedWithTheReason) {
  const ValidationRoot root;
  const std::string waits = R"({"wait": 1})";
  const Rendered table = table_of({counted("toy_a", 4096, waits), counted("toy_a", 512, waits),
                                   counted("toy_b", 4096, waits), counted("toy_b", 8192, waits),
                                   counted("toy_c", 4096, waits)});
  EXPECT_THAT(table.text, HasSubstr("in 0 of 1 launches"));
  EXPECT_THAT(table.text, HasSubstr("toy_a: its model lacks the point (1 point)"));
  EXPECT_THAT(table.text,
              HasSubstr("toy_b: its model has only counts, no warp programs (2 points)"));
  EXPECT_THAT(table.text, HasSubstr("toy_c: it has no model"));
  EXPECT_EQ(parse_json(table.json, "table")["left_out"].size(), 3u);
}

TEST(ReasonsTable, NothingRecordedBadRowsAndNetsWithoutReasonsAreRefused) {
  const ValidationRoot root;
  EXPECT_THAT(
      test::error_of(ExitCode::kUnavailable, [] { table_of({counted("toy_a", 4096, "")}); }),
      HasSubstr("experiment counts --spec"));
  EXPECT_THAT(test::input_error_of([] { table_of({counted("toy_a", 4096, R"({"wait": -1})")}); }),
              HasSubstr("counts row toy_a4096: /kernels/0/stalls/wait"));
  EXPECT_THAT(test::error_of(ExitCode::kUsage,
                             [] { table_of({counted("toy_a", 4096, R"({"wait": 1})")}, "wpnm"); }),
              HasSubstr("does not say where its steps go"));
}

}  // namespace
}  // namespace pnsim::experiments
