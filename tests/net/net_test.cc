#include "simulator/net/net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/net/net_builder.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Places p0, p1.0, p1.1, p2.0.3 and one transition that takes from all of them.
Net instances() {
  NetBuilder builder("instances");
  const TransitionId t = builder.add_transition("t");
  for (const char* name : {"p0", "p1.0", "p1.1", "p2.0.3"}) {
    builder.add_input(t, builder.add_place(name, 1));
  }
  return builder.build();
}

TEST(Net, HoldsWhatWasBuilt) {
  NetBuilder builder("tiny");
  const PlaceId p = builder.add_place("p", 3);
  const PlaceId q = builder.add_place("q");
  const TransitionId t = builder.add_transition("t");
  const TransitionId u = builder.add_transition("u");
  builder.add_input(t, p, 2);
  builder.add_output(u, q, 5);
  builder.add_inhibitor(t, q);
  const Net net = builder.build();
  EXPECT_EQ(net.name(), "tiny");
  EXPECT_EQ(net.place_count(), 2u);
  EXPECT_EQ(net.transition_count(), 2u);
  EXPECT_EQ(net.name_of(q), "q");
  EXPECT_EQ(net.name_of(u), "u");
  EXPECT_EQ(net.initial_marking(), (Marking{3, 0}));
  EXPECT_THAT(net.inputs(t), ElementsAre(Arc{p, 2}));
  EXPECT_THAT(net.outputs(t), IsEmpty());
  EXPECT_THAT(net.inhibitors(t), ElementsAre(q));
  EXPECT_THAT(net.inputs(u), IsEmpty());
  EXPECT_THAT(net.outputs(u), ElementsAre(Arc{q, 5}));
  EXPECT_THAT(net.inhibitors(u), IsEmpty());
  EXPECT_FALSE(net.has_goal());
  EXPECT_EQ(net.observables(), Observables{});
}

TEST(Net, ParallelArcsAddUpAndAreOrderedByPlace) {
  NetBuilder builder("parallel");
  const PlaceId p = builder.add_place("p");
  const PlaceId q = builder.add_place("q");
  const TransitionId t = builder.add_transition("t");
  for (const PlaceId place : {q, p, q}) {
    builder.add_input(t, place, 2);
    builder.add_output(t, place, 3);
    builder.add_inhibitor(t, place);
  }
  const Net net = builder.build();
  EXPECT_THAT(net.inputs(t), ElementsAre(Arc{p, 2}, Arc{q, 4}));
  EXPECT_THAT(net.outputs(t), ElementsAre(Arc{p, 3}, Arc{q, 6}));
  EXPECT_THAT(net.inhibitors(t), ElementsAre(p, q));
}

TEST(Net, FindsNodesByTheirExactNames) {
  const Net net = instances();
  EXPECT_EQ(net.find_place("p1.1"), PlaceId{2});
  EXPECT_EQ(net.find_place("p1"), std::nullopt);
  EXPECT_EQ(net.find_place(""), std::nullopt);
  EXPECT_EQ(net.find_place("t"), std::nullopt);
  EXPECT_EQ(net.find_transition("t"), TransitionId{0});
  EXPECT_EQ(net.find_transition("p0"), std::nullopt);
}

TEST(Net, WithGoalChangesTheGoalOnly) {
  const Net net = instances();
  const Net changed = net.with_goal({{PlaceId{1}}, {}});
  EXPECT_FALSE(net.has_goal());
  EXPECT_TRUE(changed.has_goal());
  EXPECT_THAT(changed.goal(), ElementsAre(PlaceId{1}));
  expect_same_net(net, changed.with_goal({}));
}

TEST(Net, ACopyStandsOnItsOwn) {
  auto original = std::make_unique<Net>(instances());
  const Net copy = *original;
  original.reset();
  EXPECT_THAT(copy.inputs(TransitionId{0}), testing::SizeIs(4));
  EXPECT_EQ(copy.find_place("p1.0"), PlaceId{1});
}

TEST(GroupOf, DropsTrailingInstanceNumbers) {
  EXPECT_EQ(group_of("p2.0"), "p2");
  EXPECT_EQ(group_of("q.3.17"), "q");
  EXPECT_EQ(group_of("p0"), "p0");
}

TEST(GroupOf, LeavesOtherDotsAlone) {
  EXPECT_EQ(group_of("a.b"), "a.b");
  EXPECT_EQ(group_of("a.1b"), "a.1b");
  EXPECT_EQ(group_of("a."), "a.");
  EXPECT_EQ(group_of(".5"), ".5");
  EXPECT_EQ(group_of(""), "");
}

TEST(PlacesNamed, AnExactNameIsThatPlace) {
  EXPECT_THAT(places_named(instances(), "p1.1"), ElementsAre(PlaceId{2}));
}

TEST(PlacesNamed, AGroupIsEveryInstance) {
  EXPECT_THAT(places_named(instances(), "p1"), ElementsAre(PlaceId{1}, PlaceId{2}));
  EXPECT_THAT(places_named(instances(), "p2"), ElementsAre(PlaceId{3}));
}

TEST(PlacesNamed, AnUnknownNameIsAUsageErrorWithTheNearest) {
  const std::string error = error_of([] { places_named(instances(), "p7"); });
  EXPECT_THAT(error, HasSubstr("2: no place \"p7\" in net instances; did you mean \"p0\"?"));
}

TEST(ParseGoal, JoinsConditionsInPlaceOrderWithoutDoubles) {
  const std::vector<std::string> conditions{"p1=0", "p0=0", "p1.0=0"};
  EXPECT_THAT(parse_goal(instances(), conditions).empty,
              ElementsAre(PlaceId{0}, PlaceId{1}, PlaceId{2}));
}

