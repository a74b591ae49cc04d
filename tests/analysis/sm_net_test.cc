// models/nets/sm.json: what its modules take, in cycles, on programs small enough to count by hand;
// and how launches become its parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simulator/analysis/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "simulator/model/executions.h"
#include "simulator/model/instantiate.h"
#include "simulator/model/segment_cost.h"
#include "simulator/model/sm_parameters.h"

namespace pnsim {
namespace {

const NetTemplate& sm_net() {
  static const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  return net;
}

const DeviceProfile& h200() {
  static const DeviceProfile device = load_device_profile("h200");
  return device;
}

std::uint64_t cycles(const ParameterValues& values) {
  const RunResult result = run_reference(instantiate(sm_net(), values), {}, 1'000'000);
  EXPECT_EQ(result.outcome, Outcome::kGoal);
  return result.steps;
}

// A block is dispatched, its warp begins, issues, ends, the block retires: one step each.
TEST(SmNet, an_empty_block_takes_five_cycles) { EXPECT_EQ(cycles({}), 5u); }

TEST(SmNet, a_segment_takes_its_work_and_the_launch_its_overhead) {
  EXPECT_EQ(cycles({{"issue", {10}}, {"work", {14}}}), 5u + 12);
  EXPECT_EQ(cycles({{"launch", {100}}}), 105u);
}

TEST(SmNet, warps_of_one_scheduler_take_turns_and_those_of_two_do_not) {
  const ParameterValues two{{"Wb", {2}}, {"issue", {10}}, {"work", {10}}};
  ParameterValues one_scheduler = two;
  one_scheduler["S"] = {1};
  EXPECT_EQ(cycles(two), 5u + 8);
  EXPECT_EQ(cycles(one_scheduler), 5u + 8 + 10);
}

TEST(SmNet, a_loop_makes_its_trips) {
  const auto with_trips = [&](std::int64_t trips) {
    return cycles({{"turn", {0}}, {"trips", {trips}}, {"work", {20}}});
  };
  EXPECT_EQ(with_trips(6) - with_trips(5), 21u) << "20 and the way back";
  EXPECT_EQ(with_trips(1), 5u + 18 + 1);
}

TEST(SmNet, a_nested_loop_makes_the_product_of_the_trips) {
  const auto nested = [&](std::int64_t outer, std::int64_t inner) {
    return cycles({{"Q", {2}}, {"turn", {0}}, {"trips", {inner, outer}}, {"body", {0, 0}},
                   {"next_after", {-1, -1}}, {"turn_after", {1, -1}}, {"work", {20}}});
  };
  EXPECT_EQ(nested(3, 4) - nested(2, 4), 4u * 21 + 1);
}

ParameterValues load_and_use(std::int64_t waits) {
  return {{"K", {2}},         {"next", {1, -1}},       {"port", {3, 0}}, {"memory", {8, 0}},
          {"latency", {100, 0}}, {"waits", {0, waits}}, {"work", {5}}};
}

TEST(SmNet, only_who_waits_for_a_load_waits_for_it) {
  const std::uint64_t at_once = cycles(load_and_use(0));
  EXPECT_EQ(cycles(load_and_use(1)), at_once) << "a load from memory is no quick result";
  EXPECT_GT(cycles(load_and_use(2)), at_once + 90);
  EXPECT_LT(cycles(load_and_use(2)), at_once + 110);
}

TEST(SmNet, accesses_share_the_port_and_the_way_to_memory) {
  const auto with_warps = [](std::int64_t warps, const char* unit) {
    ParameterValues values{{"Wb", {warps}}, {"port", {2}}, {"memory", {2}}};
    values[unit] = {50};
    return cycles(values);
  };
  for (const char* unit : {"port", "memory"}) {
    EXPECT_EQ(with_warps(9, unit) - with_warps(8, unit), 50u) << unit;
  }
}

// The share serves one access after the other; with room ahead, results are on their way before that.
TEST(SmNet, accesses_may_set_out_ahead_of_their_share) {
  const auto with_ahead = [](std::int64_t ahead) {
    ParameterValues values{{"Wb", {8}}, {"K", {2}}, {"ahead", {ahead}}};
    for (int warp = 0; warp < 8; ++warp) {
      const std::pair<const char*, std::int64_t> first[] = {{"next", 1}, {"port", 1}, {"memory", 50},
                                                            {"latency", 300}, {"waits", 0}};
      const std::int64_t second[] = {-1, 0, 0, 0, 2};
      for (std::size_t i = 0; i < 5; ++i) {
        values[first[i].first].insert(values[first[i].first].end(), {first[i].second, second[i]});
      }
    }
    return cycles(values);
  };
  EXPECT_GT(with_ahead(2), 7u * 50 - 50 + 300) << "the last one sets out when it is nearly served";
  EXPECT_LT(with_ahead(8), 8u * 50 + 20) << "all set out at once: the share takes longer than they";
  EXPECT_GT(with_ahead(8), 8u * 50);
}

TEST(SmNet, atomics_hold_up_each_other_and_no_loads) {
  const auto with_atomics = [](std::int64_t cycles_each) {
    return cycles({{"Wb", {2}}, {"K", {2}}, {"next", {1, -1, 1, -1}}, {"port", {1, 0, 1, 0}},
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

TEST(SmNet, slow_units_of_a_scheduler_hold_up_who_needs_them_alone) {
  const auto with_slow = [](std::vector<std::int64_t> slow) {
    return cycles({{"S", {1}}, {"Wb", {2}}, {"K", {1}}, {"issue", {4}}, {"work", {4}}, {"slow", slow}});
  };
  EXPECT_EQ(with_slow({100, 100}), with_slow({100, 0}) + 96) << "the second waits for the first's 100";
  EXPECT_EQ(with_slow({100, 0}), with_slow({0, 0}));
}

TEST(SmNet, a_barrier_waits_for_the_slowest_and_takes_its_time) {
  const auto with_barrier = [](std::int64_t barrier) {
    return cycles({{"Wb", {2}}, {"K", {2}}, {"next", {1, -1, 1, -1}}, {"joins", {1, 0, 1, 0}},
                   {"work", {10, 5, 50, 5}}, {"barrier", {barrier}}});
  };
  EXPECT_EQ(with_barrier(20), 5u + 48 + 20 + 4);
  EXPECT_EQ(with_barrier(30) - with_barrier(20), 10u);
}

TEST(SmNet, blocks_wait_for_a_slot_and_for_their_dispatch) {
  const auto with_dispatch = [](std::int64_t dispatch) {
    return cycles({{"B", {10}}, {"blocks", {0, 10}}, {"R", {2}}, {"dispatch", {dispatch}}, {"work", {20}}});
  };
  EXPECT_EQ(with_dispatch(100), 9u * 100 + 5 + 18);
  EXPECT_LT(with_dispatch(1), 10u * 25 / 2);
}

// Programs of three segments and two loops, other numbers for every warp.
ParameterValues random_programs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t size) { return static_cast<std::int64_t>(random() % size); };
  ParameterValues values{{"B", {3 + below(4)}}, {"R", {2}}, {"Wb", {3}}, {"K", {3}}, {"Q", {2}},
                         {"S", {1 + below(3)}}, {"dispatch", {1 + below(9)}}, {"ahead", {1 + below(4)}}};
  values["blocks"] = {0, values["B"][0]};
  for (int warp = 0; warp < 6; ++warp) {
    for (int k = 0; k < 3; ++k) {
      for (const char* name : {"quick_port", "quick_latency", "port", "memory", "atomic", "slow", "latency"}) {
        values[name].push_back(below(2) * below(12));
      }
      values["issue"].push_back(1 + below(5));
      values["work"].push_back(1 + below(9));
      values["waits"].push_back(below(3));
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

TEST(SmNet, both_engines_run_random_programs_alike) {
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

Segment arithmetic(std::int64_t fp32, std::int64_t logic) {
  Segment segment;
  segment.classes = {{"fp32", fp32}, {"int", logic}};
  return segment;
}

TEST(SegmentCost, arithmetic_takes_issue_slots_pipes_and_dependences) {
  const CostModel model(h200(), {}, 132);
  EXPECT_NEAR(model.cost(arithmetic(10, 0)).issue, 10, 0.5);
  EXPECT_NEAR(model.cost(arithmetic(0, 10)).issue, 20, 0.5) << "half rate";
  Segment chain = arithmetic(10, 0);
  chain.distances = {9, 0, 0};
  EXPECT_NEAR(model.cost(chain).work, 10 + 9 * 3, 1);
  EXPECT_NEAR(model.cost(chain).issue, 10, 0.5) << "others may issue meanwhile";
}

TEST(SegmentCost, results_take_longer_to_another_pipe_and_in_double_precision) {
  const CostModel model(h200(), {}, 132);
  Segment same = arithmetic(10, 0), across = same, doubled = same;
  same.distances = {5, 0, 0};
  across.distances_across = {5, 0, 0, 0};
  doubled.distances_double = {5, 0, 0, 0, 0, 0, 0};
  EXPECT_NEAR(model.cost(across).work - model.cost(same).work, 5, 0.5);
  EXPECT_NEAR(model.cost(doubled).work - model.cost(same).work, 5 * 4, 0.5);
}

TEST(SegmentCost, branches_and_meetings_of_lanes_take_time_and_no_slots) {
  const CostModel model(h200(), {}, 132);
  Segment plain = arithmetic(10, 0), branches = plain, meets = plain;
  branches.branches = 2;
  meets.meets = 1;
  EXPECT_NEAR(model.cost(branches).work - model.cost(plain).work, 2 * model.branch_cycles(), 1e-9);
  EXPECT_NEAR(model.cost(meets).work - model.cost(plain).work, model.meet_cycles(), 1e-9);
  EXPECT_EQ(model.cost(meets).issue, model.cost(plain).issue);
  EXPECT_NEAR(model.branch_cycles(), 11, 2);
  EXPECT_NEAR(model.meet_cycles(), 10, 3);
}

TEST(SegmentCost, special_functions_and_constants_have_a_unit_of_their_own) {
  Segment special, constant;
  special.classes = {{"special", 3}, {"fp32", 5}};
  constant.classes = {{"constant_load", 2}};
  const CostModel model(h200(), {}, 132);
  EXPECT_NEAR(model.cost(special).slow, 3 * 8, 0.1);
  EXPECT_NEAR(model.cost(special).issue, 8, 0.1);
  EXPECT_NEAR(model.cost(constant).slow, 2 * 8, 0.1);
  // The last of a hundred is begun when the unit has taken the others.
  special.classes["special"] = 101;
  EXPECT_NEAR(model.cost(special).quick_latency, 100 * 8 + h200().value("special_latency_cycles"), 1);
}

// Two kinds of warps in a block: one loops over a barrier, one ends at once.
Launch uneven_launch() {
  Launch launch;
  launch.kernel = "uneven";
  launch.grid = 264;
  launch.block = 64;
  launch.resident_blocks = 1;
  Segment work = arithmetic(5, 5), join = arithmetic(1, 0);
  join.end = SegmentEnd::kBarrier;
  launch.segments = {work, join};
  const auto item = [](std::size_t segment) {
    ProgramItem out;
    out.segment = segment;
    return out;
  };
  ProgramItem loop;
  loop.repeat = 7;
  loop.body = {item(0), item(1)};
  launch.warp_kinds = {{264, {loop, item(0)}}, {264, {item(0)}}};
  launch.block_kinds = {{264, {{0, 1}, {1, 1}}}};
  return launch;
}

// The profiler counts a sector for each turn of lanes that meet in a word: the busiest slice's, one after
// the other.
TEST(SegmentCost, atomics_take_the_busiest_slices_time) {
  Launch launch = uneven_launch();
  Segment add;
  add.classes = {{"global_reduction", 1}};
  add.accesses.push_back({"global_reduction", 1, 4, 1, 1, 0, 32});
  launch.segments[0] = add;
  const auto cycles_of = [&](std::int64_t busiest) {
    launch.counters["l2_reduction_sectors_busiest"] = busiest;
    return CostModel(h200(), launch, 132).cost(std::size_t{0}).atomic;
  };
  const auto executions = static_cast<std::int64_t>(executions_of(launch)[0]);
  EXPECT_NEAR(cycles_of(8 * executions) / cycles_of(executions), 8, 1e-9);
  EXPECT_NEAR(cycles_of(executions), h200().value("global_atomic_lane_ns") * 1.98 * 132, 1e-6);
}

TEST(SegmentCost, fewer_active_sms_have_more_of_the_bandwidth_each) {
  Segment load;
  load.classes = {{"global_load", 1}};
  load.accesses.push_back({"global_load", 1, 4, 4, 1, 0});
  const double all = CostModel(h200(), {}, 132).cost(load).memory;
  EXPECT_GT(all, CostModel(h200(), {}, 66).cost(load).memory);
  EXPECT_GE(CostModel(h200(), {}, 1).cost(load).memory, 4 * 0.5) << "what the wires carry";
  EXPECT_GT(CostModel(h200(), {}, 132).cost(load).latency, 200);
}

TEST(SegmentCost, barriers_cost_what_was_measured) {
  const CostModel model(h200(), {}, 132);
  EXPECT_EQ(model.barrier_cycles(), std::llround(h200().value("barrier_1_warp_cycles")))
      << "the arrivals of more warps are the net's";
}

TEST(SmParameters, a_warp_that_has_ended_holds_up_no_barrier) {
  ParameterValues values = sm_parameters(uneven_launch(), h200());
  EXPECT_EQ(values.at("B"), std::vector<std::int64_t>{2});
  EXPECT_EQ(values.at("R"), std::vector<std::int64_t>{1});
  EXPECT_GT(cycles(values), 2u * 7 * 15);
}

// The data's doing is the same on a larger GPU, which is never slower.
TEST(SmParameters, more_sms_do_not_slow_a_launch_that_data_makes_uneven) {
  static const KernelModel model = load_kernel_model(data_root() + "/models/mandelbrot.json");
  const RecordedPoint& point = model.point({{"width", 512}, {"tile", 16}});
  DeviceProfile twice = h200();
  twice.facts["sms"].value *= 2;
  const Prediction one = predict({{&model, &sm_net(), &h200(), &point, {}, {}}}, {})[0];
  const Prediction two = predict({{&model, &sm_net(), &twice, &point, {}, {}}}, {})[0];
  EXPECT_LT(two.mean_steps(), 0.8 * one.mean_steps());
}

TEST(SmParameters, a_launch_without_programs_is_refused) {
  Launch launch = uneven_launch();
  launch.segments.clear();
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

TEST(SmParameters, more_than_an_sm_holds_is_refused_before_anything_is_made) {
  Launch launch = uneven_launch();
  launch.grid = 1 << 20;
  launch.resident_blocks = 1024;
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

TEST(SmParameters, numbers_beyond_any_launch_are_refused) {
  Launch launch = uneven_launch();
  launch.segments[0].classes["int"] = std::int64_t{1} << 62;
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

TEST(SmParameters, a_program_of_too_many_segments_is_refused) {
  Launch launch = uneven_launch();
  launch.warp_kinds[1].program.assign(5000, launch.warp_kinds[1].program[0]);
  EXPECT_THROW(sm_parameters(launch, h200()), Error);
}

}  // namespace
}  // namespace pnsim
