// Tests the exploration: the markings, their probabilities, and the limits.
#include "simulator/analysis/exact/marking_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "simulator/analysis/exact/marking_table.h"
#include "simulator/base/error.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/random_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::build;

TEST(MarkingTable, NumbersDistinctMarkingsInTheOrderTheyCome) {
  MarkingTable table(3);
  EXPECT_EQ(table.number_of({1, 0, 2}), 0u);
  EXPECT_EQ(table.number_of({0, 0, 0}), 1u);
  EXPECT_EQ(table.number_of({1, 0, 2}), 0u);
  EXPECT_EQ(table.number_of({1, 2, 0}), 2u);
  EXPECT_EQ(table.size(), 3u);
}

TEST(MarkingTable, GivesBackEveryMarkingItKeeps) {
  std::mt19937_64 random(1);
  std::vector<Marking> markings{Marking(300), Marking(300, kMaxTokens)};
  for (int i = 0; i < 200; ++i) {
    Marking marking(300);
    for (int k = 0; k < i; ++k) {
      marking[random() % 300] = static_cast<Tokens>(random() >> (2 + random() % 62));
    }
    markings.push_back(marking);
  }
  MarkingTable table(300);
  std::vector<std::uint32_t> numbers;
  for (const Marking& marking : markings) numbers.push_back(table.number_of(marking));
  for (std::size_t i = 0; i < markings.size(); ++i)
    EXPECT_EQ(table.marking(numbers[i]), markings[i]);
}

TEST(MarkingTable, KeepsFewMarkedPlacesInFewBytes) {
  MarkingTable table(100'000);
  Marking marking(100'000);
  for (Tokens i = 0; i < 10; ++i) {
    marking[99'999] = i;
    table.number_of(marking);
  }
  EXPECT_LT(table.bytes(), 2'000u);
}

TEST(MarkingGraph, ACoinHasTwoStepsOfOneHalf) {
  const MarkingGraph graph =
      explore(build({{{"p", 1}, {"heads", 0}, {"tails", 0}},
                     {{"h", {{"p", 1}}, {{"heads", 1}}}, {"t", {{"p", 1}}, {{"tails", 1}}}}}));
  ASSERT_EQ(graph.size(), 3u);
  EXPECT_EQ(graph.end, (std::vector<End>{End::kNone, End::kDead, End::kDead}));
  ASSERT_EQ(graph.edges_of(0).size(), 2u);
  for (const ChainEdge& edge : graph.edges_of(0)) {
    EXPECT_EQ(graph.probabilities[edge.probability], Rational(1, 2));
  }
  EXPECT_TRUE(graph.edges_of(1).empty());
}

TEST(MarkingGraph, DifferentStepsToOneMarkingAreOneEdge) {
  const MarkingGraph graph = explore(build(
      {{{"p", 1}, {"q", 0}}, {{"a", {{"p", 1}}, {{"q", 1}}}, {"b", {{"p", 1}}, {{"q", 1}}}}}));
  ASSERT_EQ(graph.edges_of(0).size(), 1u);
  EXPECT_EQ(graph.probabilities[graph.edges_of(0)[0].probability], 1);
}

TEST(MarkingGraph, StopsAtTheGoalThoughMoreCouldFire) {
  const test::TinyNet counter{{{"p", 3}}, {{"a", {{"p", 1}}}}};
  EXPECT_EQ(explore(build(counter)).size(), 4u);
  test::TinyNet with_goal = counter;
  with_goal.places.push_back({"g", 0});
  with_goal.goal = {"g"};
  const MarkingGraph graph = explore(build(with_goal));
  EXPECT_EQ(graph.end, std::vector<End>{End::kGoal});
}

TEST(MarkingGraph, GoalIsLookedAtBeforeDead) {
  const MarkingGraph graph =
      explore(build({.places = {{"p", 1}}, .transitions = {{"a", {{"p", 1}}}}, .goal = {"p"}}));
  EXPECT_EQ(graph.end, (std::vector<End>{End::kNone, End::kGoal}));
}

TEST(MarkingGraph, RowsAddUpToOneAndNameEachTargetOnce) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Net net = test::random_net(seed, {.places = 4, .max_tokens = 2});
    const MarkingGraph graph = explore(net);
    for (std::uint32_t m = 0; m < graph.size(); ++m) {
      Rational sum = graph.end[m] == End::kNone ? 0 : 1;
      const auto edges = graph.edges_of(m);
      for (std::size_t e = 0; e < edges.size(); ++e) {
        sum += graph.probabilities[edges[e].probability];
        if (e > 0) {
          EXPECT_LT(edges[e - 1].target, edges[e].target);
        }
        EXPECT_LT(edges[e].target, graph.size());
      }
      ASSERT_EQ(sum, 1) << net.name() << " marking " << m;
    }
  }
}

std::string limit_message(const Net& net, const ChainLimits& limits) {
  try {
    explore(net, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kLimit);
    return error.what();
  }
  return "no error";
}

TEST(MarkingGraphLimit, OnMarkingsIsKeptToTheLast) {
  const Net net = test::wpnm_net({.warps = 2, .l1 = 3, .l2 = 1});
  EXPECT_EQ(explore(net, {.max_markings = 834}).size(), 834u);
  EXPECT_THAT(limit_message(net, {.max_markings = 833}),
              testing::HasSubstr("net wpnm: more than 833 reachable markings"));
}

TEST(MarkingGraphLimit, OnMarkingsEndsTheSearchOfAnInfiniteNet) {
  const Net net = build({{{"p", 1}, {"q", 0}}, {{"a", {{"p", 1}}, {{"p", 1}, {"q", 1}}}}});
  EXPECT_THAT(limit_message(net, {}), testing::HasSubstr("more than 200000 reachable markings"));
}

TEST(MarkingGraphLimit, OnTokensIsThatOfARun) {
  const Net net = build({{{"p", 1}}, {{"a", {{"p", 1}}, {{"p", Tokens{1} << 61}}}}});
  EXPECT_THAT(limit_message(net, {}), testing::HasSubstr("2^62 tokens"));
}

TEST(MarkingGraphLimit, OnTheStepsOfAllMarkings) {
  const Net net = test::wpnm_net({.warps = 2, .l1 = 3, .l2 = 1});
  EXPECT_THAT(limit_message(net, {.max_steps = 900}),
              testing::HasSubstr("more than 900 different"));
}

TEST(MarkingGraphLimit, OnBytes) {
  const Net net = test::wpnm_net({.warps = 2, .l1 = 3, .l2 = 1});
  EXPECT_THAT(limit_message(net, {.max_marking_bytes = 50'000}),
              testing::HasSubstr("more than 50000 bytes"));
}

TEST(MarkingGraphLimit, OnTheStepsOfOneMarking) {
  const Net net = test::wpnm_net({.warps = 64, .schedulers = 4});
  EXPECT_THAT(limit_message(net, {}), testing::HasSubstr("more than 50000 different sets"));
}

}  // namespace
}  // namespace pnsim
