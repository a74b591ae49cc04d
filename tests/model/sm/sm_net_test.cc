// The cycles of the modules of models/nets/sm.json, on programs that are small enough to count by
// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "simulator/model/launch/program_rows.h"
#include "simulator/model/sm/sm_parameters.h"
#include "simulator/model/template/instantiate.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

const NetTemplate& sm_net() {
  static const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  return net;
}

std::uint64_t cycles(const ParameterValues& values) {
  const RunResult result = run_reference(instantiate(sm_net(), values), {}, 1'000'000);
  EXPECT_EQ(result.outcome, Outcome::kGoal);
  return result.steps;
}

// A block is dispatched, its warp begins, issues, ends, the block retires: one step each.
TEST(SmNet, AnEmptyBlockTakesFiveCycles) { EXPECT_EQ(cycles({}), 5u); }

TEST(SmNet, ASegmentTakesItsWorkAndTheLaunchItsOverhead) {
  EXPECT_EQ(cycles({{"issue", {10}}, {"work", {14}}}), 5u + 12);
  EXPECT_EQ(cycles({{"launch", {100}}}), 105u);
}

TEST(SmNet, WarpsOfOneSchedulerTakeTurnsAndThoseOfTwoDoNot) {
  const ParameterValues two{{"Wb", {2}}, {"issue", {10}}, {"work", {10}}};
  ParameterValues one_scheduler = two;
  one_scheduler["S"] = {1};
  EXPECT_EQ(cycles(two), 5u + 8);
  EXPECT_EQ(cycles(one_scheduler), 5u + 8 + 10);
}

// As with --set, one number replaces the cycles of every segment that uses the unit.
TEST(SmNet, CyclesOfAUnitMayBeSetForAllThatUseIt) {
  ParameterValues values{{"memory", {0, 3, 5}}, {"latency", {100, 0, 300}}, {"dispatch", {7}}};
  set_cycles({{"memory", {9}}, {"latency", {1, 2, 3}}, {"dispatch", {1}}}, values);
  EXPECT_EQ(values,
            (ParameterValues{{"memory", {0, 9, 9}}, {"latency", {1, 2, 3}}, {"dispatch", {1}}}));
  for (const std::string& name : settable_cycles()) {
    EXPECT_NE(sm_net().find_parameter(name), nullptr) << name;
    const auto& structure = program_parameters();
    EXPECT_EQ(std::find(structure.begin(), structure.end(), name), structure.end()) << name;
  }
}

TEST(SmNet, ALoopMakesItsTrips) {
  const auto with_trips = [&](std::int64_t trips) {
    return cycles({{"turn", {0}}, {"trips", {trips}}, {"work", {20}}});
  };
  EXPECT_EQ(with_trips(6) - with_trips(5), 21u) << "20 cycles and the branch back";
  EXPECT_EQ(with_trips(1), 5u + 18 + 2) << "the exit from the loop, and the program's end";
}

TEST(SmNet, ANestedLoopMakesTheProductOfTheTrips) {
  const auto nested = [&](std::int64_t outer, std::int64_t inner) {
    return cycles({{"Q", {2}},
                   {"turn", {0}},
                   {"trips", {inner, outer}},
                   {"body", {0, 0}},
                   {"next_after", {-1, -1}},
                   {"turn_after", {1, -1}},
                   {"work", {20}}});
  };
  EXPECT_EQ(nested(3, 4) - nested(2, 4), 4u * 21) << "the outer branch back follows the work";
}

ParameterValues load_and_use(std::int64_t waits) {
  return {{"K", {2}},         {"next", {1, -1}},     {"port", {3, 0}},
          {"memory", {8, 0}}, {"latency", {100, 0}}, {"waits", {0, waits}},
          {"work", {5}}};
}

TEST(SmNet, OnlyASegmentThatNeedsALoadWaitsForIt) {
  const std::uint64_t at_once = cycles(load_and_use(0));
  EXPECT_EQ(cycles(load_and_use(1)), at_once) << "a load from memory is no short-scoreboard result";
  EXPECT_GT(cycles(load_and_use(2)), at_once + 90);
  EXPECT_LT(cycles(load_and_use(2)), at_once + 110);
}

TEST(SmNet, AccessesShareThePortAndTheWayToMemory) {
  const auto with_warps = [](std::int64_t warps, const char* unit) {
    ParameterValues values{{"Wb", {warps}}, {"port", {2}}, {"memory", {2}}};
    values[unit] = {50};
    return cycles(values);
  };
  for (const char* unit : {"port", "memory"}) {
    EXPECT_EQ(with_warps(9, unit) - with_warps(8, unit), 50u) << unit;
  }
}

