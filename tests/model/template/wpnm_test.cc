// The paper's net as the shipped templates define it, and properties found by executing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "simulator/base/data_files.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/pnml_reader.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

Net shipped(const std::string& name, const ParameterValues& parameters) {
  return instantiate(load_net_template(find_data_file(name, {"models/nets"})), parameters);
}

std::map<std::string, Tokens> non_zero(const Net& net, const Marking& marking) {
  std::map<std::string, Tokens> out;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    if (marking[p] != 0) out[net.name_of(PlaceId{p})] = marking[p];
  }
  return out;
}

const std::string kVectors = PNSIM_TEST_DATA "/vectors/";

ParameterValues vector_parameters(const InputJson& vector) {
  ParameterValues values;
  for (const auto& [name, value] : vector.at("parameters").items()) values[name] = {value};
  return values;
}

TEST(WpnmTemplate, RunsExactlyAsItsVector) {
  const InputJson vector = load_json(kVectors + "expected.json").at("wpnm_template_3w");
  const Net net = shipped("wpnm", vector_parameters(vector));
  std::size_t runs = 0;
  for (const InputJson& row : vector.at("runs")) {
    SCOPED_TRACE(row.dump());
    const RunId id{row.at("seed"), row.at("replica"), row.at("stream")};
    const RunResult result = run_reference(net, id);
    EXPECT_EQ(outcome_name(result.outcome), row.at("outcome").get<std::string>());
    EXPECT_EQ(result.steps, row.at("steps").get<std::uint64_t>());
    EXPECT_EQ(result.firings, row.at("firings").get<std::uint64_t>());
    EXPECT_EQ(result.waiting_steps, row.at("t0_firings").get<std::uint64_t>());
    const auto final_tokens = row.at("final").get<std::map<std::string, Tokens>>();
    EXPECT_EQ(non_zero(net, result.final_marking), final_tokens);
    ++runs;
  }
  EXPECT_EQ(runs, 4u);
}

// One line per transition, with its arcs by name.
std::map<std::string, std::vector<std::string>> arcs_by_name(const Net& net) {
  std::map<std::string, std::vector<std::string>> out;
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    std::vector<std::string>& arcs = out[net.name_of(t)];
    const auto add = [&](const char* kind, PlaceId p, Tokens weight) {
      arcs.push_back(kind + net.name_of(p) + " " + std::to_string(weight));
    };
    for (const Arc& arc : net.inputs(t)) add("takes ", arc.place, arc.weight);
    for (const Arc& arc : net.outputs(t)) add("gives ", arc.place, arc.weight);
    for (const PlaceId p : net.inhibitors(t)) add("inhibited by ", p, 0);
    std::sort(arcs.begin(), arcs.end());
  }
  return out;
}

TEST(WpnmTemplate, IsTheNetOfItsVectorNodeByNode) {
  const std::string path = kVectors + "wpnm_template_3w.pnml";
  const Net expected = read_pnml(read_file(path), path).net;
  const InputJson vector = load_json(kVectors + "expected.json").at("wpnm_template_3w");
  const Net net = shipped("wpnm", vector_parameters(vector));
  ASSERT_EQ(net.place_count(), expected.place_count());
  ASSERT_EQ(net.transition_count(), expected.transition_count());
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    EXPECT_EQ(net.name_of(PlaceId{p}), expected.name_of(PlaceId{p}));
  }
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    EXPECT_EQ(net.name_of(TransitionId{t}), expected.name_of(TransitionId{t}));
  }
  EXPECT_EQ(net.initial_marking(), expected.initial_marking());
  EXPECT_EQ(arcs_by_name(net), arcs_by_name(expected));
}

