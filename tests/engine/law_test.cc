// The part of a step that the marking alone decides, and the settling of a conflict, on nets
// computed by hand. For random nets see law_property_test.cc.
#include "simulator/engine/law.h"

#include <gtest/gtest.h>

#include "tests/engine/tiny_net.h"

namespace pnsim {
namespace {

using test::build;
using test::names_of;
using Names = std::vector<std::string>;
using Sizes = std::vector<std::uint32_t>;

const Names kNothing;

struct Seen {
  std::string lowest_place;
  Names candidates;
  bool operator==(const Seen&) const = default;
};

using SeenConflicts = std::vector<Seen>;

void PrintTo(const Seen& seen, std::ostream* out) {
  *out << seen.lowest_place << ": " << testing::PrintToString(seen.candidates);
}

// One examination, with names instead of ids.
struct Examined {
  explicit Examined(Net n) : net(std::move(n)), plan(net) { at(net.initial_marking()); }

  void at(const Marking& marking) {
    plan.examine(marking);
    enabled = names_of(net, plan.enabled());
    free = names_of(net, plan.free());
    conflicts.clear();
    for (const Conflict& c : plan.conflicts()) {
      conflicts.push_back({net.name_of(c.lowest_place), names_of(net, c.candidates)});
    }
  }

  Net net;
  StepPlan plan;
  Names enabled, free;
  SeenConflicts conflicts;
};

TEST(Enabled, NeedsTheWholeWeight) {
  const Examined e(build({{{"a", 2}}, {{"two", {{"a", 2}}}, {"three", {{"a", 3}}}}}));
  EXPECT_EQ(e.enabled, (Names{"two"}));
}

TEST(Enabled, NeedsEveryInput) {
  Examined e(build({{{"a", 1}, {"b", 0}}, {{"t", {{"a", 1}, {"b", 1}}}}}));
  EXPECT_EQ(e.enabled, kNothing);
  e.at({1, 1});
  EXPECT_EQ(e.enabled, (Names{"t"}));
}

TEST(Enabled, NeedsEveryInhibitorEmpty) {
  Examined e(build({{{"a", 1}, {"x", 0}, {"y", 0}}, {{"t", {{"a", 1}}, {}, {"x", "y"}}}}));
  EXPECT_EQ(e.enabled, (Names{"t"}));
  e.at({1, 1, 0});
  EXPECT_EQ(e.enabled, kNothing);
  e.at({1, 0, 1});
  EXPECT_EQ(e.enabled, kNothing);
}

TEST(Enabled, NeverWithInputAndInhibitorOnOnePlace) {
  Examined e(build({{{"a", 0}}, {{"t", {{"a", 1}}, {}, {"a"}}}}));
  for (const Tokens tokens : {Tokens{0}, Tokens{1}, Tokens{5}, kMaxTokens}) {
    e.at({tokens});
    EXPECT_EQ(e.enabled, kNothing) << tokens;
  }
}

TEST(Enabled, AlwaysWithoutInputsAndInhibitors) {
  const Examined e(build({{{"a", 0}}, {{"t", {}, {{"a", 1}}}}}));
  EXPECT_EQ(e.enabled, (Names{"t"}));
  EXPECT_EQ(e.free, (Names{"t"}));
}

TEST(Enabled, IsInIndexOrderWhateverTheOrderOfPlaces) {
  const Examined e(build({{{"a", 1}, {"b", 1}, {"c", 1}},
                          {{"t0", {{"c", 1}}}, {"t1", {{"a", 1}}}, {"t2", {{"b", 1}}}}}));
  EXPECT_EQ(e.enabled, (Names{"t0", "t1", "t2"}));
}

TEST(Contested, OnlyWhenTheEnabledTogetherWantMore) {
  Examined e(build({{{"a", 2}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}}}}}));
  EXPECT_EQ(e.free, (Names{"t", "u"}));
  EXPECT_TRUE(e.conflicts.empty());
  EXPECT_FALSE(e.plan.is_contested(PlaceId{0}));
  e.at({1});
  EXPECT_EQ(e.free, kNothing);
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u"}}}));
  EXPECT_TRUE(e.plan.is_contested(PlaceId{0}));
}

