// The fast engine follows the same firing rule as the reference engine: comparison step by step,
// whole markings, on random nets and on the shipped nets.
#include <gtest/gtest.h>

#include <random>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/run.h"
#include "simulator/engine/timers.h"
#include "simulator/model/template/instantiate.h"
#include "tests/engine/compare_engines.h"
#include "tests/engine/same_run.h"
#include "tests/support/random_net.h"

namespace pnsim {
namespace {

using test::compare_engines;

// Nets of many shapes: few places and many takers, long and wide, with and without a goal.
Net varied_net(std::uint64_t seed) {
  using test::Flow;
  const auto pick = [&](std::uint64_t salt, std::uint64_t size) { return (seed / salt) % size; };
  return test::random_net(seed, {.places = static_cast<std::uint32_t>(2 + pick(1, 9)),
                                 .transitions = static_cast<std::uint32_t>(1 + pick(3, 14)),
                                 .max_inputs = static_cast<std::uint32_t>(1 + pick(7, 3)),
                                 .max_tokens = static_cast<Tokens>(1 + pick(5, 6)),
                                 .max_weight = static_cast<Tokens>(1 + pick(11, 4)),
                                 .inhibitor_percent = static_cast<std::uint32_t>(pick(2, 5) * 20),
                                 .goal = pick(13, 2) == 0,
                                 .flow = static_cast<Flow>(pick(17, 3))});
}

TEST(EngineEquality, AThousandRandomNetsStepByStep) {
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    steps += compare_engines(varied_net(seed), {.seed = seed, .replica = 3, .stream = 1}, 60);
  }
  EXPECT_GT(steps, 5000u) << "too few steps to say anything";
}

// The goal is a number of tokens, of a place that may be the place of a timer, a hub or a gate.
TEST(EngineEquality, GoalsOfNumbersEndTheSameRuns) {
  std::uint64_t steps = 0, reached = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    const Net net = varied_net(seed);
    const PlaceId place{static_cast<std::uint32_t>(seed % net.place_count())};
    const Tokens tokens = 1 + static_cast<Tokens>(seed % 4);
    const Net wanted =
        net.with_goal({{}, {{place, tokens, tokens + static_cast<Tokens>(seed % 2)}}});
    steps += compare_engines(wanted, {.seed = seed}, 60);
    reached += run_fast(wanted, {.seed = seed}, 60).outcome == Outcome::kGoal ? 1 : 0;
    EXPECT_EQ(run_fast(wanted, {.seed = seed}, 60).steps,
              run_reference(wanted, {.seed = seed}, 60).steps);
  }
  EXPECT_GT(reached, 50u);
  EXPECT_GT(steps, 1000u);
}

// A countdown and a delay whose own places are in the goal.
TEST(EngineEquality, GoalsCountTheTokensOfTimers) {
  const Net net = instantiate(load_net_template(data_root() + "/models/nets/wpnm.json"),
                              {{"W", {2}}, {"l1", {9}}, {"xg", {3}}});
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    for (const Tokens tokens : {1, 2, 5}) {
      const Net wanted = net.with_goal({{}, {{PlaceId{p}, tokens, kMaxTokens}}});
      compare_engines(wanted, {.seed = 5}, 300);
    }
  }
}

class ShippedNet : public testing::TestWithParam<std::string> {};

TEST_P(ShippedNet, RunsTheSameOnBothEnginesFor1To1024Warps) {
  const NetTemplate net_template =
      load_net_template(data_root() + "/models/nets/" + GetParam() + ".json");
  for (const std::int64_t warps : {1, 2, 3, 7, 16, 64, 1024}) {
    const std::uint64_t max_steps = warps > 64 ? 40 : 700;
    for (const std::int64_t l1 : {0, 1, 20}) {
      const Net net =
          instantiate(net_template, {{"W", {warps}}, {"l1", {l1}}, {"xa", {4}}, {"S", {3}}});
      EXPECT_GT(compare_engines(net, {.seed = 7, .replica = 2}, max_steps), 5u);
    }
  }
}

