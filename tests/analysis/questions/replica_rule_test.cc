// Tests how many replicas a comparison takes.
#include "simulator/analysis/questions/replica_rule.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace pnsim {
namespace {

TEST(ReplicaRule, AChangeIsToldWhereTheIntervalExcludesZero) {
  EXPECT_EQ(told(0.5, 0.1, 0.01), Told::kChange);
  EXPECT_EQ(told(-0.5, 0.1, 0.01), Told::kChange);
  EXPECT_EQ(told(0.05, 0.1, 0.01), Told::kNoise);
  EXPECT_EQ(told(0.002, 0.005, 0.01), Told::kNone) << "all of the interval is too small to matter";
  EXPECT_EQ(told(0, 0, 0.01), Told::kNone) << "equal in every replica";
}

using Calls = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Calls calls_until(int enough, const ReplicaRule& rule, Told& told) {
  Calls calls;
  told = run_until_told(
      rule, [&](std::uint32_t first, std::uint32_t count) { calls.emplace_back(first, count); },
      [&](int look) { return look < enough ? Told::kNoise : Told::kChange; });
  return calls;
}

TEST(ReplicaRule, DoublesTheReplicasUntilTheChangeIsTold) {
  Told told = Told::kNoise;
  EXPECT_EQ(calls_until(3, {20, 640}, told), (Calls{{0, 20}, {20, 20}, {40, 40}}));
  EXPECT_EQ(told, Told::kChange);
}

TEST(ReplicaRule, StopsAtTheMostAndSaysThatTheDrawsHideTheChange) {
  Told told = Told::kChange;
  EXPECT_EQ(calls_until(99, {20, 50}, told), (Calls{{0, 20}, {20, 20}, {40, 10}}));
  EXPECT_EQ(told, Told::kNoise);
  EXPECT_EQ(remark_of(told), "hidden by the draws");
  EXPECT_EQ(calls_until(99, {6, 6}, told), (Calls{{0, 6}})) << "a fixed number";
}

}  // namespace
}  // namespace pnsim