// The SM's bandwidth share serves one access after the other. With `ahead`, the latency of an
// access starts before the share has served it.
TEST(SmNet, AccessesMayBeOutstandingBeforeTheShareHasServedThem) {
  const auto with_ahead = [](std::int64_t ahead) {
    ParameterValues values{{"Wb", {8}}, {"K", {2}}, {"ahead", {ahead}}};
    for (int warp = 0; warp < 8; ++warp) {
      const std::pair<const char*, std::int64_t> first[] = {
          {"next", 1}, {"port", 1}, {"memory", 50}, {"latency", 300}, {"waits", 0}};
      const std::int64_t second[] = {-1, 0, 0, 0, 2};
      for (std::size_t i = 0; i < 5; ++i) {
        values[first[i].first].insert(values[first[i].first].end(), {first[i].second, second[i]});
      }
    }
    return cycles(values);
  };
  EXPECT_GT(with_ahead(2), 7u * 50 - 50 + 300)
      << "the last one starts when the share has nearly served it";
  EXPECT_LT(with_ahead(8), 8u * 50 + 20)
      << "all start at once, and the share takes longer than their latency";
  EXPECT_GT(with_ahead(8), 8u * 50);
}

// A look-up that costs the port less than half a cycle is rounded to none; L2 still has its work.
TEST(SmNet, WorkOfL2IsDoneThoughThePortHasNone) {
  for (const char* unit : {"memory", "atomic"}) {
    const auto with_port = [&](std::int64_t port) {
      return cycles({{"Wb", {2}},
                     {"K", {2}},
                     {"next", {1, -1, 1, -1}},
                     {"port", {port, 0, port, 0}},
                     {unit, {400, 0, 400, 0}}});
    };
    EXPECT_GE(with_port(0), 800u) << unit;
    EXPECT_LE(with_port(1) - with_port(0), 4u) << unit;
  }
}

TEST(SmNet, AtomicsHoldUpEachOtherAndNoLoads) {
  const auto with_atomics = [](std::int64_t cycles_each) {
    return cycles({{"Wb", {2}},
                   {"K", {2}},
                   {"next", {1, -1, 1, -1}},
                   {"port", {1, 0, 1, 0}},
                   {"atomic", {cycles_each, 0, cycles_each, 0}}});
  };
  EXPECT_EQ(with_atomics(400) - with_atomics(300), 200u);
  const auto load = load_and_use(2);
  ParameterValues both = load;
  both["Wb"] = {2};
  for (const char* name : {"port", "memory", "latency", "waits"}) {
    both[name].insert(both[name].end(), {0, 0});
  }
  both["port"][2] = 1;
  both["next"] = {1, -1, 1, -1};
  both["atomic"] = {0, 0, 60, 0};
  EXPECT_LE(cycles(both), cycles(load) + 2);
}

// Two warps of one scheduler: a warp waits for the result of the slow unit, but the issue slot of
// the instruction does not wait for the unit.
TEST(SmNet, SlowUnitsOfASchedulerHoldUpResultsAndNoIssue) {
  const auto with_slow = [](std::vector<std::int64_t> slow, std::int64_t waits) {
    return cycles({{"S", {1}},
                   {"Wb", {2}},
                   {"K", {2}},
                   {"next", {1, -1, 1, -1}},
                   {"issue", {4}},
                   {"work", {4, 150, 4, 150}},
                   {"slow", std::move(slow)},
                   {"quick_latency", {90, 0, 90, 0}},
                   {"waits", {0, waits, 0, waits}}});
  };
  const std::uint64_t waiting = with_slow({100, 0, 100, 0}, 1);
  EXPECT_GT(waiting, with_slow({100, 0, 0, 0}, 1) + 50) << "one result after the other";
  EXPECT_LT(with_slow({100, 0, 100, 0}, 0) + 100, waiting)
      << "a warp that waits for nothing continues";
}

TEST(SmNet, ABarrierWaitsForTheSlowestAndTakesItsTime) {
  const auto with_barrier = [](std::int64_t barrier) {
    return cycles({{"Wb", {2}},
                   {"K", {2}},
                   {"next", {1, -1, 1, -1}},
                   {"joins", {1, 0, 1, 0}},
                   {"work", {10, 5, 50, 5}},
                   {"barrier", {barrier}}});
  };
  EXPECT_EQ(with_barrier(20), 5u + 48 + 20 + 4);
  EXPECT_EQ(with_barrier(30) - with_barrier(20), 10u);
}

TEST(SmNet, BlocksWaitForASlotAndForTheirDispatch) {
  const auto with_dispatch = [](std::int64_t dispatch) {
    return cycles(
        {{"B", {10}}, {"blocks", {0, 10}}, {"R", {2}}, {"dispatch", {dispatch}}, {"work", {20}}});
  };
  EXPECT_EQ(with_dispatch(100), 9u * 100 + 5 + 18);
  EXPECT_LT(with_dispatch(1), 10u * 25 / 2);
}

