// Which places are hubs with listed clients, and which transitions can never be enabled.
#include "simulator/engine/hubs.h"

#include <gtest/gtest.h>

#include "simulator/engine/enabled_set.h"
#include "tests/engine/tiny_net.h"

namespace pnsim {
namespace {

// Three warps compete for the slot; each also has a place of its own.
test::TinyNet three_clients() {
  return {.places = {{"slot", 1}, {"a", 1}, {"b", 0}, {"c", 1}, {"done", 0}},
          .transitions = {{"ta", {{"slot", 1}, {"a", 1}}, {{"slot", 1}}},
                          {"tb", {{"slot", 1}, {"b", 1}}, {{"slot", 1}}},
                          {"tc", {{"slot", 1}, {"c", 1}}, {{"slot", 1}}},
                          {"fill", {{"done", 1}}, {{"b", 1}}}}};
}

// [transition] the hub of the client, or kNone.
std::vector<std::uint32_t> hubs_of(const Hubs& hubs) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t group : hubs.group_of) {
    out.push_back(group == Hubs::kNone ? group : hubs.groups.at(group).hub);
  }
  return out;
}

TEST(Hubs, TakersThatShareOnePlaceOnlyAreItsClients) {
  const Hubs hubs = find_hubs(test::build(three_clients()));
  ASSERT_EQ(hubs.hubs.size(), 1u);
  EXPECT_EQ(hubs.hubs[0].place, PlaceId{0});
  EXPECT_EQ(hubs.hubs[0].weight, 1);
  EXPECT_EQ(hubs_of(hubs), (std::vector<std::uint32_t>{0, 0, 0, Hubs::kNone}));
}

TEST(Hubs, AWaitForAPlaceThatIsNeverFilledIsDead) {
  const Hubs hubs = find_hubs(test::build(three_clients()));
  EXPECT_EQ(hubs.is_dead, (std::vector<char>{0, 0, 0, 1}));
}

TEST(Hubs, ATransitionThatNeedsTokensWhereItIsInhibitedIsDead) {
  const Hubs hubs = find_hubs(
      test::build({.places = {{"p", 1}},
                   .transitions = {{"t", {{"p", 1}}, {{"p", 1}}, {"p"}}, {"u", {{"p", 1}}}}}));
  EXPECT_EQ(hubs.is_dead, (std::vector<char>{1, 0}));
  EXPECT_TRUE(hubs.hubs.empty()) << "one taker is left";
}

TEST(Hubs, ASecondSharedPlaceOrAnotherWeightMakesNoHub) {
  test::TinyNet two_shared = three_clients();
  two_shared.transitions[3].takes = {{"a", 1}};
  EXPECT_TRUE(find_hubs(test::build(two_shared)).hubs.empty());
  test::TinyNet unequal = three_clients();
  unequal.transitions[0].takes[0].second = 2;
  unequal.places[0].second = 2;
  EXPECT_TRUE(find_hubs(test::build(unequal)).hubs.empty());
}

// Two accesses of a block compete for the port, and are counted while they wait.
test::TinyNet counted_clients() {
  return {.places = {{"port", 1}, {"a", 1}, {"b", 0}, {"count", 1}, {"work", 1}},
          .transitions = {{"ta", {{"port", 1}, {"a", 1}, {"count", 1}}, {{"port", 1}}},
                          {"tb", {{"port", 1}, {"b", 1}, {"count", 1}}, {{"port", 1}}},
                          {"fill", {{"work", 1}}, {{"b", 1}, {"count", 1}}}}};
}

TEST(Hubs, APlaceThatHoldsWhatItsTakersOwnOnesHoldIsImplied) {
  const Hubs hubs = find_hubs(test::build(counted_clients()));
  EXPECT_EQ(hubs.is_implied, (std::vector<char>{0, 0, 0, 1, 0}));
  ASSERT_EQ(hubs.hubs.size(), 1u);
  EXPECT_EQ(hubs.hubs[0].place, PlaceId{0});
  EXPECT_EQ(hubs_of(hubs), (std::vector<std::uint32_t>{0, 0, Hubs::kNone}));
}

TEST(Hubs, AnotherCountWeightOrStartImpliesNothing) {
  const auto has_implied = [](const test::TinyNet& net) {
    return find_hubs(test::build(net)).is_implied[3] != 0;
  };
  test::TinyNet net = counted_clients();
  net.places[3].second = 2;
  EXPECT_FALSE(has_implied(net)) << "one more than it counts";
  net = counted_clients();
  net.transitions[2].gives = {{"b", 1}};
  EXPECT_FALSE(has_implied(net)) << "an arriving access is not counted";
  net = counted_clients();
  net.transitions[2].gives = {{"b", 1}, {"count", 2}};
  EXPECT_FALSE(has_implied(net)) << "an arriving access is counted twice";
  net = counted_clients();
  net.transitions[0].takes[2].second = 2;
  EXPECT_FALSE(has_implied(net)) << "a leaving access is counted twice";
  net = counted_clients();
  net.transitions[0].takes.erase(net.transitions[0].takes.begin() + 1);
  EXPECT_FALSE(has_implied(net)) << "a taker has no place of its own";
  net = counted_clients();
  net.places[1].second = net.places[3].second = kMaxTokens;
  EXPECT_FALSE(has_implied(net)) << "numbers whose sums might overflow";
}