TEST(WpnmTemplate, IsTheTableOfThePaper) {
  for (const bool literal : {false, true}) {
    const Net by_hand = test::wpnm_net({.warps = 3,
                                        .schedulers = 2,
                                        .l1 = 5,
                                        .l2 = 3,
                                        .xa = 2,
                                        .xs = 4,
                                        .xg = 6,
                                        .literal = literal});
    const Net net = shipped(
        literal ? "wpnm_literal" : "wpnm",
        {{"W", {3}}, {"S", {2}}, {"l1", {5}}, {"l2", {3}}, {"xa", {2}}, {"xs", {4}}, {"xg", {6}}});
    EXPECT_EQ(arcs_by_name(net), arcs_by_name(by_hand));
    EXPECT_EQ(non_zero(net, net.initial_marking()), non_zero(by_hand, by_hand.initial_marking()));
    EXPECT_EQ(net.goal().size(), by_hand.goal().size());
  }
}

TEST(WpnmTemplate, HasThePapersDefaults) {
  const NetTemplate t = load_net_template(find_data_file("wpnm", {"models/nets"}));
  EXPECT_EQ(t.find_parameter("l1")->default_value, 20);
  EXPECT_EQ(t.find_parameter("l2")->default_value, 2);
  EXPECT_EQ(t.find_parameter("S")->default_value, 4);
}

TEST(WpnmTemplate, WarpsMayHaveUnequalCounts) {
  const std::string path = kVectors + "wpnm_unequal_3w.pnml";
  const Net vector = read_pnml(read_file(path), path).net;
  const auto counts = [&](const char* place) {
    std::vector<std::int64_t> list;
    for (const PlaceId p : places_named(vector, place)) {
      list.push_back(vector.initial_marking()[p.value]);
    }
    return list;
  };
  const auto weight = [&](const char* transition, const char* place) {
    for (const Arc& arc : vector.outputs(vector.find_transition(transition).value())) {
      if (vector.name_of(arc.place) == place) return arc.weight;
    }
    return Tokens{0};
  };
  const Net net =
      shipped("wpnm", {{"W", {3}},
                       {"S", {vector.initial_marking()[vector.find_place("p0")->value]}},
                       {"l1", {weight("t5.0", "p12.0") - 1}},
                       {"l2", {weight("t6.0", "p15.0") - 1}},
                       {"xa", counts("p5")},
                       {"xs", counts("p7")},
                       {"xg", counts("p9")}});
  EXPECT_EQ(arcs_by_name(net), arcs_by_name(vector));
  EXPECT_EQ(non_zero(net, net.initial_marking()), non_zero(vector, vector.initial_marking()));
}

TEST(WpnmFacts, ALoneWarpNeedsTheStepsOfThePaper) {
  for (const std::int64_t l1 : {0, 1, 2, 20, 333}) {
    for (const std::int64_t l2 : {0, 1, 2, 50}) {
      const auto steps = [&](std::int64_t xa, std::int64_t xs, std::int64_t xg) {
        return static_cast<std::int64_t>(run_reference(shipped("wpnm", {{"W", {1}},
                                                                        {"l1", {l1}},
                                                                        {"l2", {l2}},
                                                                        {"xa", {xa}},
                                                                        {"xs", {xs}},
                                                                        {"xg", {xg}}}),
                                                       {})
                                             .steps);
      };
      EXPECT_EQ(steps(0, 0, 0), 1);
      EXPECT_EQ(steps(5, 0, 0), 5 * 4 + 1);
      EXPECT_EQ(steps(0, 3, 0), 3 * (5 + l2) + 1);
      EXPECT_EQ(steps(0, 0, 3), 3 * (5 + l1) + 1);
      EXPECT_EQ(steps(4, 2, 3), 4 * 4 + 2 * (5 + l2) + 3 * (5 + l1) + 1);
    }
  }
}

TEST(WpnmFacts, WaitingAndIdleStepsOfALoneWarpByHand) {
  const auto run = [](std::int64_t xa, std::int64_t xg) {
    return run_reference(
        shipped("wpnm",
                {{"W", {1}}, {"S", {1}}, {"l1", {3}}, {"xa", {xa}}, {"xs", {0}}, {"xg", {xg}}}),
        {});
  };
  // t2 (scheduler idle), t1, t7, t15, t16 (idle).
  EXPECT_EQ(run(1, 0).waiting_steps, 0u);
  EXPECT_EQ(run(1, 0).idle_scheduler_steps, 2u);
  // t4 (idle), t1, t5, then t0 beside t8 t8 t8 t9 t11 (idle, waiting), t16 (idle).
  EXPECT_EQ(run(0, 1).waiting_steps, 5u);
  EXPECT_EQ(run(0, 1).idle_scheduler_steps, 7u);
}

