#include "simulator/net/node_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "simulator/net/net_builder.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

// "a", "b.0.0" ... "b.1.2", "c.d.7"
NodeNames some_names() {
  NodeNames names;
  names.add("a");
  names.add_instances("none", {2, 0});
  names.add_instances("b", {2, 3});
  names.add("c.d.7");
  names.sort();
  return names;
}

TEST(NodeNames, NamesInstancesLastNumberFastest) {
  const NodeNames names = some_names();
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < names.size(); ++i) all.push_back(names.name(i));
  EXPECT_THAT(all, testing::ElementsAre("a", "b.0.0", "b.0.1", "b.0.2", "b.1.0", "b.1.1", "b.1.2",
                                        "c.d.7"));
}

TEST(NodeNames, GroupsAsTheNamesSay) {
  const NodeNames names = some_names();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names.group(i), group_of(names.name(i)));
  }
}

TEST(NodeNames, FindsEachName) {
  const NodeNames names = some_names();
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(names.find(names.name(i)), i);
}

TEST(NodeNames, FindsNoOthers) {
  const NodeNames names = some_names();
  for (const char* other : {"", "b", "b.", "b.0", "b.0.3", "b.2.0", "b.00.0", "b.0.0.0", "b.0.x",
                            "b.-1.0", "b.0.99999999999", "c.d", "a.0", "none.0.0", "d"}) {
    EXPECT_EQ(names.find(other), std::nullopt) << other;
  }
}

TEST(NodeNames, GroupsFollowEachOther) {
  NodeNames names = some_names();
  std::vector<std::pair<std::string, std::uint32_t>> groups;
  for (const auto& [name, count] : names.groups()) groups.emplace_back(name, count);
  EXPECT_THAT(groups, testing::ElementsAre(testing::Pair("a", 1u), testing::Pair("b", 6u),
                                           testing::Pair("c.d", 1u)));
}

TEST(NodeNames, StayThoseOfTheNodesThatAreKept) {
  NodeNames names;
  names.add("a");
  names.add_instances("b", {2, 3});
  names.add_instances("c", {2});
  names.add("d");
  names.keep({1, 0, 1, 0, 0, 1, 1, 0, 0, 1});
  names.sort();
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    all.push_back(names.name(i));
    EXPECT_EQ(names.find(all.back()), i);
    EXPECT_EQ(names.group(i), group_of(all.back()));
  }
  EXPECT_THAT(all, testing::ElementsAre("a", "b.0.1", "b.1.1", "b.1.2", "d"));
  for (const char* gone : {"b.0.0", "b.0.2", "b.1.0", "c.0", "c.1", "b"}) {
    EXPECT_EQ(names.find(gone), std::nullopt) << gone;
  }
  names.keep({0, 1, 0, 1, 0});
  names.sort();
  EXPECT_EQ(names.name(0), "b.0.1");
  EXPECT_EQ(names.find("b.1.2"), 1u);
}

// "never" needs a place that no transition fills, and "after" needs the output of "never". A
// transition whose input place is marked or filled stays, even when it needs more tokens than there
// can be.
TEST(NetBuilder, OmitsTransitionsThatCanNeverBeEnabled) {
  NetBuilder builder("n");
  const PlaceId empty = builder.add_place("empty"), marked = builder.add_place("marked", 1);
  const PlaceId given = builder.add_place("given"), behind = builder.add_place("behind");
  const auto add = [&](const char* name, PlaceId from, PlaceId to, Tokens weight = 1) {
    const TransitionId t = builder.add_transition(name);
    builder.add_input(t, from, weight);
    builder.add_output(t, to);
    builder.add_inhibitor(t, empty);
    return t;
  };
  add("never", empty, behind);
  const TransitionId starts = add("starts", marked, given);
  add("after", behind, given);
  const TransitionId goes_on = add("goes_on", given, marked, 7);
  builder.set_observables({{starts, goes_on}, marked});
  builder.leave_out_dead();
  const Net net = builder.build();
  ASSERT_EQ(net.transition_count(), 2u);
  EXPECT_EQ(net.place_count(), 4u);
  const TransitionId first{0}, second{1};
  EXPECT_EQ(net.name_of(first), "starts");
  EXPECT_EQ(net.name_of(second), "goes_on");
  EXPECT_EQ(net.find_transition("goes_on"), second);
  EXPECT_EQ(net.find_transition("never"), std::nullopt);
  EXPECT_EQ(net.inputs(second)[0], (Arc{given, 7}));
  EXPECT_EQ(net.outputs(first)[0], (Arc{given, 1}));
  EXPECT_EQ(net.inhibitors(second)[0], empty);
  EXPECT_THAT(net.observables().waiting, testing::ElementsAre(first, second));
}

TEST(NetBuilder, LeavesOutALongChainOfThem) {
  NetBuilder builder("chain");
  constexpr std::uint32_t kLength = 200'000;
  PlaceId before = builder.add_place("start");
  for (std::uint32_t i = 0; i < kLength; ++i) {
    const TransitionId t = builder.add_transition("t" + std::to_string(i));
    builder.add_input(t, before);
    before = builder.add_place("p" + std::to_string(i));
    builder.add_output(t, before);
  }
  const TransitionId counted = builder.add_transition("counted");
  builder.add_input(counted, before);
  builder.set_observables({{counted}, std::nullopt});
  builder.leave_out_dead();
  const Net net = builder.build();
  ASSERT_EQ(net.transition_count(), 1u) << "whose firings are counted, and be they none";
  EXPECT_EQ(net.name_of(net.observables().waiting[0]), "counted");
}

TEST(NetBuilder, InstancesAreNamedAlikeAndOnce) {
  NetBuilder builder("rows");
  const std::vector<Tokens> tokens{4, 5};
  EXPECT_EQ(builder.add_places("p", {2}, tokens).value, 0u);
  EXPECT_EQ(builder.add_place("q").value, 2u);
  const TransitionId t = builder.add_transitions("t", {2, 1});
  EXPECT_THROW(builder.add_place("t"), Error);
  EXPECT_THROW(builder.add_transition("p"), Error);
  EXPECT_EQ(builder.find_place("p"), std::nullopt);
  // Arcs in any order: the second transition first, parallel arcs apart.
  builder.add_input({t.value + 1}, PlaceId{1}, 2);
  builder.add_input(t, PlaceId{2}, 1);
  builder.add_input(t, PlaceId{0}, 3);
  builder.add_input(t, PlaceId{2}, 4);
  const Net net = builder.build();
  EXPECT_EQ(net.name_of(PlaceId{1}), "p.1");
  EXPECT_EQ(net.name_of(TransitionId{1}), "t.1.0");
  EXPECT_EQ(net.initial_marking(), (Marking{4, 5, 0}));
  EXPECT_THAT(net.inputs(t), testing::ElementsAre(Arc{PlaceId{0}, 3}, Arc{PlaceId{2}, 5}));
  EXPECT_THAT(net.inputs({t.value + 1}), testing::ElementsAre(Arc{PlaceId{1}, 2}));
  EXPECT_EQ(net.find_transition("t.0.0"), t);
}

}  // namespace
}  // namespace pnsim