// Two blocks load, wait at a barrier and work, twice. With an ordered port one block works while
// the other loads. With an unordered port the blocks overlap less.
TEST(SmNet, BlocksPassThePortSlotBySlot) {
  const auto with_order = [](std::int64_t order) {  // the mean of several runs
    ParameterValues values{{"B", {2}},  {"blocks", {0, 2}}, {"R", {2}},
                           {"Wb", {4}}, {"K", {3}},         {"order", {order}}};
    const std::pair<const char*, std::vector<std::int64_t>> of_warp[] = {
        {"port", {50, 0, 0}},  {"latency", {2, 0, 0}}, {"waits", {0, 2, 0}},  {"joins", {0, 1, 0}},
        {"work", {1, 1, 200}}, {"next", {1, 2, -1}},   {"turn", {-1, -1, 0}}, {"trips", {2}},
        {"body", {0}},         {"next_after", {-1}},   {"turn_after", {-1}}};
    for (int warp = 0; warp < 8; ++warp) {
      for (const auto& [name, list] : of_warp)
        values[name].insert(values[name].end(), list.begin(), list.end());
    }
    const Net net = instantiate(sm_net(), values);
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      sum += static_cast<double>(run_fast(net, {.seed = seed}, 100'000).steps);
    return sum / 20;
  };
  EXPECT_NEAR(with_order(1), 5 * 200, 60);
  EXPECT_GT(with_order(0), with_order(1) + 40);
}

// Programs of three segments and two loops, with different numbers for every warp.
ParameterValues random_programs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t size) { return static_cast<std::int64_t>(random() % size); };
  ParameterValues values{{"B", {3 + below(4)}},
                         {"R", {2}},
                         {"Wb", {3}},
                         {"K", {3}},
                         {"Q", {2}},
                         {"S", {1 + below(3)}},
                         {"order", {below(2)}},
                         {"dispatch", {1 + below(9)}},
                         {"ahead", {2 + below(4)}}};
  values["blocks"] = {0, values["B"][0]};
  for (int warp = 0; warp < 6; ++warp) {
    for (int k = 0; k < 3; ++k) {
      for (const char* name : {"quick_port", "quick_latency", "port", "memory", "atomic", "slow",
                               "addresses", "latency", "tensor", "product_latency"}) {
        values[name].push_back(below(2) * below(12));
      }
      values["issue"].push_back(1 + below(5));
      values["work"].push_back(1 + below(9));
      values["waits"].push_back(below(6));
      values["joins"].push_back(k == 1);
      values["next"].push_back(k == 0 ? 1 : -1);
      values["turn"].push_back(k == 1 ? 0 : k == 2 ? 1 : -1);
    }
    for (const std::int64_t q : {0, 1}) {
      values["trips"].push_back(q == 0 ? 3 : 1 + below(4));
      values["body"].push_back(2 * q);
      values["next_after"].push_back(q == 0 ? 2 : -1);
      values["turn_after"].push_back(-1);
    }
  }
  return values;
}

TEST(SmNet, BothEnginesRunRandomProgramsAlike) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Net net = instantiate(sm_net(), random_programs(seed));
    const RunResult reference = run_reference(net, {.seed = seed}, 100'000);
    const RunResult fast = run_fast(net, {.seed = seed}, 100'000);
    ASSERT_EQ(reference.outcome, Outcome::kGoal) << seed;
    EXPECT_EQ(fast.steps, reference.steps) << seed;
    EXPECT_EQ(fast.firings, reference.firings) << seed;
    EXPECT_EQ(fast.final_marking, reference.final_marking) << seed;
  }
}

TEST(SmNet, RandomProgramsRunAlikeWithoutTheDead) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Net all = instantiate(sm_net(), random_programs(seed));
    const Net live = instantiate(sm_net(), random_programs(seed), Part::kNotDead);
    EXPECT_LT(2 * live.transition_count(), all.transition_count() * 3 / 2);
    const RunResult expected = run_fast(all, {.seed = seed}, 100'000);
    const RunResult found = run_fast(live, {.seed = seed}, 100'000);
    EXPECT_EQ(found.steps, expected.steps) << seed;
    EXPECT_EQ(found.firings, expected.firings) << seed;
    EXPECT_EQ(found.final_marking, expected.final_marking) << seed;
  }
}

TEST(SmParameters, AWarpThatHasEndedHoldsUpNoBarrier) {
  ParameterValues values = sm_parameters(uneven_launch(), h200());
  EXPECT_EQ(values.at("B"), std::vector<std::int64_t>{2});
  EXPECT_EQ(values.at("R"), std::vector<std::int64_t>{1});
  EXPECT_GT(cycles(values), 2u * 7 * 15);
}