TEST_P(ShippedNet, RunsTheSameWithUnequalWarps) {
  const NetTemplate net_template =
      load_net_template(data_root() + "/models/nets/" + GetParam() + ".json");
  const Net net =
      instantiate(net_template, {{"W", {5}}, {"xa", {9, 0, 3, 3, 1}}, {"xg", {0, 2, 1, 4, 0}}});
  EXPECT_GT(compare_engines(net, {}, 1000), 20u);
}

// The shipped nets of warps, without those of blocks.
std::vector<std::string> nets_of_warps() {
  std::vector<std::string> names = shipped_names("models/nets");
  std::erase_if(names, [](const std::string& name) {
    return !load_net_template(data_root() + "/models/nets/" + name + ".json").find_parameter("W");
  });
  return names;
}

TEST(EngineEquality, AllShippedNetsRunTheSameAsTheyAre) {
  for (const std::string& name : shipped_names("models/nets")) {
    const Net net = instantiate(load_net_template(data_root() + "/models/nets/" + name + ".json"));
    EXPECT_GT(compare_engines(net, {.seed = 3}, 1000), 4u) << name;
  }
}

TEST(EngineEquality, WarpsThatWalkProgramsRunTheSame) {
  const NetTemplate sm = load_net_template(data_root() + "/models/nets/sm.json");
  const Net net =
      instantiate(sm, {{"R", {2}},
                       {"Wb", {3}},
                       {"B", {5}},
                       {"blocks", {0, 5}},
                       {"K", {3}},
                       {"S", {2}},
                       {"next", {1, 2, -1, 1, 2, -1, 1, 2, -1, 1, 2, -1, 1, 2, -1, 1, 2, -1}},
                       {"joins", {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0}},
                       {"issue", {5}},
                       {"work", {9}},
                       {"port", {3}},
                       {"memory", {7}},
                       {"latency", {40}},
                       {"waits", {2}},
                       {"barrier", {12}}});
  EXPECT_GT(compare_engines(net, {.seed = 3}, 5000), 300u);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedNet, testing::ValuesIn(nets_of_warps()),
                         [](const auto& test) { return test.param; });

// A random net with delays between random places. Some delays are started again while they run, or
// with other amounts. Some have inhibited ends, some start themselves, and some nets have clocks.
Net delayed_net(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t size) { return random() % size; };
  NetBuilder builder("delayed" + std::to_string(seed));
  std::vector<PlaceId> places;
  for (int i = 0; i < 4; ++i) {
    places.push_back(builder.add_place("p" + std::to_string(i), static_cast<Tokens>(below(3))));
  }
  const auto any = [&] { return places[below(places.size())]; };
  for (int d = 0; d < 4; ++d) {
    const std::string name = "d" + std::to_string(d);
    const auto length = static_cast<Tokens>(1 + below(6));
    const PlaceId wait = builder.add_place(name + "_wait", below(4) == 0 ? length + 1 : 0);
    const PlaceId passed = builder.add_place(name + "_passed");
    const TransitionId start = builder.add_transition(name + "_start");
    const TransitionId tick = builder.add_transition(name + "_tick");
    const TransitionId end = builder.add_transition(name + "_end");
    builder.add_input(start, any());
    if (below(3) == 0) builder.add_inhibitor(start, wait);
    builder.add_output(start, wait, below(5) == 0 ? length : length + 1);
    builder.add_input(tick, wait, 2);
    builder.add_output(tick, wait);
    builder.add_output(tick, passed);
    builder.add_input(end, wait);
    builder.add_input(end, passed, length);
    builder.add_output(end, any(), static_cast<Tokens>(1 + below(2)));
    if (below(4) == 0) builder.add_output(end, wait, length + 1);
    if (below(4) == 0) builder.add_inhibitor(end, any());
    if (below(4) == 0) places.push_back(wait);
  }
  for (int c = 0; c < 3; ++c) {
    const std::string name = "c" + std::to_string(c);
    const PlaceId count = builder.add_place(name, static_cast<Tokens>(below(4)));
    const TransitionId fill = builder.add_transition(name + "_fill");
    builder.add_input(fill, any());
    builder.add_output(fill, count, static_cast<Tokens>(1 + below(5)));
    builder.add_input(builder.add_transition(name + "_tick"), count);
    const TransitionId after = builder.add_transition(name + "_after");
    builder.add_input(after, any());
    builder.add_inhibitor(after, count);
    builder.add_output(after, any());
    if (below(4) == 0) places.push_back(count);
    if (below(4) == 0) builder.set_goal({count});
  }
  for (int t = 0; t < 2; ++t) {
    const TransitionId move = builder.add_transition("move" + std::to_string(t));
    builder.add_input(move, places[below(4)]);
    builder.add_output(move, any());
  }
  if (below(2) == 0) {
    const TransitionId loop = builder.add_transition("loop");
    const PlaceId p = places[below(4)];
    builder.add_input(loop, p);
    builder.add_output(loop, p);
  }
  return builder.build();
}

