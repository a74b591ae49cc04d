// Where the cycles of models/nets/sm.json go, on programs whose reason is known.
#include "simulator/analysis/predict/reasons.h"

#include <gtest/gtest.h>

#include <random>

#include "simulator/analysis/baselines/launch_levels.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/template/unit_states_of.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

using test::sm_net;

// All blocks of one kind.
ReplicaRuns runs_of(ParameterValues values, EngineKind engine = EngineKind::kFast) {
  values["blocks"] = {0, values.contains("B") ? values["B"][0] : 1};
  const std::vector<UnitStates> units = unit_states_of(sm_net(), values);
  RunOptions options;
  options.units = units;
  options.engine = engine;
  return run_replicas(instantiate(sm_net(), values), options);
}

Reasons reasons(const ParameterValues& values) {
  ReasonTimes times;
  add_times(times, runs_of(values), 1);
  return reasons_of(sm_net(), times);
}

ReasonRow row(const Reasons& of, const std::string& name) {
  for (const ReasonRow& r : of.rows) {
    if (r.name == name) return r;
  }
  ADD_FAILURE() << "no row " << name;
  return {};
}

UnitUse unit(const Reasons& of, const std::string& name) {
  for (const UnitUse& u : of.units) {
    if (u.name == name) return u;
  }
  ADD_FAILURE() << "no unit " << name;
  return {};
}

std::string largest(const Reasons& of, double ReasonRow::*share) {
  const auto less = [&](const ReasonRow& a, const ReasonRow& b) { return a.*share < b.*share; };
  return std::max_element(of.rows.begin(), of.rows.end(), less)->name;
}

void expect_whole(const Reasons& of) {
  double schedulers = 0, warps = 0;
  for (const ReasonRow& r : of.rows) {
    EXPECT_GE(r.schedulers, 0) << r.name;
    EXPECT_GE(r.warps, 0) << r.name;
    schedulers += r.schedulers;
    warps += r.warps;
  }
  EXPECT_NEAR(schedulers, 1, 1e-9);
  EXPECT_NEAR(warps, 1, 1e-9);
}

// One warp, one segment: the block starts in step 0, the warp in 1, the segment in 2; it ends after
// 30 cycles, and the block in the one after. The scheduler waits in 20 of 33 cycles.
TEST(Reasons, OneSegmentCountedByHand) {
  const ParameterValues values{{"S", {1}}, {"issue", {10}}, {"work", {30}}};
  const RunResult run = runs_of(values).runs.at(0);
  ASSERT_EQ(run.steps, 33u);
  const std::vector<std::string> schedulers{"issued", "stalled", "launch", "dispatch", "empty"};
  ASSERT_EQ(state_names(*sm_net().reasons.schedulers), schedulers);
  EXPECT_EQ(run.state_times.at(0), (StateTimes{10, 20, 0, 1, 2}));
  EXPECT_EQ(run.state_times.at(1).at(0), 10u) << "the warp issues";
  EXPECT_EQ(run.state_times.at(1).at(1), 20u) << "and waits for its own instructions";
  EXPECT_EQ(run.state_times.at(1).back(), 3u) << "and is not resident";
  const Reasons stack = reasons(values);
  EXPECT_NEAR(row(stack, "issued").schedulers, 10. / 33, 1e-9);
  EXPECT_NEAR(row(stack, "dependence").schedulers, 20. / 33, 1e-9);
  EXPECT_NEAR(row(stack, "dependence").warps, 20. / 30, 1e-9);
  EXPECT_NEAR(stack.units.at(0).busy, 10. / 33, 1e-9);
}

// Two segments, and a loop whose last iteration ends the program: between segments a warp waits for
// the results of its own instructions.
TEST(Reasons, WorkIsWaitedForBetweenSegmentsAndAtTheEndOfLoops) {
  const ParameterValues two{
      {"S", {1}}, {"K", {2}}, {"next", {1, -1}}, {"issue", {10, 10}}, {"work", {30, 30}}};
  const RunResult run = runs_of(two).runs.at(0);
  EXPECT_EQ(run.state_times.at(0).at(0), 20u);
  EXPECT_EQ(run.state_times.at(0).at(1), 40u) << "stalled";
  EXPECT_EQ(run.state_times.at(1).at(1), 40u) << "dependence";
  for (const std::int64_t issue : {1, 10}) {
    const ParameterValues loop{
        {"S", {1}}, {"turn", {0}}, {"trips", {3}}, {"issue", {issue}}, {"work", {30}}};
    const RunResult turns = runs_of(loop).runs.at(0);
    const std::uint64_t issued = 3 * static_cast<std::uint64_t>(issue),
                        waited = turns.steps - issued - 3;
    EXPECT_EQ(turns.state_times.at(0).at(0), issued);
    EXPECT_EQ(turns.state_times.at(0).at(1), waited)
        << "stalled, apart from dispatch, begin and end";
    EXPECT_EQ(turns.state_times.at(1).at(1), waited) << "dependence";
  }
}