TEST(Contested, AddsUpWeights) {
  const Examined e(build({{{"a", 3}}, {{"t", {{"a", 2}}}, {"u", {{"a", 2}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u"}}}));
}

TEST(Contested, DisabledTransitionsWantNothing) {
  const Examined e(build({{{"a", 1}, {"b", 0}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}, {"b", 1}}}}}));
  EXPECT_EQ(e.free, (Names{"t"}));
  EXPECT_TRUE(e.conflicts.empty());
}

TEST(Contested, InhibitorsWantNothing) {
  const Examined e(
      build({{{"a", 1}, {"b", 0}}, {{"t", {{"a", 1}}, {}, {"b"}}, {"u", {}, {{"b", 1}}, {"b"}}}}));
  EXPECT_EQ(e.free, (Names{"t", "u"}));
}

TEST(Contested, ASelfLoopWantsItsTokenLikeAnyOther) {
  const Examined e(build({{{"a", 1}}, {{"loop", {{"a", 1}}, {{"a", 1}}}, {"t", {{"a", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"loop", "t"}}}));
}

TEST(Contested, SumsOfHugeWeightsDoNotWrapAround) {
  for (const int takers : {2, 3, 4, 5, 8}) {  // 4 * 2^62 is 0 in 64 bits
    std::vector<test::TinyTransition> transitions;
    for (int i = 0; i < takers; ++i) {
      transitions.push_back({"t" + std::to_string(i), {{"a", kMaxTokens}}});
    }
    const Examined e(build({{{"a", kMaxTokens}}, transitions}));
    EXPECT_TRUE(e.plan.is_contested(PlaceId{0})) << takers;
    EXPECT_EQ(e.free, kNothing) << takers;
  }
}

TEST(Conflicts, ApartWithoutASharedContestedPlace) {
  const Examined e(
      build({{{"a", 1}, {"b", 1}},
             {{"t", {{"a", 1}}}, {"u", {{"b", 1}}}, {"v", {{"a", 1}}}, {"w", {{"b", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "v"}}, {"b", {"u", "w"}}}));
}

// Transition v is enabled only while c is marked. It takes from both places and so links the two
// conflicts.
TEST(Conflicts, LinkedByAThirdTransition) {
  Examined e(build({{{"a", 1}, {"b", 1}, {"c", 0}},
                    {{"t1", {{"a", 1}}},
                     {"t2", {{"a", 1}}},
                     {"u1", {{"b", 1}}},
                     {"u2", {{"b", 1}}},
                     {"v", {{"a", 1}, {"b", 1}, {"c", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t1", "t2"}}, {"b", {"u1", "u2"}}}));
  e.at({1, 1, 1});
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t1", "t2", "u1", "u2", "v"}}}));
  EXPECT_FALSE(e.plan.is_contested(PlaceId{2}));
}

TEST(Conflicts, LowestPlaceIsTheLowestOfTheWholeComponent) {
  // The first candidate takes from the highest place; the links run from high to low.
  const Examined e(build({{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}},
                          {{"t", {{"d", 1}}},
                           {"u", {{"c", 1}, {"d", 1}}},
                           {"v", {{"b", 1}, {"c", 1}}},
                           {"w", {{"a", 1}, {"b", 1}}}}}));
  // Only w takes from a: it is not contested, so b is the lowest contested place.
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"b", {"t", "u", "v", "w"}}}));
}

TEST(Conflicts, TwoChainsThatMeetLateAreOneComponent) {
  const Examined e(build({{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}},
                          {{"t", {{"c", 1}, {"d", 1}}},
                           {"u", {{"a", 1}, {"b", 1}}},
                           {"v", {{"d", 1}}},
                           {"w", {{"a", 1}}},
                           {"x", {{"b", 1}, {"c", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u", "v", "w", "x"}}}));
}

TEST(Conflicts, AreInTheOrderOfTheirFirstCandidate) {
  const Examined e(
      build({{{"a", 1}, {"b", 1}},
             {{"t", {{"b", 1}}}, {"u", {{"a", 1}}}, {"v", {{"a", 1}}}, {"w", {{"b", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"b", {"t", "w"}}, {"a", {"u", "v"}}}));
}

TEST(Conflicts, SharingAnUncontestedPlaceDoesNotLink) {
  const Examined e(build({{{"a", 1}, {"b", 1}, {"c", 2}},
                          {{"t", {{"a", 1}, {"c", 1}}},
                           {"u", {{"a", 1}}},
                           {"v", {{"b", 1}, {"c", 1}}},
                           {"w", {{"b", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u"}}, {"b", {"v", "w"}}}));
}

TEST(Conflicts, ATransitionWithoutAContestedPlaceIsFree) {
  const Examined e(build(
      {{{"a", 1}, {"c", 2}}, {{"t", {{"a", 1}, {"c", 1}}}, {"u", {{"a", 1}}}, {"v", {{"c", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u"}}}));
  EXPECT_EQ(e.free, (Names{"v"}));
}

TEST(StepPlan, ForgetsTheLastMarking) {
  Examined e(build(
      {{{"a", 1}, {"b", 1}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}, {"b", 1}}}, {"v", {{"b", 1}}}}}));
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u", "v"}}}));
  e.at({0, 1});
  EXPECT_EQ(e.free, (Names{"v"}));
  EXPECT_TRUE(e.conflicts.empty());
  e.at({0, 0});
  EXPECT_EQ(e.enabled, kNothing);
  e.at({1, 1});
  EXPECT_EQ(e.conflicts, (SeenConflicts{{"a", {"t", "u", "v"}}}));
}

// Settles the only conflict with the given positions; `sizes` gets the number of remaining
// candidates each time.
Names settled(Examined& e, const Sizes& positions, Sizes& sizes) {
  std::vector<TransitionId> fired;
  std::size_t next = 0;
  e.plan.settle(
      e.plan.conflicts()[0], e.net.initial_marking(),
      [&](std::uint32_t size) {
        sizes.push_back(size);
        return positions.at(next++);
      },
      fired);
  return names_of(e.net, fired);
}

TEST(Settle, TakesWhatRemainsInIndexOrder) {
  Examined e(build(
      {{{"a", 3}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}}}, {"v", {{"a", 1}}}, {"w", {{"a", 1}}}}}));
  Sizes sizes;
  EXPECT_EQ(settled(e, {1, 2, 0}, sizes), (Names{"u", "w", "t"}));
  EXPECT_EQ(sizes, (Sizes{4, 3, 2}));  // no token remains for v
}

TEST(Settle, ATransitionNoLongerCoveredLeavesBeforeTheNextDraw) {
  Examined e(build({{{"a", 3}}, {{"t", {{"a", 2}}}, {"u", {{"a", 2}}}, {"v", {{"a", 1}}}}}));
  Sizes sizes;
  EXPECT_EQ(settled(e, {0, 0}, sizes), (Names{"t", "v"}));
  EXPECT_EQ(sizes, (Sizes{3, 1}));
}

TEST(Settle, FiresEachCandidateAtMostOnce) {
  Examined e(build({{{"a", 5}}, {{"t", {{"a", 1}}}, {"u", {{"a", 5}}}}}));
  Sizes sizes;
  EXPECT_EQ(settled(e, {0}, sizes), (Names{"t"}));  // not five times
  EXPECT_EQ(sizes, (Sizes{2}));
}

TEST(Settle, ALoserOnOnePlaceLeavesTheOtherToTheRest) {
  Examined e(build(
      {{{"a", 1}, {"b", 1}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}, {"b", 1}}}, {"v", {{"b", 1}}}}}));
  Sizes sizes;
  EXPECT_EQ(settled(e, {0, 0}, sizes), (Names{"t", "v"}));
  sizes.clear();
  EXPECT_EQ(settled(e, {1}, sizes), (Names{"u"}));
  EXPECT_EQ(sizes, (Sizes{3}));
}

TEST(Settle, AppendsToWhatFires) {
  Examined e(
      build({{{"a", 1}, {"b", 1}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}}}, {"v", {{"b", 1}}}}}));
  std::vector<TransitionId> fired(e.plan.free().begin(), e.plan.free().end());
  e.plan.settle(
      e.plan.conflicts()[0], e.net.initial_marking(), [](std::uint32_t size) { return size - 1; },
      fired);
  EXPECT_EQ(names_of(e.net, fired), (Names{"v", "u"}));
}

}  // namespace
}  // namespace pnsim