TEST(EngineEquality, TwoThousandRandomNetsWithDelaysAndCountdownsStepByStep) {
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 2000 && !HasFailure(); ++seed) {
    steps += compare_engines(delayed_net(seed), {.seed = seed}, 80);
  }
  EXPECT_GT(steps, 50000u) << "too few steps to say anything";
}

TEST(EngineEquality, DelaysWithTwoWaysOutAreNotTimed) {
  const Net net = delayed_net(1);
  EXPECT_FALSE(find_timers(net).empty());
  NetBuilder builder("two ways");
  const PlaceId wait = builder.add_place("wait", 3), passed = builder.add_place("passed");
  const TransitionId tick = builder.add_transition("tick");
  builder.add_input(tick, wait, 2);
  builder.add_output(tick, wait);
  builder.add_output(tick, passed);
  for (const char* name : {"end", "other"}) {
    const TransitionId end = builder.add_transition(name);
    builder.add_input(end, wait);
    builder.add_input(end, passed, 2);
  }
  EXPECT_TRUE(find_timers(builder.build()).empty());
}

TEST(EngineEquality, AClockThatOnlyWaitsReachesAFarLimitAtOnce) {
  NetBuilder builder("clock");
  const PlaceId p = builder.add_place("p", 1);
  const TransitionId loop = builder.add_transition("loop");
  builder.add_input(loop, p);
  builder.add_output(loop, p);
  const RunResult result = run_incremental(builder.build(), {}, std::uint64_t{1} << 62);
  EXPECT_EQ(result.outcome, Outcome::kLimit);
  EXPECT_EQ(result.steps, std::uint64_t{1} << 62);
  EXPECT_EQ(result.firings, std::uint64_t{1} << 62);
}

TEST(EngineEquality, WholeRunsCountTheSame) {
  const NetTemplate wpnm = load_net_template(data_root() + "/models/nets/wpnm.json");
  const Net net = instantiate(wpnm, {{"W", {12}}, {"xa", {6}}, {"S", {2}}});
  for (std::uint32_t replica = 0; replica < 5; ++replica) {
    const RunResult reference = run_reference(net, {.replica = replica});
    for (const RunResult& fast :
         {run_fast(net, {.replica = replica}), run_incremental(net, {.replica = replica})}) {
      test::expect_same_run(fast, reference, net.name());
    }
  }
}

// A countdown with nearly the maximum number of tokens of a place, refilled in every step.
TEST(EngineEquality, ACountdownHoldsAsMuchAsAnyPlace) {
  NetBuilder builder("full");
  const PlaceId source = builder.add_place("source", 1), wait = builder.add_place("wait", 1);
  const TransitionId fill = builder.add_transition("fill");
  builder.add_input(fill, source);
  builder.add_output(fill, wait, kMaxTokens);
  builder.add_input(builder.add_transition("tick"), wait);
  const Net net = builder.build();
  EXPECT_EQ(run_incremental(net, {}, 10).final_marking, run_reference(net, {}, 10).final_marking);
}

TEST(EngineEquality, BothRefuseAPlaceOver2To62Tokens) {
  NetBuilder builder("overflow");
  const PlaceId p = builder.add_place("p", kMaxTokens);
  builder.add_output(builder.add_transition("t"), p);
  const Net net = builder.build();
  EXPECT_THROW(run_reference(net, {}), Error);
  EXPECT_THROW(run_fast(net, {}), Error);
}

}  // namespace
}  // namespace pnsim