TEST(Reasons, UnitsAreBusyForAsLongAsTheyTake) {
  const std::pair<const char*, const char*> of_units[] = {
      {"slow", "special functions"},         {"addresses", "address divergence unit"},
      {"port", "shared memory and L1 port"}, {"quick_port", "shared memory and L1 port"},
      {"memory", "way to L2 and DRAM"},      {"atomic", "atomics in L2"}};
  for (const auto& [name, title] : of_units) {
    ParameterValues values{{"S", {1}}, {"Wb", {3}}};
    const bool needs_port = name == std::string("memory") || name == std::string("atomic");
    if (needs_port) values["port"] = {1};
    values[name] = {40};
    const auto steps = static_cast<double>(runs_of(values).runs.at(0).steps);
    EXPECT_NEAR(unit(reasons(values), title).busy, 120 / steps, 1e-9) << name;
  }
}

// Three blocks after each other, of one warp that ends long after the next block may start.
TEST(Reasons, TheDispatcherIsBusyFromBlockToBlock) {
  const ParameterValues values{{"S", {1}}, {"B", {3}},         {"blocks", {3}},
                               {"R", {1}}, {"dispatch", {40}}, {"work", {100}}};
  const auto steps = static_cast<double>(runs_of(values).runs.at(0).steps);
  EXPECT_NEAR(unit(reasons(values), "block dispatcher").busy, 120 / steps, 1e-9);
}

TEST(Reasons, WarpsOfOneSchedulerThatWaitTheirTurnAreNotSelected) {
  const Reasons stack = reasons({{"S", {1}}, {"Wb", {8}}, {"issue", {100}}, {"work", {100}}});
  expect_whole(stack);
  EXPECT_EQ(largest(stack, &ReasonRow::schedulers), "issued");
  EXPECT_EQ(largest(stack, &ReasonRow::warps), "not selected");
  EXPECT_NE(limit_text(stack).find("issue slots and pipes: busy in"), std::string::npos);
}

ParameterValues two_segments(const char* name, std::int64_t cycles, std::int64_t waits) {
  ParameterValues values{
      {"Wb", {4}}, {"K", {2}}, {"next", {1, -1, 1, -1, 1, -1, 1, -1}}, {"work", {5}}};
  const auto each_warp = [](std::int64_t first, std::int64_t second) {
    std::vector<std::int64_t> list;
    for (int w = 0; w < 4; ++w) list.insert(list.end(), {first, second});
    return list;
  };
  values["waits"] = each_warp(0, waits);
  values[name] = each_warp(cycles, 0);
  return values;
}

TEST(Reasons, AWaitForLoadsIsCountedAsOne) {
  ParameterValues values = two_segments("latency", 300, 2);
  const Reasons stack = reasons(values);
  expect_whole(stack);
  EXPECT_EQ(largest(stack, &ReasonRow::schedulers), "loads");
  EXPECT_EQ(largest(stack, &ReasonRow::warps), "loads");
  values["waits"] = {0};
  EXPECT_EQ(row(reasons(values), "loads").warps, 0) << "the next segment waits for no load";
}

TEST(Reasons, AQueueIsToldFromALatency) {
  ParameterValues values = two_segments("memory", 200, 2);
  values["port"] = values["latency"] = {1, 0, 1, 0, 1, 0, 1, 0};
  const Reasons memory = reasons(values);
  EXPECT_EQ(largest(memory, &ReasonRow::warps), "bandwidth");
  EXPECT_GT(unit(memory, "way to L2 and DRAM").busy, 0.9);
  values = two_segments("quick_port", 200, 1);
  values["quick_latency"] = {20, 0, 20, 0, 20, 0, 20, 0};
  EXPECT_EQ(largest(reasons(values), &ReasonRow::warps), "shared port");
  values = two_segments("quick_latency", 200, 1);
  EXPECT_EQ(largest(reasons(values), &ReasonRow::warps), "shared");
  values = two_segments("product_latency", 200, 3);
  values["tensor"] = {1, 0, 1, 0, 1, 0, 1, 0};
  EXPECT_EQ(largest(reasons(values), &ReasonRow::warps), "tensor cores");
}

TEST(Reasons, NobodyWaitsForStoresThatQueue) {
  ParameterValues values = two_segments("memory", 200, 2);
  values["port"] = {1, 0, 1, 0, 1, 0, 1, 0};
  values["quick_latency"] = {100, 0, 100, 0, 100, 0, 100, 0};
  const Reasons stack = reasons(values);
  EXPECT_EQ(row(stack, "bandwidth").warps, 0) << "no warp waits for these sectors";
  EXPECT_EQ(largest(stack, &ReasonRow::warps), "shared");
  EXPECT_GT(unit(stack, "way to L2 and DRAM").busy, 0.9) << "but the unit is busy with them";
}