// The slot is held for a while. Two warps of a block must not overtake the one before them.
test::TinyNet gated_clients() {
  return {
      .places = {{"slot", 1}, {"a", 1}, {"b", 1}, {"c", 1}, {"hold", 0}, {"before", 0}, {"far", 1}},
      .transitions = {
          {"ta", {{"slot", 1}, {"a", 1}}, {{"slot", 1}}, {"hold"}},
          {"tb", {{"slot", 1}, {"b", 1}}, {{"slot", 1}, {"hold", 2}}, {"hold", "before"}},
          {"tc", {{"slot", 1}, {"c", 1}}, {{"slot", 1}}, {"before", "hold"}},
          {"tick", {{"hold", 1}}},
          {"go", {{"far", 1}}, {{"before", 1}}, {"hold"}}}};
}

TEST(Hubs, WhatAllClientsWantEmptyIsTheGateOfTheHub) {
  const Hubs hubs = find_hubs(test::build(gated_clients()));
  ASSERT_EQ(hubs.hubs.size(), 1u);
  EXPECT_EQ(hubs.hubs[0].gate, PlaceId{4});
  ASSERT_EQ(hubs.groups.size(), 2u);
  EXPECT_TRUE(hubs.groups[0].gates.empty());
  EXPECT_EQ(hubs.groups[1].gates, (std::vector<PlaceId>{{5}}));
  EXPECT_EQ(hubs.group_of, (std::vector<std::uint32_t>{0, 1, 1, Hubs::kNone, Hubs::kNone}));
}

TEST(Hubs, WhatOneClientDoesNotMindIsNoGateOfTheHub) {
  test::TinyNet net = gated_clients();
  net.transitions[0].inhibitors = {};
  const Hubs hubs = find_hubs(test::build(net));
  ASSERT_EQ(hubs.hubs.size(), 1u);
  EXPECT_FALSE(hubs.hubs[0].gate);
  ASSERT_EQ(hubs.groups.size(), 2u);
  EXPECT_EQ(hubs.groups[1].gates, (std::vector<PlaceId>{{4}, {5}}));
}

std::vector<std::vector<TransitionId>> ready(const EnabledSet& set) {
  std::vector<std::vector<TransitionId>> out;
  for (const EnabledSet::Queue* queue : set.open()) {
    for (const EnabledSet::Group* group : queue->ready) out.push_back(group->clients);
  }
  return out;
}

TEST(EnabledSet, AMarkedGateKeepsItsGroupOrTheWholeHubWaiting) {
  const Net net = test::build(gated_clients());
  Marking marking = net.initial_marking();
  EnabledSet set(net, marking);
  const auto put = [&](std::uint32_t place, Tokens tokens) {
    const bool more = tokens > marking[place];
    marking[place] = tokens;
    more ? set.note_more(PlaceId{place}) : set.note_less(PlaceId{place});
    set.update();
  };
  using Groups = std::vector<std::vector<TransitionId>>;
  set.update();
  EXPECT_EQ(ready(set), (Groups{{{0}}, {{1}, {2}}}));
  EXPECT_EQ(set.size(), 4u) << "ta, tb, tc and go";
  put(5, 1);
  EXPECT_EQ(ready(set), (Groups{{{0}}}));
  put(4, 2);
  EXPECT_EQ(ready(set), Groups{});
  EXPECT_EQ(set.size(), 1u) << "the tick";
  put(4, 0);
  EXPECT_EQ(ready(set), (Groups{{{0}}}));
  put(5, 0);
  EXPECT_EQ(ready(set), (Groups{{{0}}, {{1}, {2}}}));
  put(0, 0);
  EXPECT_EQ(ready(set), Groups{});
}

TEST(EnabledSet, ClientsStandInTheQueueWhileTheHubIsEmpty) {
  const Net net = test::build(three_clients());
  Marking marking = net.initial_marking();
  EnabledSet set(net, marking);
  set.update();
  ASSERT_EQ(set.open().size(), 1u);
  EXPECT_EQ(ready(set), (std::vector<std::vector<TransitionId>>{{{0}, {2}}}));
  EXPECT_EQ(set.size(), 2u);
  const auto give = [&](std::uint32_t place) {
    marking[place] = 1;
    set.note_more(PlaceId{place});
  };
  const auto take = [&](std::uint32_t place) {
    marking[place] = 0;
    set.note_less(PlaceId{place});
  };
  take(0);
  set.update();
  EXPECT_TRUE(set.open().empty());
  give(2);
  take(1);
  set.update(std::vector<TransitionId>{{0}});
  EXPECT_EQ(set.size(), 0u);
  give(0);
  set.update();
  ASSERT_EQ(set.open().size(), 1u);
  EXPECT_EQ(ready(set), (std::vector<std::vector<TransitionId>>{{{1}, {2}}}));
}

}  // namespace
}  // namespace pnsim
