// Tests the components of a chain: their order, and whether an end can be reached.
#include "simulator/analysis/exact/absorption.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/analysis/exact/chain_rows.h"

namespace pnsim {
namespace {

using test::ChainRows;

TEST(ChainComponents, ACycleIsOne) {
  const MarkingGraph graph = test::walk(5, Rational(1, 2)).graph();
  const ChainComponents components(graph);
  EXPECT_EQ(components.count(), 2u);
  EXPECT_EQ(components.largest(), 5u);
  EXPECT_EQ(components.of(5), 0u);
  EXPECT_EQ(components.markings(1).size(), 5u);
  EXPECT_TRUE(components.all_can_end());
}

TEST(ChainComponents, EveryEdgeLeadsToTheSameOrALowerOne) {
  std::mt19937_64 random(1);
  const Rational half = Rational(1) / 2;
  for (int round = 0; round < 200; ++round) {
    ChainRows rows(30);
    for (std::uint32_t m = 0; m < 29; ++m) {
      for (int e = 0; e < 2; ++e) rows.add(m, static_cast<std::uint32_t>(random() % 30), half);
    }
    const MarkingGraph graph = rows.graph();
    const ChainComponents components(graph);
    std::size_t members = 0;
    for (std::uint32_t c = 0; c < components.count(); ++c) {
      members += components.markings(c).size();
      for (const std::uint32_t m : components.markings(c)) {
        ASSERT_EQ(components.of(m), c);
        for (const ChainEdge& edge : graph.edges_of(m)) ASSERT_LE(components.of(edge.target), c);
      }
    }
    ASSERT_EQ(members, 30u);
  }
}

TEST(ChainComponents, KnowWhereNoEndIsLeft) {
  // 0 -> 1 or 2; 1 <-> 3 forever; 2 -> 4, the dead end.
  ChainRows rows(5);
  rows.add(0, 1, Rational(1, 2));
  rows.add(0, 2, Rational(1, 2));
  rows.add(1, 3, 1);
  rows.add(3, 1, 1);
  rows.add(2, 4, 1);
  const ChainComponents components(rows.graph());
  EXPECT_FALSE(components.all_can_end());
  EXPECT_TRUE(components.can_end(components.of(0)));
  EXPECT_FALSE(components.can_end(components.of(1)));
  EXPECT_EQ(components.of(1), components.of(3));
  EXPECT_TRUE(components.can_end(components.of(2)));
  EXPECT_TRUE(components.can_end(components.of(4)));
}

// 0 -> 1 -> 2 ... -> length - 1, which either ends or leads back to 0.
MarkingGraph line(std::uint32_t length, bool back) {
  MarkingGraph graph;
  graph.probabilities = {1};
  for (std::uint32_t m = 0; m < length; ++m) {
    const bool last = m + 1 == length;
    graph.end.push_back(last && !back ? End::kDead : End::kNone);
    if (!last || back) graph.edges.push_back({last ? 0 : m + 1, 0});
    graph.edge_start.push_back(graph.edges.size());
  }
  return graph;
}

TEST(ChainComponents, ALongChainDoesNotOverflowTheStack) {
  constexpr std::uint32_t kLength = 1'000'000;
  EXPECT_EQ(ChainComponents(line(kLength, false)).count(), kLength);
  EXPECT_EQ(ChainComponents(line(kLength, true)).largest(), kLength);
}

}  // namespace
}  // namespace pnsim