TEST(WpnmFacts, TheDefaultNetLosesNothing) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    for (const std::int64_t l1 : {0, 7}) {
      const Net net = shipped("wpnm", {{"W", {12}},
                                       {"S", {3}},
                                       {"l1", {l1}},
                                       {"l2", {1}},
                                       {"xa", {5}},
                                       {"xs", {3}},
                                       {"xg", {4}}});
      const RunResult result = run_reference(net, {.seed = seed});
      EXPECT_EQ(result.outcome, Outcome::kGoal);
      EXPECT_EQ(non_zero(net, result.final_marking), (std::map<std::string, Tokens>{{"p0", 3}}));
    }
  }
}

TEST(WpnmFacts, TheLiteralNetMayLoseItsOnlyInstruction) {
  const Net net = shipped("wpnm_literal", {{"W", {1}}, {"xa", {1}}, {"xs", {0}}, {"xg", {0}}});
  std::map<std::uint64_t, int> times;  // steps of a run -> runs
  for (std::uint32_t replica = 0; replica < 200; ++replica) {
    const RunResult result = run_reference(net, {.seed = 1, .replica = replica});
    ++times[result.steps];
    // In 2 steps the instruction is lost: p4 and p6 keep its tokens for ever.
    EXPECT_EQ(non_zero(net, result.final_marking).contains("p4.0"), result.steps == 2);
  }
  // 2 or 5 steps with probability 1/2 each, mean 7/2; 200 trials: 5 sigma is 35.
  EXPECT_EQ(times[2] + times[5], 200);
  EXPECT_NEAR(times[2], 100, 35);
}

TEST(WpnmFacts, With64WarpsTheLiteralNetEndsMostOfThemEarly) {
  const Net net =
      shipped("wpnm_literal", {{"W", {64}}, {"S", {4}}, {"xa", {100}}, {"xs", {20}}, {"xg", {20}}});
  const RunResult result = run_reference(net, {.seed = 1});
  EXPECT_EQ(result.outcome, Outcome::kGoal);
  std::int64_t lost = 0;
  for (const PlaceId p : places_named(net, "p4")) lost += result.final_marking[p.value];
  EXPECT_GT(lost, 0.85 * 64);
}

TEST(WpnmFacts, ThereIsNoDeadMarkingAtTheEnd) {
  const Net net = shipped("wpnm", {{"W", {2}}, {"S", {1}}});
  const RunResult ended = run_reference(net, {});
  ASSERT_EQ(ended.outcome, Outcome::kGoal);
  StepPlan plan(net);
  plan.examine(ended.final_marking);
  ASSERT_EQ(plan.enabled().size(), 1u);
  EXPECT_EQ(net.name_of(plan.enabled()[0]), "t0");
  // Without its goal the net never stops.
  EXPECT_EQ(run_reference(net.with_goal({}), {}, 500).outcome, Outcome::kLimit);
}

TEST(WpnmFacts, SixtyFourWarpsTakeAbout7385Steps) {
  const Net net = shipped("wpnm", {{"W", {64}},
                                   {"S", {4}},
                                   {"l1", {20}},
                                   {"l2", {2}},
                                   {"xa", {100}},
                                   {"xs", {20}},
                                   {"xg", {20}}});
  double steps = 0, firings = 0;
  constexpr std::uint32_t kReplicas = 3;
  for (std::uint32_t replica = 0; replica < kReplicas; ++replica) {
    const RunResult result = run_reference(net, {.seed = 1, .replica = replica});
    steps += static_cast<double>(result.steps) / kReplicas;
    firings += static_cast<double>(result.firings) / kReplicas;
  }
  EXPECT_NEAR(steps, 7385, 0.01 * 7385);
  EXPECT_NEAR(firings, 66'600, 0.01 * 66'600);
}

}  // namespace
}  // namespace pnsim