// Three blocks of three kinds on each SM, two at a time.
Launch launch_of_three_kinds() {
  Launch launch = uneven_launch();
  launch.block = 32;
  launch.grid = 3 * 132;
  launch.resident_blocks = 2;
  launch.segments = {load_of_lines(1), load_of_lines(2), load_of_lines(3)};
  launch.warp_kinds.clear();
  launch.block_kinds.clear();
  for (std::size_t k = 0; k < 3; ++k) {
    launch.warp_kinds.push_back({132, {{1, {}, {}, k}}});
    launch.block_kinds.push_back({132, {{k, 1}}});
  }
  return launch;
}

TEST(SmParameters, FirstBlocksBeginInSlotsOfTheirOwnAndOthersInAny) {
  const ParameterValues own = sm_parameters(launch_of_three_kinds(), h200());
  EXPECT_EQ(own.at("admits"), (std::vector<std::int64_t>{1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(own.at("K"), std::vector<std::int64_t>{2})
      << "segments of the kinds that the slot may get";
  const ParameterValues any =
      sm_parameters(launch_of_three_kinds(), h200(), FirstBlocks::kInAnySlot);
  EXPECT_FALSE(any.contains("admits"));
  EXPECT_EQ(any.at("K"), std::vector<std::int64_t>{3});
  EXPECT_EQ(cycles(own), cycles(any)) << "all slots of an SM are equivalent";
}

// A user's older copy of the net without the parameter `admits`: blocks begin in any slot.
TEST(SmParameters, ATemplateWithoutSlotsOfTheirOwnIsFilledInToo) {
  const std::string file = data_root() + "/models/nets/sm.json";
  Json json = load_json(file);
  Json& parameters = json.at("parameters");
  for (auto it = parameters.begin(); it != parameters.end(); ++it) {
    if (it->at("name") != kAdmits) continue;
    parameters.erase(it);
    break;
  }
  for (Json& t : json.at("transitions")) {
    if (t.at("name") == "dispatch_block") t.at("takes").erase("never");
  }
  const NetTemplate old = read_net_template(JsonReader(json, file));
  KernelModel model;
  model.device = "h200";
  model.points = {{{}, {launch_of_three_kinds()}}};
  const auto steps = [&](const NetTemplate& net) {
    return predict({{&model, &net, &h200(), &model.points[0], {}, {}}}, {})[0].mean_steps();
  };
  EXPECT_EQ(steps(sm_net()), steps(old));
}

TEST(SmParameters, TheBlocksOfASlotCannotBeSet) {
  KernelModel model;
  model.device = "h200";
  model.points = {{{}, {launch_of_three_kinds()}}};
  EXPECT_THROW(predict({{&model, &sm_net(), &h200(), &model.points[0], {{"admits", {1}}}, {}}}, {}),
               Error);
}

// The imbalance that the data cause is the same on a larger GPU, which is never slower.
TEST(SmParameters, MoreSmsDoNotSlowALaunchThatDataMakesUneven) {
  static const KernelModel model = load_kernel_model(data_root() + "/models/mandelbrot.json");
  const RecordedPoint& point = model.point({{"width", 512}, {"tile", 16}});
  DeviceProfile twice = h200();
  twice.facts["sms"].value *= 2;
  const Prediction one = predict({{&model, &sm_net(), &h200(), &point, {}, {}}}, {})[0];
  const Prediction two = predict({{&model, &sm_net(), &twice, &point, {}, {}}}, {})[0];
  EXPECT_LT(two.mean_steps(), 0.8 * one.mean_steps());
}

TEST(SmParameters, ALaunchWithoutProgramsIsRefused) {
  Launch launch = uneven_launch();
  launch.segments.clear();
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

TEST(SmParameters, MoreThanAnSmHoldsIsRefusedBeforeAnythingIsMade) {
  Launch launch = uneven_launch();
  launch.grid = launch.warp_kinds[0].warps = launch.warp_kinds[1].warps = 1 << 20;
  launch.block_kinds[0].blocks = 1 << 20;
  launch.resident_blocks = 1024;
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

TEST(SmParameters, NumbersBeyondAnyLaunchAreRefused) {
  Launch launch = uneven_launch();
  launch.segments[0].classes["int"] = std::int64_t{1} << 62;
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

TEST(SmParameters, AProgramOfTooManySegmentsIsRefused) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(1);
  launch.warp_kinds[1].program.assign(kMaxProgramRows + 1, launch.warp_kinds[1].program[0]);
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

}  // namespace
}  // namespace pnsim