TEST(Reasons, WaitsForASlowWarpAreWaitsAtTheBarrier) {
  const Reasons stack = reasons({{"Wb", {4}},
                                 {"K", {2}},
                                 {"next", {1, -1, 1, -1, 1, -1, 1, -1}},
                                 {"joins", {1, 0, 1, 0, 1, 0, 1, 0}},
                                 {"work", {400, 5, 5, 5, 5, 5, 5, 5}}});
  expect_whole(stack);
  EXPECT_EQ(largest(stack, &ReasonRow::warps), "barrier");
}

TEST(Reasons, WhatHoldsUpTheBlocksIsNamed) {
  EXPECT_EQ(largest(reasons({{"launch", {1000}}}), &ReasonRow::schedulers), "launch");
  const Reasons dispatch = reasons({{"B", {10}}, {"R", {2}}, {"dispatch", {100}}, {"work", {20}}});
  EXPECT_EQ(largest(dispatch, &ReasonRow::schedulers), "dispatch");
  EXPECT_NE(limit_text(dispatch).find("block dispatcher: busy in"), std::string::npos);
}

TEST(Reasons, BothEnginesAgreeAndEveryStackIsWhole) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t size) { return static_cast<std::int64_t>(random() % size); };
  for (int i = 0; i < 40; ++i) {
    ParameterValues values{{"B", {1 + below(5)}},
                           {"R", {2}},
                           {"Wb", {3}},
                           {"K", {2}},
                           {"S", {1 + below(3)}},
                           {"dispatch", {1 + below(9)}},
                           {"next", {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1}}};
    for (const char* name : {"quick_port", "quick_latency", "port", "memory", "latency", "waits"}) {
      for (int k = 0; k < 12; ++k) {
        values[name].push_back(name == std::string("waits") ? below(3) : below(2) * below(40));
      }
    }
    for (int k = 0; k < 12; ++k) values["joins"].push_back(k % 2 == 0);
    values["issue"] = {1 + below(5)};
    values["work"] = {values["issue"][0] + below(9)};
    const RunResult fast = runs_of(values).runs.at(0);
    EXPECT_EQ(fast.state_times, runs_of(values, EngineKind::kReference).runs.at(0).state_times);
    expect_whole(reasons(values));
  }
}

// 10 million warps load one line each, more than L2 can keep.
TEST(Reasons, ALaunchTellsHowFarItsLoadsGo) {
  Launch launch = uneven_launch();
  launch.grid = 10'000'000;
  launch.block = 32;
  launch.segments = {load_of_lines(1)};
  launch.segments[0].accesses[0].sectors = 4;
  launch.warp_kinds = {{launch.grid, {item(0)}}};
  launch.block_kinds.clear();
  const auto latency = [&] { return launch_levels(launch, test::h200()).latency; };
  EXPECT_EQ(latency(), (Shares{{"loads", 1.0}})) << "without counters";
  const std::int64_t sectors = 4 * launch.grid;
  launch.counters = {{"l1_load_sectors", sectors},
                     {"l1_load_hit_sectors", sectors},
                     {"l2_read_sectors", 0},
                     {"dram_read_bytes", 0}};
  EXPECT_EQ(latency()[0].second, 1) << "all hit L1";
  launch.counters["l1_load_hit_sectors"] = 0;
  launch.counters["l2_read_sectors"] = sectors;
  const Shares at_l2 = latency();
  EXPECT_GT(at_l2[1].second, at_l2[0].second);
  EXPECT_EQ(at_l2[2].second, 0) << "all hit L2";
  launch.counters["dram_read_bytes"] = 32 * sectors;
  const SmStages stages = sm_stages(launch, test::h200());
  const LaunchLevels far = launch_levels(stages);
  const SegmentCost& cost = stages.costs[0];
  EXPECT_NEAR(far.latency[1].second, cost.l2_latency / cost.latency, 1e-12)
      << "the net waits for the same level";
  EXPECT_NEAR(far.latency[2].second, cost.dram_latency / cost.latency, 1e-12);
  EXPECT_GT(far.latency[2].second, 0.3);
  EXPECT_NEAR(far.latency[0].second + far.latency[1].second + far.latency[2].second, 1, 1e-12);
  EXPECT_EQ(far.bandwidth, "DRAM bandwidth");
}

TEST(Reasons, ATemplateThatSaysNothingIsRefused) {
  const NetTemplate wpnm = load_net_template(data_root() + "/models/nets/wpnm.json");
  try {
    unit_states_of(wpnm, {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
  }
}

}  // namespace
}  // namespace pnsim
