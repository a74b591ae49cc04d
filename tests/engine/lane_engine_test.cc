// The lane engine: which nets it supports, and that it runs the shipped nets like the reference
// engine.
#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/engine/lane_program_maker.h"
#include "simulator/engine/philox_batch.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/net_file.h"
#include "tests/engine/compare_lanes.h"
#include "tests/support/random_net.h"

namespace pnsim {
namespace {

Net shipped(const std::string& name, const ParameterValues& overrides) {
  return instantiate(load_net_template(data_root() + "/models/nets/" + name + ".json"), overrides);
}

Net vector_net(const std::string& name) {
  return load_net_file(std::string(PNSIM_TEST_DATA) + "/vectors/" + name + ".pnml").net;
}

class PaperNet : public testing::TestWithParam<std::string> {};

TEST_P(PaperNet, IsMadeOfAsManyLanesAsItHasWarps) {
  for (const std::int64_t warps : {2, 3, 64, 65, 1024}) {
    const Net net = shipped(GetParam(), {{"W", {warps}}});
    std::string why;
    const auto program = make_lane_program(net, &why);
    ASSERT_TRUE(program) << why;
    EXPECT_EQ(program->lanes(), static_cast<std::size_t>(warps));
    EXPECT_EQ(program->split().shared_places, (std::vector<PlaceId>{{0}}));
    EXPECT_EQ(program->split().shared_transitions, (std::vector<TransitionId>{{0}}));
  }
}

TEST_P(PaperNet, RunsStepByStepAsTheReferenceFor2To1024Warps) {
  for (const std::int64_t warps : {2, 3, 7, 16, 63, 64, 65, 127, 128, 1024}) {
    for (const std::int64_t l1 : {0, 1, 20}) {
      const Net net = shipped(GetParam(), {{"W", {warps}}, {"l1", {l1}}, {"xa", {4}}, {"S", {3}}});
      const auto program = make_lane_program(net);
      ASSERT_TRUE(program);
      const std::uint64_t max_steps = warps > 128 ? 30 : warps > 16 ? 120 : 700;
      EXPECT_GT(test::compare_lane_steps(*program, {.seed = 7, .replica = 2}, max_steps), 5u);
    }
  }
}

TEST_P(PaperNet, CountsWholeRunsAsTheReference) {
  for (const std::int64_t warps : {2, 12, 64, 65, 128}) {
    const Net net = shipped(GetParam(), {{"W", {warps}}, {"xa", {6}}, {"S", {2}}, {"l1", {30}}});
    FastRunner runner(net);
    EXPECT_TRUE(runner.uses_lanes());
    for (std::uint32_t replica = 0; replica < 4; ++replica) {
      test::compare_runs(runner, net, {.replica = replica}, kDefaultMaxSteps);
    }
    for (std::uint64_t limit = 0; limit < 60; limit += 7)
      test::compare_runs(runner, net, {}, limit);
  }
}

TEST_P(PaperNet, RunsTheSameWithUnequalWarps) {
  const Net net =
      shipped(GetParam(), {{"W", {5}}, {"xa", {9, 0, 3, 3, 1}}, {"xg", {0, 2, 1, 4, 0}}});
  FastRunner runner(net);
  EXPECT_TRUE(runner.uses_lanes());
  for (std::uint32_t replica = 0; replica < 20; ++replica) {
    test::compare_runs(runner, net, {.replica = replica}, kDefaultMaxSteps);
  }
}

TEST_P(PaperNet, StopsInTheRightStepAmidALongLatency) {
  const Net net = shipped(GetParam(), {{"W", {3}}, {"l1", {5000}}, {"xa", {1}}, {"xg", {2}}});
  FastRunner runner(net);
  for (const std::uint64_t limit : {4u, 5u, 6u, 7u, 100u, 2048u, 2060u, 4999u, 5008u, 10100u}) {
    test::compare_runs(runner, net, {}, limit);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PaperNet, testing::Values("wpnm", "wpnm_literal"),
                         [](const auto& test) { return test.param; });

// t1 and t16 of a warp race when its last instruction is selected; thousands of others wait then.
TEST(LaneEngine, ListsOnlyTheLanesThatRaceAndNotThoseThatWait) {
  const Net net = shipped("wpnm_literal", {{"W", {2000}}, {"xa", {30}}, {"xs", {5}}, {"xg", {5}}});
  const auto program = make_lane_program(net);
  ASSERT_TRUE(program);
  LaneMachine machine(*program);
  LaneEngine<ManyWordSet> engine(*program, machine, {.seed = 5});
  EXPECT_EQ(engine.run(kDefaultMaxSteps), Outcome::kGoal);
  EXPECT_GT(engine.listed(), 1000u);
  EXPECT_LT(engine.listed(), 10 * engine.steps());
  FastRunner runner(net);
  test::compare_runs(runner, net, {.seed = 5}, 2500);
}

TEST(LaneEngine, TakesNetsFromPnmlInAnyOrderOfNodes) {
  for (const std::string name : {"wpnm_2w", "wpnm_16w", "wpnm_16w_s8", "wpnm_literal_2w",
                                 "wpnm_literal_4w", "wpnm_template_3w", "wpnm_unequal_3w"}) {
    const Net net = vector_net(name);
    FastRunner runner(net);
    EXPECT_TRUE(runner.uses_lanes()) << name << ": " << runner.why_not_lanes();
    const auto program = make_lane_program(net);
    ASSERT_TRUE(program);
    EXPECT_GT(test::compare_lane_steps(*program, {.seed = 3}, 300), 10u) << name;
    test::compare_runs(runner, net, {.seed = 3}, 5000);
  }
}

TEST(LaneEngine, LeavesNetsWithoutLanesToTheIncrementalEngine) {
  const Net net = test::random_net(5);
  FastRunner runner(net);
  EXPECT_FALSE(runner.uses_lanes());
  EXPECT_EQ(runner.why_not_lanes(), "found no replicated parts");
  test::compare_runs(runner, net, {}, 100);
}

TEST(LaneEngine, DoesNotTakeLonePlacesOrLoneTransitionsForLanes) {
  NetBuilder builder("lone");
  const PlaceId shared = builder.add_place("s", 2);
  const TransitionId look = builder.add_transition("look");
  builder.add_input(look, shared);
  for (const char* name : {"a.0", "a.1"}) builder.add_inhibitor(look, builder.add_place(name, 0));
  for (const char* name : {"t.0", "t.1", "t.2"})
    builder.add_input(builder.add_transition(name), shared);
  const Net net = builder.build();
  FastRunner runner(net);
  EXPECT_FALSE(runner.uses_lanes());
  test::compare_runs(runner, net, {}, 10);
}

TEST(LaneEngine, GivesUpOnLanesWithEndlesslyManyStatesAndTheResultIsRight) {
  NetBuilder builder("growing");
  const PlaceId shared = builder.add_place("s", 1);
  for (int lane = 0; lane < 3; ++lane) {
    const std::string n = "." + std::to_string(lane);
    const PlaceId a = builder.add_place("a" + n, 1), b = builder.add_place("b" + n, 0);
    const TransitionId grow = builder.add_transition("grow" + n);
    builder.add_input(grow, a);
    builder.add_input(grow, shared);
    builder.add_output(grow, a);
    builder.add_output(grow, shared);
    builder.add_output(grow, b);
  }
  const Net net = builder.build();
  FastRunner runner(net);
  EXPECT_TRUE(runner.uses_lanes());
  test::compare_runs(runner, net, {}, 20'000);
}

TEST(DrawSteps, AreTheBlocksOfTheLaw) {
  for (const RunKey key : {RunKey{0, 0}, RunKey{~0u, 1}, run_key({.seed = 9, .replica = 4})}) {
    for (const std::uint64_t first : {0ull, 1ull, 77ull, 0xfffffffaull, 0x123456789abcdefull}) {
      DrawBatch batch;
      draw_steps(key, PlaceId{17}, first, batch);
      EXPECT_EQ(FirstWords(key)(PlaceId{17}, first), draw_block(key, PlaceId{17}, first, 0)[0]);
      for (std::size_t i = 0; i < kDrawBatch; ++i) {
        EXPECT_EQ(batch[i], draw_block(key, PlaceId{17}, first + i, 0)) << first + i;
      }
    }
  }
}

}  // namespace
}  // namespace pnsim