TEST(ParseGoal, NoConditionIsNoGoal) {
  EXPECT_FALSE(
      instances().with_goal(parse_goal(instances(), std::vector<std::string>{})).has_goal());
}

TEST(ParseGoal, AllConditionsOnOnePlaceAreOneRange) {
  const std::vector<std::string> conditions{"p1>=2", "p1.0<5", "p0<1", "p1.1=3", "p0<=7"};
  const Goal goal = parse_goal(instances(), conditions);
  EXPECT_THAT(goal.empty, ElementsAre(PlaceId{0}));
  EXPECT_THAT(goal.ranges, ElementsAre(TokenRange{PlaceId{1}, 2, 4}, TokenRange{PlaceId{2}, 3, 3}));
  EXPECT_THAT(goal_texts(instances().with_goal(goal)),
              ElementsAre("p0=0", "p1.0>=2", "p1.0<=4", "p1.1=3"));
}

TEST(ParseGoal, HoldsWhereEveryRangeDoes) {
  const std::vector<std::string> conditions{"p0=0", "p1.0>=2"};
  const Net net = instances().with_goal(parse_goal(instances(), conditions));
  EXPECT_TRUE(net.goal_holds({0, 2, 0, 0}));
  EXPECT_FALSE(net.goal_holds({0, 1, 0, 0}));
  EXPECT_FALSE(net.goal_holds({1, 2, 0, 0}));
  EXPECT_FALSE(instances().goal_holds({0, 0, 0, 0}));
}

TEST(ParseGoal, RefusesEverythingElse) {
  for (const char* condition : {"p0", "p0=", "=0", "p0!=1", "p0=x", "p0=-1", "p0=>1", ""}) {
    const std::vector<std::string> conditions{condition};
    EXPECT_THAT(error_of([&] { parse_goal(instances(), conditions); }),
                HasSubstr("expected PLACE=0"))
        << condition;
  }
}

TEST(NetBuilder, RefusesEmptyNames) {
  NetBuilder builder("n");
  EXPECT_THAT(error_of([&] { builder.add_place(""); }),
              HasSubstr("3: net n: a place has an empty name"));
  EXPECT_THAT(error_of([&] { builder.add_transition(""); }),
              HasSubstr("3: net n: a transition has an empty name"));
}

TEST(NetBuilder, RefusesDoubledNamesEvenOfDifferentKinds) {
  NetBuilder builder("n");
  builder.add_place("x");
  builder.add_transition("y");
  for (const char* name : {"x", "y"}) {
    EXPECT_THAT(error_of([&] { builder.add_place(name); }), HasSubstr("appears twice")) << name;
    EXPECT_THAT(error_of([&] { builder.add_transition(name); }), HasSubstr("appears twice"))
        << name;
  }
}

TEST(NetBuilder, BoundsTokensAndWeights) {
  NetBuilder builder("n");
  const PlaceId p = builder.add_place("most", kMaxTokens);
  const TransitionId t = builder.add_transition("t");
  builder.add_input(t, p, kMaxTokens);
  EXPECT_THAT(error_of([&] { builder.add_place("over", kMaxTokens + 1); }),
              HasSubstr("place \"over\": found 4611686018427387905 tokens, expected 0 to 2^62"));
  EXPECT_THAT(error_of([&] { builder.add_place("under", -1); }), HasSubstr("found -1 tokens"));
  for (const Tokens weight : {Tokens{0}, Tokens{-1}, kMaxTokens + 1}) {
    EXPECT_THAT(error_of([&] { builder.add_input(t, p, weight); }), HasSubstr("arc weight"));
    EXPECT_THAT(error_of([&] { builder.add_output(t, p, weight); }), HasSubstr("arc weight"));
  }
  EXPECT_THAT(builder.build().inputs(t), ElementsAre(Arc{p, kMaxTokens}));
}

TEST(NetBuilder, RefusesParallelArcsThatAddUpToTooMuch) {
  NetBuilder builder("n");
  const PlaceId p = builder.add_place("p");
  const TransitionId t = builder.add_transition("t");
  builder.add_output(t, p, kMaxTokens);
  builder.add_output(t, p, 1);
  EXPECT_THAT(error_of([&] { builder.build(); }),
              HasSubstr("3: net n: transition \"t\": parallel arcs add up to over 2^62"));
}

TEST(NetBuilder, RefusesANetWithoutTransitions) {
  NetBuilder builder("n");
  builder.add_place("p");
  EXPECT_THAT(error_of([&] { builder.build(); }), HasSubstr("the net has no transitions"));
}

TEST(NetBuilder, TakesANetWithoutPlaces) {
  NetBuilder builder("n");
  builder.add_transition("t");
  EXPECT_EQ(builder.build().place_count(), 0u);
}

TEST(NetBuilder, NamesTheOriginInErrors) {
  NetBuilder builder("n");
  builder.set_origin("net.json: /places/3");
  EXPECT_THAT(error_of([&] { builder.add_place(""); }), HasSubstr("3: net.json: /places/3: "));
}

TEST(NetBuilder, FindsPlacesWhileBuilding) {
  NetBuilder builder("n");
  const PlaceId p = builder.add_place("p");
  builder.add_transition("t");
  EXPECT_EQ(builder.find_place("p"), p);
  EXPECT_EQ(builder.find_place("t"), std::nullopt);
}

}  // namespace
}  // namespace pnsim
