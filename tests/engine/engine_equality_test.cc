// Two engines, one law: the fast engine against the reference engine, step by step, whole markings,
// on random nets and on the shipped nets.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/engine/fast_engine.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/model/instantiate.h"
#include "tests/support/random_net.h"

namespace pnsim {
namespace {

std::vector<TransitionId> sorted(std::span<const TransitionId> list) {
  std::vector<TransitionId> out(list.begin(), list.end());
  std::sort(out.begin(), out.end());
  return out;
}

// The steps made; every difference is a test failure.
std::uint64_t compare_engines(const Net& net, RunId id, std::uint64_t max_steps) {
  ReferenceEngine reference(net, id);
  FastEngine fast(net, id);
  while (true) {
    const auto expected = reference.outcome(max_steps);
    const auto found = fast.outcome(max_steps);
    EXPECT_EQ(expected, found) << net.name() << " step " << reference.steps();
    if (expected || found) return reference.steps();
    const auto reference_fired = sorted(reference.choose());
    EXPECT_EQ(sorted(fast.choose()), reference_fired) << net.name() << " step " << reference.steps();
    reference.fire();
    fast.fire();
    EXPECT_EQ(fast.marking(), reference.marking()) << net.name() << " step " << reference.steps();
    if (testing::Test::HasFailure()) return reference.steps();
  }
}

// Nets of many shapes: few places and many takers, long and wide, with and without goal.
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

TEST(EngineEquality, a_thousand_random_nets_step_by_step) {
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    steps += compare_engines(varied_net(seed), {.seed = seed, .replica = 3, .stream = 1}, 60);
  }
  EXPECT_GT(steps, 5000u) << "too few steps to say anything";
}

class ShippedNet : public testing::TestWithParam<std::string> {};

TEST_P(ShippedNet, runs_the_same_on_both_engines_for_1_to_1024_warps) {
  const NetTemplate net_template =
      load_net_template(data_root() + "/models/nets/" + GetParam() + ".json");
  for (const std::int64_t warps : {1, 2, 3, 7, 16, 64, 1024}) {
    const std::uint64_t max_steps = warps > 64 ? 40 : 700;
    for (const std::int64_t l1 : {0, 1, 20}) {
      const Net net = instantiate(net_template, {{"W", {warps}}, {"l1", {l1}}, {"xa", {4}}, {"S", {3}}});
      EXPECT_GT(compare_engines(net, {.seed = 7, .replica = 2}, max_steps), 5u);
    }
  }
}

TEST_P(ShippedNet, runs_the_same_with_unequal_warps) {
  const NetTemplate net_template =
      load_net_template(data_root() + "/models/nets/" + GetParam() + ".json");
  const Net net = instantiate(net_template, {{"W", {5}}, {"xa", {9, 0, 3, 3, 1}}, {"xg", {0, 2, 1, 4, 0}}});
  EXPECT_GT(compare_engines(net, {}, 1000), 20u);
}

INSTANTIATE_TEST_SUITE_P(all, ShippedNet, testing::ValuesIn(shipped_names("models/nets")),
                         [](const auto& test) { return test.param; });

TEST(EngineEquality, whole_runs_count_the_same) {
  const NetTemplate wpnm = load_net_template(data_root() + "/models/nets/wpnm.json");
  const Net net = instantiate(wpnm, {{"W", {12}}, {"xa", {6}}, {"S", {2}}});
  for (std::uint32_t replica = 0; replica < 5; ++replica) {
    const RunResult reference = run_reference(net, {.replica = replica});
    const RunResult fast = run_fast(net, {.replica = replica});
    EXPECT_EQ(fast.outcome, reference.outcome);
    EXPECT_EQ(fast.steps, reference.steps);
    EXPECT_EQ(fast.firings, reference.firings);
    EXPECT_EQ(fast.waiting_steps, reference.waiting_steps);
    EXPECT_EQ(fast.idle_scheduler_steps, reference.idle_scheduler_steps);
    EXPECT_EQ(fast.final_marking, reference.final_marking);
  }
}

TEST(EngineEquality, both_refuse_a_place_over_2_to_62_tokens) {
  NetBuilder builder("overflow");
  const PlaceId p = builder.add_place("p", kMaxTokens);
  builder.add_output(builder.add_transition("t"), p);
  const Net net = builder.build();
  EXPECT_THROW(run_reference(net, {}), Error);
  EXPECT_THROW(run_fast(net, {}), Error);
}

}  // namespace
}  // namespace pnsim
